"""One job of the intent: read, checked, and turned into its demand."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from pydantic import ValidationError

from nettool.core.finding import Finding, Severity
from nettool.core.provenance import Figure, Input, Origin, Provenance, Trust
from nettool.intent.intent import JobIntent
from nettool.plan.demand.demand import Dimension, JobDemand
from nettool.plan.demand.flows import evaluation_flows, shard_size, training_flows
from nettool.plan.demand.iteration import compute_seconds, iteration_flops
from nettool.plan.demand.layout import Groups, full_order
from nettool.plan.demand.misfits import misfits
from nettool.plan.demand.model import ModelSpec, library, library_model
from nettool.plan.demand.options import located, read_options
from nettool.plan.demand.shape import Shape
from nettool.plan.demand.storage import storage_flows

FILE = "fabric.yaml"
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """What the job runs on: GPUs of a node, of the fabric, and the peak rate of one."""

    gpus: int
    gpus_per_node: int
    peak: Figure
    """TFLOPS of one GPU, dense bf16."""


def read_job(
    intent: JobIntent, number: int, machine: Machine
) -> tuple[Shape | None, list[Finding]]:
    """The shape of one job and all that is wrong with it; None where no number can be given."""
    path: Path = ("jobs", number)
    options, findings = read_options(intent.options, (*path, "options"))
    model, problems = _model(intent.model, (*path, "model"))
    findings += problems
    if model is None:
        return None, findings
    if not options.shard:
        shard = shard_size(intent.tp, machine.gpus_per_node)
        options = options.model_copy(update={"shard": shard})
    shape = Shape(
        model, intent.tp, intent.pp, intent.dp, intent.cp, intent.ep, intent.vpp,
        intent.sequence, intent.batch, intent.micro_batch, options,
    )  # fmt: skip
    findings += misfits(shape, machine.gpus, path)
    return shape, findings


def job_demand(
    intent: JobIntent, number: int, shape: Shape, machine: Machine, experts: Groups
) -> JobDemand:
    """The demand of a job whose shape is sound."""
    path: Path = ("jobs", number)
    options = shape.options
    inputs = _inputs(shape, path)
    iteration = iteration_figure(shape, machine.peak, path)
    placement = options.nodes if options.nodes is not None else options.placement
    dimensions = (Dimension.TP, Dimension.CP, Dimension.EP, Dimension.DP, Dimension.PP)
    sizes = (shape.tp, shape.cp, shape.ep, shape.dp, shape.pp)
    return JobDemand(
        name=intent.name, model=shape.model.name, parameters=_parameters(shape),
        gpus=shape.gpus, degrees=dict(zip(dimensions, sizes, strict=True)),
        order=full_order(options.order), microbatches=shape.microbatches, iteration=iteration,
        flows=training_flows(shape, experts, inputs), storage=storage_flows(shape, iteration),
        placement=placement, qps_per_peer=options.qps, origin=Origin(FILE, path),
        pxn=options.pxn, evaluation=evaluation_flows(shape, experts, inputs),
        storage_servers=options.storage.servers, axes=experts.axes,
    )  # fmt: skip


def iteration_figure(shape: Shape, peak: Figure, path: Path) -> Figure:
    """Seconds of an iteration: measured where given, else from peak rate and assumed MFU."""
    options = shape.options
    if options.step_time:
        origin = Origin(FILE, (*path, "options", "step_time"))
        given = Input("step_time", options.step_time, "s", origin)
        return Figure(options.step_time, "s", Provenance("measured", (given,), "", Trust.GIVEN))
    tflops = options.peak_tflops or float(peak)
    trust = Trust.GIVEN if "mfu" in options.model_fields_set else Trust.ASSUMED
    why = Provenance(
        "F/(GPUs x peak x MFU), F = 6 P T (8 P T with full recomputation)",
        (
            Input("P", shape.model.tokens_use, "parameters used by a token"),
            Input("T", shape.tokens, "tokens"), Input("GPUs", shape.gpus),
            Input("peak", tflops, "TFLOPS", why=None if options.peak_tflops else peak.why),
            Input("MFU", options.mfu),
        ),
        "Narayanan SC21 eq. 3 and 4", trust,
    )  # fmt: skip
    rate = tflops * 1e12 * options.mfu
    return Figure(compute_seconds(iteration_flops(shape), shape.gpus, rate), "s", why)


def _model(given: str | dict[str, object], path: Path) -> tuple[ModelSpec | None, list[Finding]]:
    if isinstance(given, str):
        if given in library():
            return library_model(given), []
        close = get_close_matches(given.lower(), library(), n=1, cutoff=0.4)
        hint = f"did you mean {close[0]!r}? " if close else ""
        return None, [
            located(
                "DEM003", Severity.ERROR, f"unknown model {given!r}", path,
                f"{hint}known: {', '.join(library())}; or give its dimensions "
                "(layers, hidden, heads, kv_heads, ffn, vocabulary)",
            )
        ]  # fmt: skip
    try:
        return ModelSpec.model_validate(given), []
    except ValidationError as exc:
        return None, [
            located(
                "DEM003", Severity.ERROR,
                f"model: {'.'.join(map(str, error['loc'])) or 'dimensions'}: "
                f"{error['msg'].removeprefix('Value error, ')}",
                (*path, *error["loc"]), "dimensions: " + ", ".join(ModelSpec.model_fields),
            )
            for error in exc.errors(include_url=False)
        ]  # fmt: skip


def _inputs(shape: Shape, path: Path) -> tuple[Input, ...]:
    def given(name: str, value: int) -> Input:
        return Input(name, value, origin=Origin(FILE, (*path, name)))

    model = shape.model
    return (
        given("tp", shape.tp), given("pp", shape.pp), given("dp", shape.dp),
        given("cp", shape.cp), given("ep", shape.ep), given("vpp", shape.vpp),
        given("sequence", shape.sequence), given("batch", shape.batch),
        given("micro_batch", shape.micro_batch), Input("m", shape.microbatches, "micro-batches"),
        Input("L", model.layers, "layers", why=Provenance("", (), model.source, model.trust)),
        Input("h", model.hidden), Input("P", model.total_parameters, "parameters"),
        Input("g", shape.options.grad_bytes, "B"), Input("w", shape.options.param_bytes, "B"),
    )  # fmt: skip


def _parameters(shape: Shape) -> Figure:
    model = shape.model
    formula = "published" if model.parameters else "counted from the dimensions"
    return Figure(
        model.total_parameters, "parameters", Provenance(formula, (), model.source, model.trust)
    )
