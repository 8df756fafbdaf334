"""`calc ecmp`: how unevenly hashing spreads equal flows over equal links."""

from __future__ import annotations

from nettool.core.errors import UsageError
from nettool.plan.calculators.calculator import COUNT, Calculation, Flag, calculator
from nettool.plan.placement.ecmp import (
    expected_max_load,
    idle_fraction,
    p_no_collision,
    pinned_max_load,
    pinned_slowest_share,
    slowest_flow_share,
)

_MOST = 10_000_000


@calculator(
    "ecmp",
    "flows hashed over equal links: collisions, idle links, what the slowest flow gets",
    Flag("flows", COUNT, help="equal flows that are active at the same time"),
    Flag("links", COUNT, help="equal links they are hashed over"),
)
def ecmp(*, flows: int, links: int) -> Calculation:
    """Flows n on links M links, hashed at random and pinned evenly by hand."""
    if max(flows, links) > _MOST:
        raise UsageError(f"calc ecmp: at most {_MOST:,} flows and links")
    return Calculation(
        result={
            "p_no_collision": p_no_collision(flows, links),
            "idle_fraction": idle_fraction(flows, links),
            "expected_max_load": expected_max_load(flows, links),
            "slowest_flow_share": slowest_flow_share(flows, links),
            "pinned_max_load": pinned_max_load(flows, links),
            "pinned_slowest_flow_share": pinned_slowest_share(flows, links),
        },
        units={
            "p_no_collision": "probability",
            "idle_fraction": "part of the links",
            "expected_max_load": "flows on the fullest link",
            "slowest_flow_share": "part of the fair share",
            "pinned_max_load": "flows on the fullest link",
            "pinned_slowest_flow_share": "part of the fair share",
        },
        formula="M!/((M-n)! M^n); (1-1/M)^n; E[max] of n balls in M bins (exact); "
        "max(1, n/M)/E[max]; pinned: ceil(n/M)",
        source="occupancy of uniform hashing (balls in bins)",
    )
