"""One job of the intent: read, checked, and turned into its demand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from pydantic import ValidationError

from nettool.core.finding import Finding, Severity
from nettool.core.provenance import Figure, Input, Origin, Provenance, Trust
from nettool.intent.intent import JobIntent
from nettool.plan.demand.collectives import algorithms
from nettool.plan.demand.demand import Dimension, JobDemand
from nettool.plan.demand.flows import Groups, evaluation_flows, shard_size, training_flows
from nettool.plan.demand.iteration import compute_seconds, iteration_flops
from nettool.plan.demand.layout import expert_axes, full_order, rank_axes, replica_axes, split
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
    findings += _misfits(shape, machine, path)
    findings += _algorithm_misfits(shape, path)
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


def job_groups(shape: Shape) -> Groups | None:
    """The groups of every dimension; None where EP does not divide what it is taken from."""
    order = full_order(shape.options.order)
    axes = rank_axes(shape, order)
    parts = expert_axes(shape, axes, order)
    return Groups(axes, *parts) if parts else None


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


def _misfits(shape: Shape, machine: Machine, path: Path) -> Iterator[Finding]:
    degrees = f"TP {shape.tp} x PP {shape.pp} x CP {shape.cp} x DP {shape.dp} = {shape.gpus} GPUs"
    if shape.gpus > machine.gpus:
        yield _error(
            "DEM004",
            f"{degrees}, but the fabric has {machine.gpus}",
            path,
            f"make the degrees multiply to {machine.gpus} or less",
        )
    if shape.options.gpus and shape.options.gpus != shape.gpus:
        yield _error(
            "DEM004",
            f"{degrees}, but the job says {shape.options.gpus}",
            (*path, "options", "gpus"),
            "mend a degree, or the number of GPUs",
        )
    each = shape.dp * shape.micro_batch
    if shape.batch % each:
        yield _error(
            "DEM005",
            f"batch {shape.batch} is not a multiple of DP {shape.dp} x micro-batch "
            f"{shape.micro_batch} = {each}: {shape.batch / each:.2f} micro-batches a replica",
            (*path, "batch"),
            f"use a batch of {max(1, shape.batch // each) * each}",
        )
    if shape.sequence % shape.cp:
        yield _error(
            "DEM006",
            f"sequence {shape.sequence} is not a multiple of CP {shape.cp}",
            (*path, "cp"),
            "choose a context parallel degree that divides the sequence",
        )
    yield from _model_misfits(shape, path)


def _model_misfits(shape: Shape, path: Path) -> Iterator[Finding]:
    model = shape.model
    if shape.pp * shape.vpp > model.layers:
        yield _error(
            "DEM007",
            f"PP {shape.pp} x interleaving {shape.vpp} = {shape.pp * shape.vpp} stages, "
            f"but {model.name} has {model.layers} layers",
            (*path, "pp"),
            "a stage needs a layer at least",
        )
    if model.heads > 1 and model.heads % shape.tp:
        yield _error(
            "DEM008",
            f"TP {shape.tp} does not divide the {model.heads} attention heads of {model.name}",
            (*path, "tp"),
            "choose a tensor parallel degree that does",
        )
    if shape.expert_tp > shape.tp or shape.tp % shape.expert_tp:
        yield _error(
            "DEM009",
            f"expert_tp {shape.expert_tp} does not divide TP {shape.tp}",
            (*path, "options", "expert_tp"),
            "choose a divisor of tp",
        )
    elif shape.ep > 1:
        yield from _expert_misfits(shape, path)
    if shape.options.dp_mode == "hsdp" and shape.replicas > 1:
        shard = shape.options.shard or 1
        order = full_order(shape.options.order)
        if split(replica_axes(rank_axes(shape, order)), shard) is None:
            yield _error(
                "DEM010",
                f"hsdp shards over {shard} GPUs, which does not divide CP {shape.cp} x "
                f"DP {shape.dp} = {shape.replicas}",
                (*path, "options"),
                "give a shard that divides the replicas",
            )


def _expert_misfits(shape: Shape, path: Path) -> Iterator[Finding]:
    model = shape.model
    if not model.experts:
        yield _error(
            "DEM009",
            f"EP {shape.ep}, but {model.name} has no experts",
            (*path, "ep"),
            "leave ep out, or name a mixture-of-experts model",
        )
        return
    if model.experts % shape.ep:
        yield _error(
            "DEM009",
            f"EP {shape.ep} does not divide the {model.experts} experts of {model.name}",
            (*path, "ep"),
            "choose a divisor of the experts",
        )
    if job_groups(shape) is None:
        pool = shape.replicas * shape.tp // shape.expert_tp
        yield _error(
            "DEM009",
            f"EP {shape.ep} does not divide the {pool} GPUs it is taken from "
            f"(TP {shape.tp}/expert TP {shape.expert_tp} x CP {shape.cp} x DP {shape.dp})",
            (*path, "ep"),
            "EP lies inside data parallelism: dp counts every replica of the "
            f"attention, so dp {shape.ep * shape.dp} holds {shape.dp} copies of the experts",
        )


def _algorithm_misfits(shape: Shape, path: Path) -> Iterator[Finding]:
    sizes = {Dimension.TP: shape.tp, Dimension.CP: shape.cp, Dimension.DP: shape.replicas}
    for dimension, chosen in shape.options.algorithms.items():
        where = (*path, "options", "algorithms", str(dimension))
        legal = _legal(shape, dimension)
        if chosen not in legal:
            yield _error(
                "DEM011",
                f"no {chosen} for what {dimension} sends",
                where,
                f"legal here: {', '.join(legal)}" if legal else "this dimension has no choice",
            )
        elif "doubling" in chosen and sizes[dimension].bit_count() != 1:
            yield _error(
                "DEM011",
                f"{chosen} needs a power of two, but {dimension} has {sizes[dimension]} members",
                where,
                "use ring",
            )


def _legal(shape: Shape, dimension: Dimension) -> tuple[str, ...]:
    """The algorithms that carry what a dimension sends."""
    if dimension in (Dimension.EP, Dimension.PP):
        return ()
    if dimension is Dimension.CP and shape.options.cp_mode == "ring":
        return ("ring", "flat-ring")
    reduces = {
        Dimension.TP: shape.options.sequence_parallel == "off",
        Dimension.DP: shape.options.dp_mode == "ddp",
    }.get(dimension, False)
    return ("flat-ring", *algorithms("all-reduce" if reduces else "all-gather"))


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


def _error(rule: str, message: str, path: Path, hint: str) -> Finding:
    return located(rule, Severity.ERROR, message, path, hint)
