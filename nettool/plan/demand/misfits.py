"""What does not fit in a job: each misfit a located finding that names the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding, Severity
from nettool.plan.demand.collectives import algorithms
from nettool.plan.demand.demand import Dimension
from nettool.plan.demand.layout import full_order, job_groups, rank_axes, replica_axes, split
from nettool.plan.demand.options import located
from nettool.plan.demand.shape import Shape

Path = tuple[str | int, ...]


def misfits(shape: Shape, gpus: int, path: Path) -> Iterator[Finding]:
    """All that does not fit in a job's degrees, batch, model and options, on `gpus` GPUs."""
    yield from _degree_misfits(shape, gpus, path)
    yield from _model_misfits(shape, path)
    yield from _algorithm_misfits(shape, path)


def _degree_misfits(shape: Shape, gpus: int, path: Path) -> Iterator[Finding]:
    degrees = f"TP {shape.tp} x PP {shape.pp} x CP {shape.cp} x DP {shape.dp} = {shape.gpus} GPUs"
    if shape.gpus > gpus:
        yield _error(
            "DEM004",
            f"{degrees}, but the fabric has {gpus}",
            path,
            f"make the degrees multiply to {gpus} or less",
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


def _error(rule: str, message: str, path: Path, hint: str) -> Finding:
    return located(rule, Severity.ERROR, message, path, hint)
