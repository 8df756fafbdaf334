"""ECMP between leaves: next hops counted from sessions that work, and from the cables.

Routes are followed in classes: devices with the same neighbours, over as many sessions, forward
alike, so a fabric of thousands of switches has a few dozen classes.
Sources: RFC 4271 section 9; RFC 7938 section 6; sonic-buildimage 086b03bd
dockers/docker-fpm-frr peer-group.conf.j2 (allowas-in) and bgpd.main.conf.j2 (maximum-paths).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from nettool.config.validate.control import intended, working
from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.sessions import most_paths, own_as_allowed, own_asn, relaxes_paths


class Reach(NamedTuple):
    """Equal-cost paths from one class of devices to another: found, and offered by the cables."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    found: int
    offered: int


def reaches(fabric: FabricConfigs, leaves: frozenset[str]) -> tuple[Reach, ...]:
    """Paths between leaves by class, in both directions; a class to itself where it has two."""
    routes = _Routes(fabric)
    chosen = [each for each in routes.classes if each[0] in leaves]
    return tuple(found for target in chosen for found in routes.towards(target, chosen))


@dataclass(frozen=True, slots=True)
class _Class:
    """What devices of one class share: sessions and cables to each neighbouring class."""

    size: int
    asn: int | None
    """None where the members' numbers differ, so that none meets its own."""
    allowed: int
    paths: int
    relaxed: bool
    hops: Mapping[int, tuple[int, int]]


class _Routes:
    """Next hops between classes of devices with the same neighbours."""

    def __init__(self, fabric: FabricConfigs) -> None:
        near = _near(fabric)
        groups: dict[frozenset[tuple[str, int, int]], list[str]] = {}
        for name, hops in near.items():
            groups.setdefault(frozenset((n, *both) for n, both in hops.items()), []).append(name)
        self.classes = tuple(tuple(each) for each in groups.values())
        index = {name: i for i, members in enumerate(self.classes) for name in members}
        self._of = [_class_of(fabric, each, near[each[0]], index) for each in self.classes]
        self._index = index

    def towards(self, target: tuple[str, ...], sources: list[tuple[str, ...]]) -> Iterator[Reach]:
        """Paths from each source class to one member of the target class."""
        goal = self._index[target[0]]
        found = self._widths(goal, cables=False)
        offered = self._widths(goal, cables=True)
        for source in sources:
            start = self._index[source[0]]
            if (start == goal and len(source) == 1) or not offered.get(start):
                continue
            width = min(found.get(start, 0), self._of[start].paths)
            yield Reach(source, target, width, offered[start])

    def _widths(self, goal: int, *, cables: bool) -> dict[int, int]:
        """Equal-cost next hops of each class towards one member of `goal`, level by level."""
        kind, size = int(cables), self._of[goal].size
        width: dict[int, int] = {}
        level: dict[int, tuple[int, ...]] = {-1: ()}
        while level:
            offers: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
            for node, route in level.items():
                each = self._of[goal if node < 0 else node]
                for near, counts in each.hops.items():
                    back = self._of[near].hops[goal if node < 0 else node][kind]
                    hops = back // size if node < 0 else back
                    if hops and near not in width and (node < 0 or counts[kind]):
                        told = self._told(each, near, route)
                        offers.setdefault(near, []).append((hops, told))
            level = {}
            for near, routes in offers.items():
                kept = routes if cables else [r for r in routes if self._accepts(near, r[1])]
                if kept:
                    level[near] = min(kept, key=lambda each: len(each[1]))[1]
                    width[near] = self._total(near, kept, cables=cables)
        return width

    def _accepts(self, node: int, told: tuple[int, ...]) -> bool:
        own = self._of[node]
        return own.asn is None or told.count(own.asn) <= own.allowed

    def _told(self, sender: _Class, receiver: int, route: tuple[int, ...]) -> tuple[int, ...]:
        """The AS numbers that a route has where it arrives; inside one AS none is added."""
        if sender.asn is None or sender.asn == self._of[receiver].asn:
            return route
        return (sender.asn, *route)

    def _total(self, node: int, routes: list[tuple[int, tuple[int, ...]]], *, cables: bool) -> int:
        if cables or self._of[node].relaxed:
            return sum(hops for hops, _ in routes)
        alike: Counter[tuple[int, ...]] = Counter()
        for hops, told in routes:
            alike[told] += hops
        return max(alike.values())


def _near(fabric: FabricConfigs) -> dict[str, dict[str, tuple[int, int]]]:
    """Each speaker's neighbours with working sessions and cables towards them."""
    up, meant = working(fabric), intended(fabric)
    near: dict[str, dict[str, tuple[int, int]]] = {}
    for device, other in {**meant, **up}:
        both = up.get((device, other), 0), meant.get((device, other), 0)
        near.setdefault(device, {})[other] = both
    return near


def _class_of(
    fabric: FabricConfigs,
    members: tuple[str, ...],
    near: Mapping[str, tuple[int, int]],
    index: Mapping[str, int],
) -> _Class:
    configs = [fabric.devices[each] for each in members]
    numbers = {own_asn(each) for each in configs}
    hops: dict[int, tuple[int, int]] = {}
    for other, (up, meant) in near.items():
        known = hops.get(index[other], (0, 0))
        hops[index[other]] = known[0] + up, known[1] + meant
    return _Class(
        size=len(members),
        asn=numbers.pop() if len(numbers) == 1 else None,
        allowed=min(own_as_allowed(each) for each in configs),
        paths=min(most_paths(each) for each in configs),
        relaxed=all(relaxes_paths(each) for each in configs),
        hops=hops,
    )
