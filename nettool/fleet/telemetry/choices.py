"""The figures that judgements of a trace go by, each with its source; the rest is assumed.

No public source gives the step by which a threshold follows a counter: closed loops that exist
(Juniper's DCQCN auto-tune for Apstra, Cloud Field Day 20, 2024) say that they step, not how far.
So a target follows from what was measured, and only how much to leave is chosen here.
"""

from __future__ import annotations

from nettool.core.provenance import Figure
from nettool.plan.qos.trace import assumed
from nettool.plan.simulate.verdict import NEARLY_FULL

LEAST_INTERVALS = assumed(3, "intervals", "a thing seen twice may be chance")
LEAST_SECONDS = assumed(60, "s", "several steps of a training job")
GAP = assumed(1.5, "times the usual interval", "beyond it a look was left out")
FULL = assumed(NEARLY_FULL, "", "as the simulation has it: beyond it a slower peer has no room")
FILLED = assumed(0.8, "", "a highest use fills four fifths of new headroom, so it asks no more")
BELOW = assumed(0.8, "", "marking is sure at four fifths of the queue that paused")
BEYOND = assumed(1.5, "", "a queue so far above Kmax grew although every sender was marked")
EARLIER = assumed(0.5, "", "highest uses are not of one moment, so half is left for that")

_EVERY: dict[str, Figure] = {
    "least intervals": LEAST_INTERVALS,
    "least time": LEAST_SECONDS,
    "longest interval": GAP,
    "headroom is nearly full above": FULL,
    "new headroom is filled to": FILLED,
    "Kmax under the queue that paused": BELOW,
    "far above Kmax": BEYOND,
    "part of its threshold below which a group pauses too early": EARLIER,
}


def told() -> tuple[str, ...]:
    """Each choice in words, with its reason."""
    return tuple(
        f"{name} {each.value:g} {each.unit}".strip() + f" ({each.why.trust}: {each.why.formula})"
        for name, each in _EVERY.items()
    )
