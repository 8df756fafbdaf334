"""Which ports carry the links between two tiers of a network that grew under a lock.

Ports are dealt as the lock tells it: a leaf's first links stay on their ports, and what is added
takes the lowest ports that are free. Without growth this is plain arithmetic, which `wiring` does
by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, count, islice
from typing import TypeVar

from nettool.plan.design.addressing import Ledger
from nettool.plan.design.lock import Lock, Outline, Place

_Owner = TypeVar("_Owner")
Held = dict[_Owner, tuple[int, ...]]


@dataclass
class Legs:
    """Indexes of ports by who is at the other end, from 0.

    `up` of a leaf by spine of its pod, `down` of a pod's spines by (block, pod), then by segment
    and lane; `core_up` of a spine by core of its group, `core_down` of a core by pod. `rooms`
    are the ports that a leaf kept for uplinks, one number for each time it kept more.
    """

    up: Held[int] = field(default_factory=dict)
    down: dict[tuple[int, int], Held[tuple[int, int]]] = field(default_factory=dict)
    core_up: Held[int] = field(default_factory=dict)
    core_down: Held[int] = field(default_factory=dict)
    rooms: tuple[int, ...] = ()

    def fit(self, spine_ports: int, spine_uplinks: int, core_ports: int) -> bool:
        """Whether spines and cores have every port that was dealt."""
        below = (ports for held in self.down.values() for ports in held.values())
        return (
            _most(below) <= spine_ports
            and _most(self.core_up.values()) <= spine_uplinks
            and _most(self.core_down.values()) <= core_ports
        )


def legs_of(lock: Lock, network: str, ledger: Ledger) -> Legs | None:
    """The ports of a network's links; None where they were never laid beside others."""
    outlines = lock.outlines(network)
    if not outlines or not outlines[-1].kept:
        return None
    first = max(n for n, each in enumerate(outlines) if not each.kept or n == 0)
    legs = Legs()
    told = next((each for each in outlines[first:] if each.room), outlines[-1])
    for outline in outlines[first:]:
        _grow(legs, network, outline.told_by(told), ledger)
    return legs


def pods_of(outline: Outline) -> Iterator[tuple[range, int]]:
    """Segments of each pod, and the uplinks of its spines."""
    pods = max(1, outline.pods)
    each, more = divmod(outline.segments, pods)
    even = [(each + (n < more), outline.spine_uplinks) for n in range(pods)]
    sizes = [run[1:] for run in outline.pod_fill for _ in range(run[0])] or even
    ends = accumulate(size for size, _ in sizes)
    for end, (size, uplinks) in zip(ends, sizes, strict=True):
        yield range(end - size, end), uplinks


def group_of(outline: Outline) -> int | None:
    """Cores that a spine meets where they split evenly over the spines of a pod, else None."""
    group, rest = divmod(outline.cores, max(1, outline.spines))
    return group if group and not rest and not outline.spine_uplinks % group else None


def _grow(legs: Legs, network: str, outline: Outline, ledger: Ledger) -> None:
    """The ports of one generation: what was there keeps what it still needs."""
    spines = max(1, outline.spines)
    per_pair = outline.uplinks // spines
    legs.up = _dealt(legs.up, dict.fromkeys(range(outline.spines), per_pair))
    if outline.room > max(legs.rooms, default=0):
        legs.rooms = (*legs.rooms, outline.room)
    pods = tuple(pods_of(outline))
    legs.down = {
        (block, pod): _dealt(
            legs.down.get((block, pod), {}),
            dict.fromkeys(_leaves(network, outline, (block, segments), ledger), per_pair),
        )
        for block in range(outline.blocks)
        for pod, (segments, _) in enumerate(pods)
    }
    group = group_of(outline)
    if group:
        legs.core_up = _dealt(
            legs.core_up, dict.fromkeys(range(group), outline.spine_uplinks // group)
        )
        legs.core_down = _dealt(
            legs.core_down, {pod: uplinks // group for pod, (_, uplinks) in enumerate(pods)}
        )


def _leaves(
    network: str, outline: Outline, where: tuple[int, range], ledger: Ledger
) -> list[tuple[int, int]]:
    """Segment and lane of the leaves of one pod, in the order of their numbers."""
    block, segments = where
    numbers = {
        (segment, lane): ledger.first(
            f"number/{network}/leaf", (network, Place("leaf", block, segment, lane))
        )
        for segment in segments
        for lane in range(outline.lanes)
    }
    return sorted(numbers, key=numbers.__getitem__)


def _dealt(held: Mapping[_Owner, tuple[int, ...]], wanted: Mapping[_Owner, int]) -> Held[_Owner]:
    """As many indexes as each owner wants: those that it holds first, then the lowest free."""
    kept = {owner: held.get(owner, ())[:number] for owner, number in wanted.items()}
    used = {index for indexes in kept.values() for index in indexes}
    free = (index for index in count() if index not in used)
    return {
        owner: (*indexes, *islice(free, wanted[owner] - len(indexes)))
        for owner, indexes in kept.items()
    }


def _most(held: Iterable[tuple[int, ...]]) -> int:
    """One more than the highest index."""
    return max((max(each) + 1 for each in held if each), default=0)
