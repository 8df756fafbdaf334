"""What two looks at counters prove, and what they do not. Pure.

Only a place that was counted both times, never went back, and whose switch has not started its
services again in between has a verdict; everything else is a doubt, never a pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nettool.core.order import natural

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`grown`: by how much a place counted up. `doubts`: why a place has no verdict."""

    grown: Mapping[str, int]
    doubts: Mapping[str, str]


def compare(
    before: Counts | None,
    now: Counts,
    *,
    must: frozenset[str] = frozenset(),
    only: frozenset[str] | None = None,
    if_any: bool = False,
    restarted: bool = False,
) -> Verdict:
    """The verdict on one kind of counter by place, in natural order.

    `before` None: everything counted is new. `must` are places that have to be counted, `only`
    those that matter (None: all). `if_any`: a place is listed where it has counted something, and
    not elsewhere. `restarted`: the switch's services began again since, and its counters with them.
    """
    old = {} if before is None else _only(before, only)
    new = _only(now, only)
    if if_any:
        new = {**dict.fromkeys(old, 0), **new}
    if before is None or restarted:
        old = dict.fromkeys(new, 0)
    elif if_any:
        old = {**dict.fromkeys(new, 0), **old}
    places = sorted({*new, *must}, key=natural)
    doubts = {place: said for place in places if (said := _doubt(old, new, place))}
    grown = {p: new[p] - old[p] for p in places if p not in doubts and new[p] > old[p]}
    return Verdict(grown, doubts)


def _only(counts: Counts, only: frozenset[str] | None) -> dict[str, int]:
    return {place: n for place, n in counts.items() if only is None or place in only}


def _doubt(old: Counts, new: Counts, place: str) -> str:
    """Why nothing can be concluded for a place; empty where something can."""
    if place not in new:
        return f"was {old[place]} and is not counted any more" if place in old else "is not counted"
    if place not in old:
        return "was not counted before"
    if new[place] < 0 or old[place] < 0:
        return f"is {min(new[place], old[place])}"
    if new[place] < old[place]:
        return f"went from {old[place]} to {new[place]}, reset or wrapped"
    return ""
