"""What would meet a missed target: another class, another place of the grandmaster, fewer clocks.

Each is worked out on this fabric and given with its number, whether it is enough or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nettool.core.provenance import Figure
from nettool.plan.timing.budget import Chain, ErrorSum, total_error
from nettool.plan.timing.facts import ClockFacts
from nettool.plan.timing.profiles import CLOCK_CLASSES
from nettool.plan.timing.recheck import Standing
from nettool.plan.timing.timing_plan import Remedy
from nettool.plan.timing.tree import Attached, grow_each, in_force
from nettool.plan.timing.worst import Worst, extremes

_MOST_CLOCKS = 32


def remedies(standing: Standing, now: Worst) -> tuple[Remedy, ...]:
    """Single changes that better the worst pair of NICs, the smallest error first."""
    error = float(_total(now, standing, standing.facts))
    found = [
        each
        for each in (*_classes(standing), *_places(standing), *_calibrated(standing))
        if float(each.total) < error
    ]
    return tuple(sorted(found, key=lambda each: (float(each.total), each.change)))


def clocks_allowed(target: float, clock_class: str, end_station: float) -> int:
    """Clocks a branch below the last common one, of one class, that meet a target between NICs."""
    fitting = 0
    for clocks in range(1, _MOST_CLOCKS + 1):
        branch = Chain.of(clocks, clock_class)
        if float(total_error(ErrorSum((branch, branch), end_station=end_station))) > target:
            break
        fitting = clocks
    return fitting


def _classes(standing: Standing) -> Iterator[Remedy]:
    for name in CLOCK_CLASSES:
        facts = standing.facts.with_class(name)
        yield from _remedy(f"class {name} in every switch", standing, standing.attached, facts)


def _places(standing: Standing) -> Iterator[Remedy]:
    """The active grandmaster on the first switch of each tier, and on every leaf."""
    active = next(iter(standing.attached))
    firsts = {(each.network, each.role): each.name for each in reversed(standing.fabric.devices)}
    for (_, role), name in sorted(firsts.items()):
        moved = {**standing.attached, active: (name,)}
        yield from _remedy(f"{active} at {role} {name}", standing, moved, standing.facts)
    leaves = tuple(each.name for each in standing.fabric.devices if each.facing_hosts)
    said = f"{active} cabled to each of the {len(leaves)} leaves"
    nearer = {**standing.attached, active: leaves}
    yield from _remedy(said, standing, nearer, standing.facts)


def _calibrated(standing: Standing) -> Iterator[Remedy]:
    works = standing.facts.works
    if works.usual or works.asymmetry or any(works.facing.values()):
        even = replace(
            works, usual=0.0, asymmetry={}, facing=dict.fromkeys(works.facing, 0.0), second={}
        )
        facts = replace(standing.facts, works=even)
        said = "asymmetry of every link measured and corrected"
        yield from _remedy(said, standing, standing.attached, facts)


def _remedy(
    change: str, standing: Standing, attached: Attached, facts: ClockFacts
) -> Iterator[Remedy]:
    """A change with the worst pair that it leaves; none where switches lose time by it."""
    tree = in_force(grow_each(standing.neighbours, attached))
    worst = extremes(tree, facts.works)
    if worst is None or worst.pair is None or len(tree) < len(standing.tree):
        return
    total = _total(worst.pair, standing, facts)
    target = standing.target
    yield Remedy(change, total, target is not None and float(total) <= float(target))


def _total(pair: Worst, standing: Standing, facts: ClockFacts) -> Figure:
    return total_error(ErrorSum(pair.chains, pair.reference, standing.end_station, facts.trust))
