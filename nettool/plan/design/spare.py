"""Spines that stand nearly empty: the whole shares of a leaf's uplinks ask for more than ports do.

Every leaf has the same whole number of links to each spine. Where its uplinks have no small
divisor (13 at 4:1), whole shares that keep the ratio mean as many spines as uplinks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import floor

from nettool.core.finding import Finding
from nettool.plan.design.cages import SwitchCages
from nettool.plan.design.clos import Clos, ClosRequest, Segment
from nettool.plan.design.network import Network
from nettool.plan.design.notes import warning
from nettool.plan.design.solve import solve

_TOLERATED = 2
"""More than so many times the spines that their ports ask for are told of."""
_WORSE = Fraction(5, 4)
"""A ratio so many times the one asked for is no alternative."""
_MORE_UPLINKS = 6


def spare_spines(network: Network, request: ClosRequest) -> Iterator[Finding]:
    """A network with many more spines than their ports ask for (DSN017), with what would do.

    Silent where the number is given, and where nothing near what is asked for needs fewer.
    """
    clos = network.closes[0]
    least = max(2, clos.spine_minimum)
    if clos.tiers != 2 or request.spines or clos.spines <= least * _TOLERATED:
        return
    ways = [way for way in (_by_number(network, request), _by_ratio(network, request)) if way]
    if not ways:
        return
    parts = len(network.closes)
    each = f"each of {parts} parts has " if parts > 1 else ""
    used, radix = clos.per_pair * clos.leaves, request.spine.most(0, None)
    yield warning(
        "DSN017",
        (*network.path, "spines"),
        f"{network.name}: {each}{clos.spines} spines for {clos.leaves} leaves of {clos.uplinks} "
        f"uplinks, each with {used} of its {radix} ports in use; the ports of {least} would do",
        f"{'; or '.join(ways)}; or `spines: {clos.spines * parts}` to keep them, a failed one then "
        f"takes 1/{clos.spines} of the uplinks. Decide before the first cable is laid",
    )


def _by_number(network: Network, request: ClosRequest) -> str | None:
    """The least number of spines that nearly keeps the ratio."""
    now = network.closes[0]
    for spines in range(max(2, now.spine_minimum), now.spines):
        found = solve(replace(request, spines=spines))
        if isinstance(found, Clos) and found.tiers == 2 and found.leaves == now.leaves:
            reached = _reached(found, request.leaf, network.blocks[0].on_leaf)
            if reached <= request.ratio * _WORSE:
                return _said(f"`spines: {spines * len(network.closes)}` gives", found, reached)
    return None


def _by_ratio(network: Network, request: ClosRequest) -> str | None:
    """A lower ratio whose uplinks go evenly to fewer spines, with as many leaves."""
    now = network.closes[0]
    for uplinks in range(now.uplinks + 1, now.uplinks + _MORE_UPLINKS + 1):
        ratio = Fraction(floor(request.ratio * now.uplinks / uplinks * 10), 10)
        found = solve(replace(request, ratio=ratio)) if ratio >= 1 else None
        if not isinstance(found, Clos) or found.tiers != 2 or found.leaves != now.leaves:
            continue
        if found.spines * _TOLERATED <= now.spines:
            reached = _reached(found, request.leaf, network.blocks[0].on_leaf)
            key = f"`oversubscription: {float(ratio):g}` gives {found.spines} spines and"
            return _said(key, found, reached)
    return None


def _said(gives: str, found: Clos, reached: Fraction) -> str:
    return f"{gives} a leaf {found.uplinks} uplinks, {float(reached):.3g}:1"


def _reached(clos: Clos, leaf: SwitchCages, on_leaf: int) -> Fraction:
    """Down over up capacity of the fullest leaf."""
    return max(_ratio(each, leaf, on_leaf) for each in clos.segments)


def _ratio(segment: Segment, leaf: SwitchCages, on_leaf: int) -> Fraction:
    counts = [0] * len(leaf.down)
    for kind, count in segment.kinds:
        counts[kind] += count * on_leaf
    return Fraction(leaf.capacity(counts), segment.uplinks * leaf.up_speed)
