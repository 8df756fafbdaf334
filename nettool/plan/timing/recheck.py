"""Every single failure that changes the clock tree: the tree grown again, the worst pair again.

Failures that cannot matter are left out: of a switch that nobody follows, of a link that no clock
follows, of one of several parallel links. Of failures that are alike (same tiers and depths, same
ways out) one is worked through for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

from nettool.core.provenance import Figure
from nettool.plan.design.fabric import Fabric
from nettool.plan.timing.budget import ErrorSum, total_error
from nettool.plan.timing.facts import ClockFacts
from nettool.plan.timing.timing_plan import FailureCheck
from nettool.plan.timing.tree import (
    NOTHING,
    Adjacency,
    Attached,
    Branch,
    Failure,
    children,
    grow_each,
    in_force,
)
from nettool.plan.timing.worst import extremes

_NAMED = 8
"""Switches whose new parent is named."""


@dataclass(frozen=True)
class Standing:
    """The fabric as it stands: what every failure is compared with."""

    fabric: Fabric
    neighbours: Adjacency
    attached: Attached
    tree: Mapping[str, Branch]
    facts: ClockFacts
    end_station: float
    target: Figure | None


@dataclass(frozen=True, slots=True)
class _Case:
    """One failure to work through: without a grandmaster, or with something out of the graph."""

    said: str
    grandmaster: str = ""
    failure: Failure = NOTHING


def recheck(standing: Standing) -> tuple[FailureCheck, ...]:
    """Each kind of single failure with the tree it leaves, the worst first."""
    alike = Counter[Hashable]()
    first: dict[Hashable, _Case] = {}
    for key, case in _cases(standing):
        alike[key] += 1
        first.setdefault(key, case)
    found = [_check(case, alike[key], standing) for key, case in first.items()]
    return tuple(sorted(found, key=_badness))


def _badness(check: FailureCheck) -> tuple[object, ...]:
    return (-check.cut_off, -float(check.total) if check.total else 0.0, check.failed)


def _check(case: _Case, alike: int, standing: Standing) -> FailureCheck:
    left = {name: at for name, at in standing.attached.items() if name != case.grandmaster}
    tree = in_force(grow_each(standing.neighbours, left, case.failure))
    moved = {
        name: branch.parent
        for name, branch in tree.items()
        if branch.parent != standing.tree[name].parent
    }
    cut = len(standing.tree.keys() - tree.keys() - case.failure.switches)
    worst = extremes(tree, standing.facts.works)
    pair = (worst.pair or worst.same_switch) if worst else None
    total = half = None
    if pair:
        sums = ErrorSum(pair.chains, pair.reference, standing.end_station, standing.facts.trust)
        total, half = total_error(sums), total_error(sums, half=True)
    target = standing.target
    return FailureCheck(
        failed=case.said,
        alike=alike,
        cut_off=cut,
        moved=len(moved),
        parents=dict(list(moved.items())[:_NAMED]),
        clocks=max((each.clocks for each in pair.chains), default=0) if pair else 0,
        total=total,
        total_half=half,
        meets=None if target is None or total is None else float(total) <= float(target),
    )


def _cases(standing: Standing) -> Iterator[tuple[Hashable, _Case]]:
    for name, switches in standing.attached.items():
        yield name, _Case(f"grandmaster {name}", grandmaster=name)
        if len(switches) > 1:
            for switch in switches:
                said = f"link {name} to {switch}"
                yield (
                    said,
                    _Case(said, failure=Failure(links=frozenset({frozenset((name, switch))}))),
                )
    below = children(standing.tree)
    roles = {each.name: (each.network, each.role) for each in standing.fabric.devices}
    ends = {switch for switches in standing.attached.values() for switch in switches}
    cables = _cables(standing.fabric)
    for name, branch in standing.tree.items():
        followers = len(below.get(name, ()))
        if followers:
            alike = (roles[name], branch.hops, followers, _ways(name, standing), name in ends)
            yield alike, _Case(f"switch {name}", failure=Failure(switches=frozenset({name})))
        ends_of_link = frozenset((branch.parent, name))
        if branch.hops > 1 and cables[ends_of_link] == 1:
            key = (roles[name], roles[branch.parent], branch.hops, followers, _ways(name, standing))
            said = f"link {branch.parent} to {name}"
            yield key, _Case(said, failure=Failure(links=frozenset({ends_of_link})))


def _cables(fabric: Fabric) -> Counter[frozenset[str]]:
    known = fabric.by_name
    return Counter(
        frozenset((link.a.device, link.b.device))
        for link in fabric.links
        if link.a.device in known and link.b.device in known
    )


def _ways(name: str, standing: Standing) -> Hashable:
    """How many neighbours a switch has at each depth."""
    tree = standing.tree
    depths = Counter(tree[peer].hops for peer in standing.neighbours[name] if peer in tree)
    return tuple(sorted(depths.items()))
