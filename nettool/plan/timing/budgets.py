"""The budgets of a fabric: the worst NIC against UTC, the worst two against each other."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.provenance import Figure, Input, Origin, Provenance, Trust
from nettool.intent.intent import TimingIntent
from nettool.plan.timing.budget import (
    ErrorSum,
    constant_error,
    dynamic_error,
    total_error,
    unfiltered_error,
)
from nettool.plan.timing.note import FILE, GIVEN
from nettool.plan.timing.recheck import Standing
from nettool.plan.timing.timing_plan import Budget
from nettool.plan.timing.worst import Extremes, Worst


def plan_budgets(worst: Extremes, standing: Standing) -> Iterator[Budget]:
    """The target is for two NICs; against UTC there is a figure and no verdict."""
    yield _budget("NIC against UTC", worst.alone, standing, None)
    if worst.pair:
        yield _budget("two NICs, across leaves", worst.pair, standing, standing.target)
    yield _budget("two NICs, on one leaf", worst.same_switch, standing, standing.target)


def _budget(name: str, worst: Worst, standing: Standing, target: Figure | None) -> Budget:
    sums = ErrorSum(worst.chains, worst.reference, standing.end_station, standing.facts.trust)
    total = total_error(sums)
    return Budget(
        name=name,
        clocks=sums.clocks,
        cte=constant_error(sums),
        dte=dynamic_error(sums),
        total=total,
        total_half=total_error(sums, half=True),
        target=target,
        meets=None if target is None else float(total) <= float(target),
        unfiltered=unfiltered_error(sums),
        between=worst.switches,
    )


def plan_target(asked: TimingIntent) -> Figure | None:
    """The largest error between two NICs that was asked for, ns."""
    if asked.target_ns is None:
        return None
    given = Input("target_ns", asked.target_ns, "ns", Origin(FILE, ("timing", "target_ns")))
    return Figure(asked.target_ns, "ns", Provenance("as given", (given,), GIVEN, Trust.GIVEN))
