"""Warnings with numbers about layouts that are legal but bad."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding, Severity
from nettool.plan.demand.demand import Dimension, Flow, JobDemand
from nettool.plan.demand.job import Machine
from nettool.plan.demand.options import located
from nettool.plan.demand.shape import Shape
from nettool.plan.demand.volume import bubble

_LONG_BUBBLE = 0.3


def batch_advice(shape: Shape, number: int) -> Iterator[Finding]:
    """A batch that leaves the pipeline without micro-batches to fill it."""
    idle = float(bubble(shape))
    if shape.pp == 1 or idle <= _LONG_BUBBLE:
        return
    enough = shape.pp * shape.dp * shape.micro_batch
    yield located(
        "DEM020", Severity.WARNING,
        f"batch {shape.batch} leaves {shape.microbatches} micro-batches for {shape.pp} pipeline "
        f"stages: the bubble is {idle:.0%} of the ideal time",
        ("jobs", number, "batch"),
        f"a batch of {enough} gives {shape.pp} of them; interleaving (vpp) divides the bubble",
    )  # fmt: skip


def layout_advice(job: JobDemand, machine: Machine, number: int) -> Iterator[Finding]:
    """PP innermost, and flat rings that hop rails."""
    node = machine.gpus_per_node
    first = next((each for each in job.order if job.degrees[each] > 1), None)
    if first is Dimension.PP and job.degrees[Dimension.TP] > 1:
        yield _pipeline_innermost(job, number)
    for flow in job.flows:
        if flow.algorithm == "flat-ring" and _hops_rails(flow, node):
            yield _hopping_ring(flow, node, number)


def _pipeline_innermost(job: JobDemand, number: int) -> Finding:
    return located(
        "DEM021", Severity.WARNING,
        f"PP {job.degrees[Dimension.PP]} is innermost ({'-'.join(job.order)}): it fills the node "
        f"and pushes TP {job.degrees[Dimension.TP]} outside",
        ("jobs", number, "options", "order"), "put tp first: it sends the most by far",
    )  # fmt: skip


def _hopping_ring(flow: Flow, node: int, number: int) -> Finding:
    inside = node // flow.group[0].stride
    return located(
        "DEM022", Severity.WARNING,
        f"a flat {flow.dimension} ring of stride {flow.group[0].stride} in nodes of {node}: one "
        f"edge in {inside} changes the rail, {int(flow.bytes_per_gpu):,} B each",
        ("jobs", number, "options", "algorithms"),
        "use ring: in-node rings and same-rail rings, as NCCL builds them",
    )  # fmt: skip


def _hops_rails(flow: Flow, node: int) -> bool:
    inner = flow.group[0]
    return inner.stride < node < inner.stride * inner.size
