"""What happens at one switch at the same time: jobs together, dimensions one after another.

A dimension's edges are active at once; a job's dimensions take turns, so the busiest counts;
jobs do not wait for each other, so theirs add up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from nettool.plan.demand.demand import Flow, JobDemand
from nettool.plan.placement.census import Tally


@dataclass(frozen=True, slots=True)
class Placed:
    """One job on its nodes, with the tally of each flow."""

    job: JobDemand
    nodes: Sequence[int]
    tallies: tuple[tuple[Flow, Tally], ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """One switch: bytes an iteration of all jobs, average Mb/s, active NICs and flows at burst."""

    bytes: int = 0
    average: float = 0.0
    active: float = 0.0
    flows: int = 0

    def __add__(self, other: Moment) -> Moment:
        return Moment(
            self.bytes + other.bytes, self.average + other.average,
            self.active + other.active, self.flows + other.flows,
        )  # fmt: skip


Meter = Callable[[Tally, Flow], tuple[int, float, int]]
"""Bytes, active NICs and flows of one tally at the switch it was made for."""


def moment(placed: Iterable[Placed], meter: Meter) -> Moment:
    """All jobs at one switch."""
    total = Moment()
    for each in placed:
        metered = [meter(tally, flow) for flow, tally in each.tallies]
        sent = sum(row[0] for row in metered)
        active, flows = max(((row[1], row[2]) for row in metered), default=(0.0, 0))
        rate = sent * 8 / float(each.job.iteration) / 1e6
        total += Moment(sent, rate, active, flows * each.job.qps_per_peer)
    return total


def at_leaf(leaf: int) -> Meter:
    """What NICs put into a leaf."""
    return lambda tally, _: (
        tally.out.get(leaf, 0),
        float(tally.senders.get(leaf, 0)),
        tally.senders.get(leaf, 0),
    )


def above_leaf(leaf: int) -> Meter:
    """What a leaf sends up; an all-to-all climbs with the part of its bytes that does."""

    def read(tally: Tally, flow: Flow) -> tuple[int, float, int]:
        active = float(tally.climbers.get(leaf, 0))
        if flow.pattern == "all-to-all" and tally.out.get(leaf, 0):
            active = tally.senders.get(leaf, 0) * tally.up.get(leaf, 0) / tally.out.get(leaf, 0)
        return tally.up.get(leaf, 0), active, tally.climbs.get(leaf, 0)

    return read


def above_pod(pod: int, leaves: Sequence[int]) -> Meter:
    """What a pod sends to the core."""

    def read(tally: Tally, flow: Flow) -> tuple[int, float, int]:
        active = float(tally.core_climbers.get(pod, 0))
        if flow.pattern == "all-to-all" and tally.core.get(pod, 0):
            out = sum(tally.out.get(leaf, 0) for leaf in leaves)
            active = (
                sum(tally.senders.get(leaf, 0) for leaf in leaves) * tally.core.get(pod, 0) / out
            )
        return tally.core.get(pod, 0), active, tally.core_climbs.get(pod, 0)

    return read
