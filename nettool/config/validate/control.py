"""The control plane that follows from the configurations: sessions, next hops, ECMP widths.

A session works where both ends know each other, expect each other's AS number and are not shut.
Routes are followed in classes: devices with the same neighbours, over as many sessions, forward
alike, so a fabric of thousands of switches has a few dozen classes.
Sources: RFC 4271 sections 8 and 9; RFC 7938 section 5.2; sonic-buildimage 086b03bd
dockers/docker-fpm-frr peer-group.conf.j2 (allowas-in) and bgpd.main.conf.j2 (maximum-paths).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from nettool.config.validate.addresses import Placed, host_numbers
from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.sessions import (
    Mode,
    Neighbor,
    agrees,
    mode_of,
    most_paths,
    neighbors,
    own_as_allowed,
    own_asn,
    peer_asn,
    relaxes_paths,
)
from nettool.config.validate.tables import Config

Number = tuple[int, int]
Pairs = Mapping[tuple[str, str], int]


class Session(NamedTuple):
    """A neighbour row whose other end is a device with a file.

    `port` is the port it runs over, None where its address is on no interface here. `is_known` is
    true where the other device has a row for this end, `agrees` where the AS number is right.
    """

    device: str
    neighbor: Neighbor
    other: str
    port: str | None
    is_known: bool
    expected: int | str | None
    agrees: bool

    @property
    def works(self) -> bool:
        """True where this end does all it must; the other end has a row of its own."""
        return self.is_known and self.agrees and not self.neighbor.is_down


class Reach(NamedTuple):
    """Equal-cost paths from one class of devices to another: found, and offered by the cables."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    found: int
    offered: int


def sessions(fabric: FabricConfigs) -> tuple[Session, ...]:
    """Every neighbour row (VRF default) that leads to another device with a file."""
    return fabric.once("sessions", lambda each: tuple(_sessions(each)))


def working(fabric: FabricConfigs) -> Pairs:
    """Sessions that come up by pair of devices, in both directions."""
    return fabric.once("working", _working)


def cabled(fabric: FabricConfigs) -> Pairs:
    """Cables by pair of devices that both speak BGP, in both directions."""
    return fabric.once("cabled", _cabled)


def intended(fabric: FabricConfigs) -> Pairs:
    """As `cabled`; where no cable is known, the sessions meant, working or not."""
    return cabled(fabric) or fabric.once("meant", _meant)


def reaches(fabric: FabricConfigs, leaves: frozenset[str]) -> tuple[Reach, ...]:
    """Paths between leaves by class, in both directions; a class to itself where it has two."""
    routes = _Routes(fabric)
    chosen = [each for each in routes.classes if each[0] in leaves]
    return tuple(found for target in chosen for found in routes.towards(target, chosen))


def _sessions(fabric: FabricConfigs) -> Iterator[Session]:
    mine = {name: _Mine(each) for name, each in fabric.devices.items()}
    owners = {number: name for name, each in mine.items() for number in each.numbers}
    own = {name: own_asn(each) for name, each in fabric.devices.items()}
    heard = {name: _peers(each) for name, each in fabric.devices.items()}
    for name, config in fabric.devices.items():
        if mode_of(config) is Mode.OPERATOR:
            continue
        for each in neighbors(config):
            other = _other_end(fabric, name, each, owners) if each.vrf == "default" else None
            if other is None or other[0] == name:
                continue
            there, port_there = other
            local, port = mine[name].end_of(each)
            is_known = _listens(fabric.devices[there]) or (
                port_there in heard[there] if each.number is None
                else local in heard[there] if local
                else any(number in heard[there] for number in mine[name].numbers)
            )  # fmt: skip
            expected = peer_asn(config, each, own[name])
            right = own[there] is None or agrees(expected, own[there], own[name])
            yield Session(name, each, there, port, is_known, expected, right)


class _Mine:
    """The addresses of one device, and which of them a session of it uses."""

    def __init__(self, config: Config) -> None:
        self.numbers: Mapping[Number, Placed] = host_numbers(config)
        self._by_text = {
            each.text.partition("/")[0]: number for number, each in self.numbers.items()
        }
        self._nets = {
            (each.prefix.version, each.prefix.first, each.prefix.length): each
            for each in self.numbers.values()
            if each.prefix is not None and each.prefix.bits
        }
        self._lengths = sorted({(version, length) for version, _, length in self._nets})

    def end_of(self, neighbor: Neighbor) -> tuple[Number | None, str | None]:
        """Address and port of this end: local_addr, or the interface on the peer's subnet."""
        if neighbor.number is None:
            return None, neighbor.peer
        local = self._by_text.get(neighbor.row.get("local_addr", "")) or neighbor.local
        if local is not None and local in self.numbers:
            return local, self.numbers[local].port
        version, address = neighbor.number
        for kind, length in self._lengths:
            bits = (32 if kind == 4 else 128) - length
            found = self._nets.get((kind, (address >> bits) << bits, length))
            if kind == version and found is not None and found.prefix is not None:
                return (version, found.prefix.address), found.port
        return None, None


def _other_end(
    fabric: FabricConfigs, device: str, neighbor: Neighbor, owners: Mapping[Number, str]
) -> tuple[str, str | None] | None:
    if neighbor.number is not None:
        owner = owners.get(neighbor.number)
        return (owner, None) if owner else None
    return fabric.across.get((device, neighbor.peer))


def _peers(config: Config) -> frozenset[Number | str]:
    if mode_of(config) is Mode.OPERATOR:
        return frozenset()
    rows = neighbors(config)
    return frozenset(each.peer if each.number is None else each.number for each in rows)


def _listens(config: Config) -> bool:
    return "BGP_PEER_RANGE" in config or "BGP_GLOBALS_LISTEN_PREFIX" in config


def _working(fabric: FabricConfigs) -> Pairs:
    ways = _counted(fabric, only_working=True)
    both: dict[tuple[str, str], int] = {}
    for (device, other), count in ways.items():
        back = ways.get((other, device), 0)
        if not back and _listens(fabric.devices[other]):
            back = count
        if back:
            both[device, other] = both[other, device] = min(count, back)
    return both


def _meant(fabric: FabricConfigs) -> Pairs:
    ways = _counted(fabric, only_working=False)
    backs = {(other, device): count for (device, other), count in ways.items()}
    return {pair: max(ways.get(pair, 0), backs.get(pair, 0)) for pair in {**ways, **backs}}


def _counted(fabric: FabricConfigs, *, only_working: bool) -> Counter[tuple[str, str]]:
    """Ports with sessions from a device to another; two families over a port count once."""
    ports = {
        (each.device, each.other, each.port or each.neighbor.peer)
        for each in sessions(fabric)
        if each.works or not only_working
    }
    return Counter((device, other) for device, other, _ in ports)


def _cabled(fabric: FabricConfigs) -> Pairs:
    speakers = {name for name, each in fabric.devices.items() if neighbors(each)}
    pairs = fabric.across.items()
    return Counter((a[0], b[0]) for a, b in pairs if {a[0], b[0]} <= speakers)


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
