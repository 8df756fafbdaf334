"""Warnings with numbers about how jobs lie on the network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nettool.core.finding import Finding, Severity
from nettool.plan.demand.demand import Dimension, Flow, JobDemand
from nettool.plan.placement.burst import Placed
from nettool.plan.placement.census import Tally
from nettool.plan.placement.locality import Locality
from nettool.plan.placement.matrix import TierLoad
from nettool.plan.placement.nodes import problem
from nettool.plan.placement.path import EdgeClass

_LARGE_PART = 0.2
"""A dimension that keeps NICs busy for more of the iteration than this deserves a word."""


def placement_advice(placed: Sequence[Placed], ground: Locality) -> Iterator[Finding]:
    """Findings about the edges of each job."""
    for each in placed:
        for flow, tally in each.tallies:
            if tally.unreachable:
                yield _unreachable(each.job, flow, tally, ground)
            elif flow.dimension is Dimension.EP:
                yield from _experts(each.job, flow, tally, ground)
            if flow.dimension is Dimension.TP:
                yield from _tensor(each.job, flow, tally, ground)
            if tally.edges[EdgeClass.CROSS_RAIL] and not tally.unreachable:
                yield _cross_rail(each.job, flow, tally)


def load_advice(placed: Sequence[Placed], loads: Sequence[TierLoad]) -> Iterator[Finding]:
    """Findings about tiers that have fewer links than the burst needs."""
    for load in loads:
        if load.uplinks is None or int(load.uplinks) <= load.links or load.traffic == "evaluation":
            continue
        rail = f", rail {load.rail}" if load.rail else ""
        rail += ", storage" if load.traffic == "storage" else ""
        yield problem(
            placed[0].job, "PLC014",
            f"{load.busiest} ({load.network}, {load.tier}{rail}) bursts to "
            f"{float(load.burst):,.0f} Gbit/s and needs {int(load.uplinks)} uplinks, it has "
            f"{load.links}", "lower the oversubscription, or place the job within a leaf",
            level=Severity.WARNING,
        )  # fmt: skip


def _unreachable(job: JobDemand, flow: Flow, tally: Tally, ground: Locality) -> Finding:
    return problem(
        job, "PLC010",
        f"{flow.dimension} of {job.name} sends {tally.unreachable:,} B an iteration between leaves "
        f"of network {ground.network} that no switch connects",
        "let PXN relay to the right rail (pxn: true), keep the dimension inside the node, or "
        "choose a topology with spines", level=Severity.ERROR,
    )  # fmt: skip


def _experts(job: JobDemand, flow: Flow, tally: Tally, ground: Locality) -> Iterator[Finding]:
    seconds = _nic_seconds(job, tally, ground)
    alone = any(each == (0, 0) for each in ground.uplinks.values())
    if tally.relayed and alone and seconds > _LARGE_PART * float(job.iteration):
        yield problem(
            job, "PLC011",
            f"EP {flow.members} of {job.name} is wider than a node on network {ground.network}, "
            f"whose rails do not meet: {tally.relayed:,} B an iteration are relayed over NVLink, "
            f"and the NICs are busy {seconds:.2f} s of {float(job.iteration):.2f} s",
            f"keep EP at {ground.gpus_per_node} or less, or join the rails with spines",
            level=Severity.WARNING, at="ep",
        )  # fmt: skip


def _tensor(job: JobDemand, flow: Flow, tally: Tally, ground: Locality) -> Iterator[Finding]:
    outside = sum(tally.edges.values()) - tally.edges[EdgeClass.SCALE_UP]
    if outside:
        seconds = _nic_seconds(job, tally, ground)
        yield problem(
            job, "PLC012",
            f"TP {flow.members} of {job.name} puts {outside:,} B an iteration on NICs: "
            f"{seconds:.2f} s at line rate against {float(job.iteration):.2f} s of the iteration",
            f"keep TP inside a node of {ground.gpus_per_node} GPUs, innermost in the order",
            level=Severity.WARNING, at="tp",
        )  # fmt: skip


def _cross_rail(job: JobDemand, flow: Flow, tally: Tally) -> Finding:
    crossing = tally.edges[EdgeClass.CROSS_RAIL]
    part = crossing / sum(tally.edges.values())
    return problem(
        job, "PLC013",
        f"{flow.dimension} of {job.name} sends {crossing:,} B an iteration from rail to rail "
        f"through the spine, {part:.0%} of what it sends",
        "two-level rings (algorithm ring) or PXN keep traffic on its rail", level=Severity.WARNING,
    )  # fmt: skip


def _nic_seconds(job: JobDemand, tally: Tally, ground: Locality) -> float:
    """Time the NICs of a job need at line rate for what a flow puts on them."""
    outside = sum(tally.edges.values()) - tally.edges[EdgeClass.SCALE_UP]
    return outside * 8 / (job.gpus * ground.nic_speed * ground.planes * 1e6)
