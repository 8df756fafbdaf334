"""`calc step`: what one GPU sends in one training iteration, dimension by dimension."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, cast, get_args

from nettool.core.errors import UsageError
from nettool.core.provenance import Trust, weakest
from nettool.plan.calculators.calculator import (
    AMOUNT,
    COUNT,
    NUMBER,
    TEXT,
    Calculation,
    Flag,
    calculator,
    exact,
)
from nettool.plan.demand import volume
from nettool.plan.demand.iteration import compute_seconds, iteration_flops
from nettool.plan.demand.model import ModelSpec, library, library_model
from nettool.plan.demand.options import DpMode, JobOptions
from nettool.plan.demand.shape import Shape

_FORMULA = (
    "TP (L/p) m x 8 b s/c h x 2 B x (t-1)/t (10 where the backward pass gathers again); "
    "PP 2 m v b s/c h x 2 B/t; DP by mode over P/(t p), zero1 (g + w)(G-1)/G with G = d c; "
    "CP 2 (L/p) m b s x 2 kv/t x 2 B x (c-1)/c; "
    "EP (MoE layers/p) m x 2 (dispatch + combine) k b s/(c t) x (e-1)/e; "
    "iteration 6 P T/(GPUs x peak x MFU)"
)


@calculator(
    "step",
    "bytes one GPU sends in a training iteration, and how long it takes",
    Flag("model", TEXT, help="a model of the library", choices=library()),
    Flag("gpus", COUNT, help="GPUs of the job: tp x pp x cp x dp"),
    Flag("tp", COUNT, 1, "tensor parallel degree"),
    Flag("pp", COUNT, 1, "pipeline parallel degree"),
    Flag("dp", COUNT, 1, "data parallel degree"),
    Flag("cp", COUNT, 1, "context parallel degree"),
    Flag("ep", COUNT, 1, "expert parallel degree, inside dp"),
    Flag("vpp", COUNT, 1, "pipeline interleaving"),
    Flag("seq", COUNT, help="tokens of a sequence"),
    Flag("batch", COUNT, help="sequences of a global batch"),
    Flag("micro_batch", COUNT, 1, "sequences of a micro-batch"),
    Flag("grad_bytes", AMOUNT, 4, "bytes of a reduced gradient"),
    Flag("param_bytes", AMOUNT, 2, "bytes of a gathered parameter"),
    Flag("dp_mode", TEXT, "zero1", "how replicas are kept", get_args(DpMode)),
    Flag(
        "sequence_parallel", TEXT, "off",
        "on gathers inputs again in the backward pass (10 b s h a layer, not 8)",
        ("off", "on", "no-regather"),
    ),
    Flag("peak_tflops", NUMBER, 989.0, "dense bf16 peak of one GPU"),
    Flag("mfu", NUMBER, 0.4, "part of the peak that is reached"),
)  # fmt: skip
def step(  # noqa: PLR0913  one parameter a flag
    *,
    model: str,
    gpus: int,
    tp: int,
    pp: int,
    dp: int,
    cp: int,
    ep: int,
    vpp: int,
    seq: int,
    batch: int,
    micro_batch: int,
    grad_bytes: int,
    param_bytes: int,
    dp_mode: str,
    sequence_parallel: str,
    peak_tflops: float,
    mfu: float,
) -> Calculation:
    """One job in numbers; PP is the middle stage's."""
    options = JobOptions(
        grad_bytes=grad_bytes, param_bytes=param_bytes, dp_mode=cast(DpMode, dp_mode),
        sequence_parallel=cast(Literal["off", "on", "no-regather"], sequence_parallel),
    )  # fmt: skip
    spec = library_model(model)
    shape = Shape(spec, tp, pp, dp, cp, ep, vpp, seq, batch, micro_batch, options)
    _check(shape, gpus, peak_tflops, mfu)
    seconds = compute_seconds(iteration_flops(shape), gpus, peak_tflops * 1e12 * mfu)
    return Calculation(
        result={
            "tp_bytes": exact(volume.sent(volume.tensor_pass(shape), tp)),
            "pp_bytes": exact(_pipeline(shape)),
            "dp_bytes": exact(_data(shape)),
            "cp_bytes": exact(volume.sent(volume.context_pass(shape), cp)),
            "ep_bytes": exact(volume.sent(volume.expert_pass(shape), ep)),
            "iteration_s": seconds,
            "microbatches": shape.microbatches,
            "pp_message_bytes": exact(volume.pipeline_message(shape)) if pp > 1 else 0,
            "bubble": exact(volume.bubble(shape)),
            "parameters": spec.total_parameters,
        },
        units={
            **dict.fromkeys(
                ("tp_bytes", "pp_bytes", "dp_bytes", "cp_bytes", "ep_bytes"), "B sent a GPU"
            ),
            "iteration_s": "s", "microbatches": "micro-batches a pipeline",
            "pp_message_bytes": "B", "bubble": "of the ideal time", "parameters": "parameters",
        },
        formula=_FORMULA,
        source="Narayanan SC21 s3.2 and s4.1; Korthikanti 2022; Rajbhandari 2020; "
        f"dimensions: {spec.source}",
        trust=weakest(Trust.ASSUMED, spec.trust),
    )  # fmt: skip


def _check(shape: Shape, gpus: int, peak: float, mfu: float) -> None:
    if shape.gpus != gpus:
        raise UsageError(
            f"calc step: tp {shape.tp} x pp {shape.pp} x cp {shape.cp} x dp {shape.dp} = "
            f"{shape.gpus}, not {gpus} GPUs"
        )
    if shape.batch % (shape.dp * shape.micro_batch):
        raise UsageError(
            f"calc step: batch {shape.batch} is not a multiple of dp {shape.dp} x micro-batch "
            f"{shape.micro_batch} = {shape.dp * shape.micro_batch}"
        )
    if not 0 < mfu <= 1 or peak <= 0:
        raise UsageError(f"calc step: mfu {mfu:g} must be above 0 and at most 1, peak above 0")
    if shape.ep > 1:
        _check_experts(shape.model, shape)


def _check_experts(model: ModelSpec, shape: Shape) -> None:
    if not model.experts:
        named = [each for each in library() if library_model(each).experts]
        raise UsageError(
            f"calc step: {model.name} has no experts, so ep {shape.ep} has no meaning; models "
            f"with experts: {', '.join(named)}"
        )
    if model.experts % shape.ep or shape.replicas % shape.ep:
        raise UsageError(
            f"calc step: ep {shape.ep} must divide the {model.experts} experts and cp x dp = "
            f"{shape.replicas}"
        )


def _pipeline(shape: Shape) -> Fraction:
    """The middle stage; with two stages each sends one direction, wrap-around hops apart."""
    if shape.pp == 1:
        return Fraction(0)
    return 2 * shape.microbatches * shape.vpp * volume.pipeline_message(shape)


def _data(shape: Shape) -> Fraction:
    """Dense gradients and parameters, and those of experts over their own replicas."""
    if shape.options.dp_mode == "hsdp":
        return _hybrid(shape)
    experts = int(shape.expert_replicas)
    dense = volume.sent(volume.data_pass(shape), shape.replicas)
    return dense + volume.sent(volume.expert_data_pass(shape), experts)


def _hybrid(shape: Shape) -> Fraction:
    """HSDP with shards of a node of eight: in the node, then over the replicas."""
    shard = max(1, 8 // shape.tp)
    if shape.replicas % shard:
        raise UsageError(f"calc step: hsdp shards over {shard} GPUs, not a part of cp x dp")
    parameters = volume.dense_shard(shape) + volume.expert_shard(shape)
    inner = volume.sent(volume.shard_pass(shape, parameters), shard)
    outer = volume.hsdp_replicate_pass(shape, parameters, shard)
    return inner + volume.sent(outer, shape.replicas // shard)
