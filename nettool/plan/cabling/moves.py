"""The fewest moves that turn the cables as seen into the cables as planned.

Seen and planned cables are two matchings of the same ends; where they differ, their union falls
into cycles and chains. A cable that is seen wrong must be moved once and never more, so the
fewest moves are as many as wrong cables; a cycle of k cables is k moves, or k - 1 swaps of plugs.
Where all legs of a split cage are seen at another cage, they are one plug and one move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from nettool.core.order import natural
from nettool.plan.design.fabric import End

Plug = tuple[End, ...]
"""One plug: the ends of its legs in order; most have one."""
Matching = Mapping[Plug, Plug]


@dataclass(frozen=True, slots=True)
class Move:
    """Take the plug in `taken` (its other end is in `kept`), put it into `put`; None: pull it."""

    kept: Plug
    taken: Plug
    put: Plug | None


@dataclass(frozen=True, slots=True)
class Repair:
    """One cycle or chain and its moves in order; `swaps` is how many swaps of plugs do the same."""

    moves: tuple[Move, ...]
    closed: bool

    @property
    def swaps(self) -> int:
        """A closed cycle of k moves is k - 1 swaps; a chain has free ports and needs no swap."""
        return len(self.moves) - 1 if self.closed else 0


def repairs(
    seen: Mapping[End, End], planned: Mapping[End, End], cages: Sequence[tuple[Plug, Plug]] = ()
) -> tuple[Repair, ...]:
    """The repairs of all differing cables. Both mappings hold every cable from both ends.

    `cages` are the cables with several legs: the plug in the cage, and the far ends of its legs.
    """
    whole = _whole_cages(seen, cages)
    inside = {end for plug in whole for end in plug}
    now = _both({plug: far for plug, (far, _) in whole.items()})
    plan = _both({plug: far for plug, (_, far) in whole.items()})
    for ends, matching in ((seen, now), (planned, plan)):
        for a, b in ends.items():
            if a not in inside and b not in inside:
                matching[(a,)] = (b,)
    wrong = {a: b for a, b in now.items() if plan.get(a) != b}
    stuck = {far for _, far in cages if len(far) > 1}
    stuck |= {(end,) for cage, _ in cages for end in cage}
    return tuple(_repair(path, wrong, stuck) for path in _paths(wrong, plan))


def _both(pairs: Mapping[Plug, Plug]) -> dict[Plug, Plug]:
    return {**pairs, **{b: a for a, b in pairs.items()}}


def _whole_cages(
    seen: Mapping[End, End], cages: Sequence[tuple[Plug, Plug]]
) -> dict[Plug, tuple[Plug, Plug]]:
    """Cages seen with all legs of another, in closed cycles: plug to far ends (seen, planned)."""
    owner = {far: (plug, far) for plug, far in cages}
    found = {}
    for plug, far in cages:
        there = tuple(seen[end] for end in plug if end in seen)
        if there != far and there in owner:
            found[plug] = (there, far)
    while True:
        takers = {there for there, _ in found.values()}
        kept = {
            plug: (there, far)
            for plug, (there, far) in found.items()
            if owner[there][0] in found and far in takers
        }
        if len(kept) == len(found):
            return kept
        found = kept


def _paths(wrong: Matching, plan: Matching) -> Iterator[list[Plug]]:
    """Plugs in order, each with the next seen together or planned together, in turn.

    A cycle ends where it begins and starts with a cable that is seen.
    """
    left = dict.fromkeys(sorted(wrong, key=_order))
    while left:
        start = next(iter(left))
        path = _walk(start, wrong, plan)
        if path[-1] != start and start in plan:
            path = [*reversed(_walk(plan[start], wrong, plan)), *path]
        for plug in path:
            left.pop(plug, None)
        yield path


def _walk(start: Plug, wrong: Matching, plan: Matching) -> list[Plug]:
    path = [start]
    while path[-1] in wrong:
        path.append(wrong[path[-1]])
        if path[-1] not in plan:
            break
        path.append(plan[path[-1]])
        if path[-1] == start:
            break
    return path


def _repair(path: list[Plug], wrong: Matching, stuck: set[Plug]) -> Repair:
    """The moves along a path, in the direction that pulls fewest cables and moves no stuck end."""
    closed = path[0] == path[-1]
    back = path[1::-1] + path[-2:0:-1] if closed else path[::-1]
    ways = [_moves(way, wrong) for way in (path, back)]
    best = min(ways, key=lambda way: _cost(way, stuck))
    return Repair(tuple(best if closed else reversed(best)), closed)


def _moves(path: list[Plug], wrong: Matching) -> list[Move]:
    following: list[Plug | None] = [*path[2:], None]
    return [
        Move(kept, taken, put)
        for (taken, kept), put in zip(pairwise(path), following, strict=True)
        if wrong.get(taken) == kept
    ]


def _cost(moves: Iterable[Move], stuck: set[Plug]) -> tuple[int, int]:
    made = list(moves)
    return sum(each.put is None for each in made), sum(each.taken in stuck for each in made)


def _order(plug: Plug) -> tuple[object, ...]:
    return natural(plug[0].device), natural(plug[0].port)
