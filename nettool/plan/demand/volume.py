"""Bytes each parallel dimension moves in one iteration, exact, before they meet a network.

`pass bytes` of a dimension are what all its reduce-scatters and all-gathers would move with no
share kept at home: a ring sends (G-1)/G of them a GPU. An all-reduce of S counts 2 S. Every
figure is a Fraction: nothing is rounded before the last step.

Sources: TP and PP volumes Narayanan SC21 s3.2 and s4.1, sequence parallelism Korthikanti 2022,
ZeRO and FSDP Rajbhandari 2020 and Zhao 2023, counts checked against the AICB traces.
"""

from __future__ import annotations

from fractions import Fraction

from nettool.plan.demand.collectives import part
from nettool.plan.demand.shape import Shape


def tensor_calls(shape: Shape) -> Fraction:
    """All-reduces of an activation a micro-batch costs one stage: 4 a layer, 6 recomputed.

    A layer whose experts are not split by TP reduces only its attention.
    """
    each = 6 if shape.options.recompute == "full" else 4
    halved = shape.moe_stage_layers if shape.expert_tp < shape.tp else Fraction(0)
    return each * (shape.stage_layers - halved / 2)


def tensor_pass(shape: Shape) -> Fraction:
    """TP: (L/p) m x 8 b s h x bytes; 10 where the backward pass gathers its inputs again."""
    again = Fraction(10, 8) if shape.options.sequence_parallel == "on" else Fraction(1)
    return 2 * tensor_calls(shape) * again * shape.microbatches * shape.activation


def pipeline_message(shape: Shape) -> Fraction:
    """PP: one activation between two stages, b s h x bytes, 1/t of it with scatter/gather."""
    divided = shape.options.scatter_gather or shape.options.sequence_parallel != "off"
    return shape.activation / (shape.tp if divided else 1)


def tie_pass(shape: Shape) -> Fraction:
    """Tied embeddings: first and last stage all-reduce their gradients of V h/t elements."""
    vocabulary, hidden = shape.model.vocabulary, shape.model.hidden
    return 2 * Fraction(vocabulary * hidden * shape.options.grad_bytes, shape.tp)


def data_pass(shape: Shape) -> Fraction:
    """DP over dense parameters; hsdp: none (its two levels have their own)."""
    return _replica_pass(shape, dense_shard(shape))


def expert_data_pass(shape: Shape) -> Fraction:
    """DP over expert parameters, d c t/(e t_e) replicas of them."""
    return _replica_pass(shape, expert_shard(shape))


def dense_shard(shape: Shape) -> Fraction:
    """Dense parameters of one GPU, P/(t p), edge stages taken as heavy as the others."""
    dense = shape.model.total_parameters - (shape.model.expert_parameters if shape.ep > 1 else 0)
    return Fraction(dense, shape.tp * shape.pp)


def expert_shard(shape: Shape) -> Fraction:
    """Expert parameters of one GPU, P_e/(e t_e p); 0 without expert parallelism."""
    if shape.ep == 1:
        return Fraction(0)
    return Fraction(shape.model.expert_parameters, shape.ep * shape.expert_tp * shape.pp)


def shard_pass(shape: Shape, parameters: Fraction) -> Fraction:
    """ZeRO-3, FSDP and HSDP's inner level: gather twice, reduce once: (2 w + g) P."""
    options = shape.options
    gathers = 2 if options.reshard_after_forward else 1
    times = shape.microbatches if options.gather == "microbatch" else 1
    return times * (gathers * options.param_bytes + options.grad_bytes) * parameters


def hsdp_replicate_pass(shape: Shape, parameters: Fraction, sharded: int) -> Fraction:
    """HSDP's outer level: the all-reduce of the gradients of one shard, 2 g P/shard."""
    return 2 * shape.options.grad_bytes * parameters / sharded


def context_pass(shape: Shape) -> Fraction:
    """CP: keys and values of all tokens; gathered and their gradients scattered, or passed on.

    All-gather form 2 passes (forward gather, backward scatter), ring attention 3.
    """
    passes = 3 if shape.options.cp_mode == "ring" else 2
    return passes * shape.stage_layers * shape.microbatches * context_layer(shape)


def context_layer(shape: Shape) -> Fraction:
    """Bytes of the keys and values of one layer and micro-batch on one TP rank: b s x 2 kv x 2."""
    heads = shape.model.kv_heads or shape.model.heads
    width = Fraction(shape.model.kv_width, min(shape.tp, heads))
    tokens = shape.micro_batch * shape.sequence
    return 2 * tokens * width * shape.options.activation_bytes


def expert_tokens(shape: Shape) -> Fraction:
    """Tokens one GPU hands to experts a layer and micro-batch: b s/(c t)."""
    return shape.rank_tokens / shape.tp


def dispatch_copy(shape: Shape) -> int:
    """Bytes of one token on its way to an expert: h x bytes, and its scales."""
    model = shape.model
    size = shape.options.dispatch_bytes or model.dispatch_bytes or shape.options.activation_bytes
    scale = model.dispatch_scale if not shape.options.dispatch_bytes else None
    scales = -(-model.hidden // scale.per) * scale.bytes if scale else 0
    return model.hidden * size + scales


def combine_copy(shape: Shape) -> int:
    """Bytes of one token on its way back."""
    return shape.model.hidden * shape.options.activation_bytes


def expert_pass(shape: Shape) -> Fraction:
    """EP: k copies of each token out and back, forward and backward, all MoE layers of a stage."""
    copies = expert_tokens(shape) * shape.model.top_k
    both = 2 * (dispatch_copy(shape) + combine_copy(shape))
    return shape.moe_stage_layers * shape.microbatches * copies * both


def forward_hops(shape: Shape) -> int:
    """Activation hops of one micro-batch through the pipeline, forward: p v - 1."""
    return shape.pp * shape.vpp - 1


def bubble(shape: Shape) -> Fraction:
    """Idle over ideal time of the pipeline: (p-1)/(v m)."""
    return Fraction(shape.pp - 1, shape.vpp * shape.microbatches)


def sent(pass_bytes: Fraction, gpus: int) -> Fraction:
    """What one GPU of a ring sends of the pass bytes: (G-1)/G."""
    return part(gpus) * pass_bytes


def _replica_pass(shape: Shape, parameters: Fraction) -> Fraction:
    options = shape.options
    grad, param, mode = options.grad_bytes, options.param_bytes, options.dp_mode
    if mode in ("zero3", "fsdp"):
        return shard_pass(shape, parameters)
    if mode == "ddp":
        return 2 * grad * parameters
    if mode == "zero2-all-reduce":
        return (2 * grad + param) * parameters
    reduced = shape.microbatches if mode == "zero2" and options.gather == "microbatch" else 1
    return (reduced * grad + param) * parameters
