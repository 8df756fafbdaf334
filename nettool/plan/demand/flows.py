"""The flows of one job: each dimension's bytes, messages and group, with their provenance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from nettool.core.provenance import Figure, Input, Provenance, Trust, weakest
from nettool.plan.demand import volume
from nettool.plan.demand.demand import Dimension, Flow
from nettool.plan.demand.layout import Axes, Groups, replica_axes, split
from nettool.plan.demand.pattern import group_bytes
from nettool.plan.demand.shape import Shape

_TIE = "tied embeddings"


@dataclass(frozen=True, slots=True)
class _Volume:
    """What a flow needs beyond its group: pass bytes, calls, and where the formula stands."""

    dimension: Dimension
    name: str
    collective: str
    total: Fraction
    calls: int
    formula: str
    source: str


def training_flows(shape: Shape, groups: Groups, inputs: tuple[Input, ...]) -> tuple[Flow, ...]:
    """Every flow of one training iteration; a dimension of degree 1 has none."""
    found = [*_model_flows(shape, groups), *_tied(shape, groups), *_replica_flows(shape, groups)]
    return tuple(_flow(shape, each, group, inputs) for each, group in found if group)


def evaluation_flows(shape: Shape, groups: Groups, inputs: tuple[Input, ...]) -> tuple[Flow, ...]:
    """Every flow of one evaluation step: the forward half, and no gradients."""
    found = ((_forward(shape, each), group) for each, group in _model_flows(shape, groups))
    return tuple(_flow(shape, each, group, inputs) for each, group in found if group)


def shard_size(tensor: int, gpus_per_node: int) -> int:
    """HSDP: GPUs that share one copy; by default those of a node that TP leaves over."""
    return max(1, gpus_per_node // tensor)


def _model_flows(shape: Shape, groups: Groups) -> Iterator[tuple[_Volume, Axes]]:
    yield _tensor(shape), _axis(groups, Dimension.TP)
    yield _context(shape), _axis(groups, Dimension.CP)
    if shape.ep > 1:
        yield _experts(shape), groups.experts
    yield _pipeline(shape), _axis(groups, Dimension.PP)


def _replica_flows(shape: Shape, groups: Groups) -> Iterator[tuple[_Volume, Axes]]:
    for parameters, axes, name in (
        (volume.dense_shard(shape), replica_axes(groups.axes), "gradients"),
        (volume.expert_shard(shape), groups.expert_replicas, "expert gradients"),
    ):
        if not parameters or not axes:
            continue
        if shape.options.dp_mode == "hsdp":
            yield from _hsdp(shape, parameters, axes, name)
        else:
            yield _data(shape, parameters, name), axes


def _tied(shape: Shape, groups: Groups) -> Iterator[tuple[_Volume, Axes]]:
    if shape.model.tied and shape.model.vocabulary:
        volume_ = _Volume(
            Dimension.PP, _TIE, "all-reduce", volume.tie_pass(shape), 1,
            "V h g/t, between first and last stage", "Megatron-LM, embedding group",
        )  # fmt: skip
        yield volume_, _axis(groups, Dimension.PP)


def _tensor(shape: Shape) -> _Volume:
    parallel = shape.options.sequence_parallel
    collective = "all-reduce" if parallel == "off" else "reduce-scatter and all-gather"
    factor = 10 if parallel == "on" else 8
    return _Volume(
        Dimension.TP, "activations", collective, volume.tensor_pass(shape),
        ceil(volume.tensor_calls(shape) * shape.microbatches),
        f"(L/p) m x {factor} b s/c h x bytes x (t-1)/t",
        "Narayanan SC21 s3.2" if parallel == "off" else "Korthikanti 2022",
    )  # fmt: skip


def _context(shape: Shape) -> _Volume:
    ring = shape.options.cp_mode == "ring"
    collective = "send-receive" if ring else "all-gather and reduce-scatter"
    return _Volume(
        Dimension.CP, "keys and values", collective,
        volume.context_pass(shape),
        ceil((3 * (shape.cp - 1) if ring else 2) * shape.stage_layers * shape.microbatches),
        f"{3 if ring else 2} (L/p) m x b s x 2 kv/t x bytes x (c-1)/c",
        "Liu 2023 (ring attention)" if ring else "Llama 3 report s3.3 (all-gather form)",
    )  # fmt: skip


def _experts(shape: Shape) -> _Volume:
    return _Volume(
        Dimension.EP, "tokens", "all-to-all", volume.expert_pass(shape),
        ceil(4 * shape.moe_stage_layers * shape.microbatches),
        "(MoE layers/p) m x 2 (dispatch + combine) x k x b s/(c t) x (e-1)/e",
        "GShard and DeepSpeed-MoE all-to-all",
    )  # fmt: skip


def _pipeline(shape: Shape) -> _Volume:
    message = volume.pipeline_message(shape)
    calls = 2 * shape.microbatches * shape.vpp
    formula = "2 m v x b s/c h x bytes/t (middle stage)"
    return _Volume(
        Dimension.PP, "activations", "send-receive", ceil(message) * Fraction(calls), calls,
        formula, "Narayanan SC21 s4.1",
    )  # fmt: skip


def _data(shape: Shape, parameters: Fraction, name: str) -> _Volume:
    mode = shape.options.dp_mode
    form = {
        "ddp": ("all-reduce", "2 g P_gpu (G-1)/G"),
        "zero2-all-reduce": ("all-reduce and all-gather", "(2 g + w) P_gpu (G-1)/G"),
        "zero3": ("all-gather and reduce-scatter", "(2 w + g) P_gpu (G-1)/G"),
        "fsdp": ("all-gather and reduce-scatter", "(2 w + g) P_gpu (G-1)/G"),
    }.get(mode, ("reduce-scatter and all-gather", "(g + w) P_gpu (G-1)/G"))
    total = volume.data_pass(shape) if name == "gradients" else volume.expert_data_pass(shape)
    return _Volume(
        Dimension.DP, name, form[0], total, 1, form[1],
        f"{mode}: Rajbhandari 2020 (ZeRO), Zhao 2023 (FSDP); P_gpu = {float(parameters):.0f}",
    )  # fmt: skip


def _hsdp(
    shape: Shape, parameters: Fraction, axes: Axes, name: str
) -> Iterator[tuple[_Volume, Axes]]:
    sharded = shape.options.shard or 1
    parts = split(axes, sharded)
    if parts is None:
        return
    inner, outer = parts
    source = "Zhao 2023 (FSDP, hybrid sharding)"
    yield (
        _Volume(
            Dimension.DP, f"{name}, shards", "all-gather and reduce-scatter",
            volume.shard_pass(shape, parameters), 1, "(2 w + g) P_gpu (S-1)/S", source,
        ),
        inner,
    )  # fmt: skip
    yield (
        _Volume(
            Dimension.DP, f"{name}, replicas", "all-reduce",
            volume.hsdp_replicate_pass(shape, parameters, sharded), 1, "2 g P_gpu/S (n-1)/n",
            source,
        ),
        outer,
    )  # fmt: skip


def _forward(shape: Shape, full: _Volume) -> _Volume:
    """The forward part: a half; of ring attention, whose backward passes on twice, a third."""
    third = full.dimension is Dimension.CP and shape.options.cp_mode == "ring"
    divisor = 3 if third else 2
    collective = "send-forward" if full.dimension is Dimension.PP else full.collective
    return replace(
        full, total=full.total / divisor, calls=max(1, full.calls // divisor),
        collective=collective, formula=f"forward only, 1/{divisor} of {full.formula}",
    )  # fmt: skip


def _axis(groups: Groups, dimension: Dimension) -> Axes:
    axis = groups.axes[dimension]
    return (axis,) if axis.size > 1 else ()


def _flow(shape: Shape, each: _Volume, group: Axes, inputs: tuple[Input, ...]) -> Flow:
    trust = weakest(shape.model.trust, Trust.COMPUTED)
    why = Provenance(each.formula, inputs, each.source, trust)
    members = 1
    for axis in group:
        members *= axis.size
    algorithm, pattern, peers = _manner(shape, each, members)
    sent = _sent(each, algorithm, members)
    flow = Flow(
        dimension=each.dimension, pattern=pattern, collective=each.collective,
        bytes_per_gpu=Figure(sent, "B", why),
        message=Figure(_message(each, members), "B", why), messages=each.calls, peers=peers,
        name=each.name, algorithm=algorithm, group=group,
        interleave=shape.vpp if each.dimension is Dimension.PP else 1,
        node_limit=_node_limit(shape) if each.dimension is Dimension.EP else (1, 1),
        traffic_class=shape.options.classes.get(each.dimension, ""),
    )  # fmt: skip
    return replace(flow, group_bytes=group_bytes(flow))


def _manner(shape: Shape, each: _Volume, members: int) -> tuple[str, str, int]:
    """Algorithm, pattern and peers of a flow."""
    if each.name == _TIE:
        return "pair", "ends", 1
    if each.dimension is Dimension.PP:
        return "1f1b", "pairwise", 2 if members > 2 else 1
    if each.dimension is Dimension.EP:
        return "direct", "all-to-all", members - 1
    chosen = str(shape.options.algorithms.get(each.dimension, "ring"))
    peers = {"tree": 3, "in-network": 0}.get(chosen, 1)
    if chosen in ("halving-doubling", "recursive-doubling"):
        peers = members.bit_length() - 1
    return chosen, "ring" if peers == 1 else chosen, peers


def _sent(each: _Volume, algorithm: str, members: int) -> int:
    """Whole bytes one GPU sends; a fraction of a byte is rounded up."""
    if each.name == _TIE:
        return ceil(volume.sent(each.total, 2))
    if each.dimension is Dimension.PP:
        return ceil(each.total)
    if each.dimension is Dimension.EP:
        return ceil(each.total / members) * (members - 1)
    if algorithm == "in-network":
        return ceil(each.total / 2)
    if algorithm == "recursive-doubling":
        return ceil(each.total / 2) * (members.bit_length() - 1)
    return ceil(volume.sent(each.total, members))


def _message(each: _Volume, members: int) -> int:
    """Bytes of one call's buffer: for PP one message, for EP what one peer gets in a call."""
    calls = max(1, each.calls)
    if each.dimension is Dimension.EP:
        return ceil(each.total / calls / members)
    passes = 2 if each.collective == "all-reduce" else 1
    return ceil(each.total / calls / passes)


def _node_limit(shape: Shape) -> tuple[int, int]:
    limit = shape.options.max_nodes or shape.model.max_nodes
    copies = shape.model.top_k
    return (min(limit, copies), copies) if limit and copies else (1, 1)
