"""The control plane that follows from the configurations: sessions that come up, and cables.

A session works where both ends know each other, expect each other's AS number and are not shut.
Source: RFC 4271 section 8; RFC 7938 section 5.2.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from nettool.config.validate.addresses import Placed, host_numbers
from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.sessions import (
    Mode,
    Neighbor,
    agrees,
    is_shut,
    mode_of,
    neighbors,
    own_asn,
    peer_asn,
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
    is_shut: bool

    @property
    def works(self) -> bool:
        """True where this end does all it must; the other end has a row of its own."""
        return self.is_known and self.agrees and not self.is_shut


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


def _sessions(fabric: FabricConfigs) -> Iterator[Session]:
    owners = {
        number: name for name, each in fabric.devices.items() for number in host_numbers(each)
    }
    own = {name: own_asn(each) for name, each in fabric.devices.items()}
    heard = {name: _peers(each) for name, each in fabric.devices.items()}
    for name, config in fabric.devices.items():
        if mode_of(config) is Mode.OPERATOR:
            continue
        mine = _Mine(config)
        for each in neighbors(config):
            other = _other_end(fabric, name, each, owners) if each.vrf == "default" else None
            if other is None or other[0] == name:
                continue
            there, port_there = other
            local, port = mine.end_of(each)
            is_known = _listens(fabric.devices[there]) or (
                port_there in heard[there] if each.number is None
                else local in heard[there] if local
                else any(number in heard[there] for number in mine.numbers)
            )  # fmt: skip
            expected = peer_asn(config, each, own[name])
            right = own[there] is None or agrees(expected, own[there], own[name])
            shut = is_shut(config, each)
            yield Session(name, each, there, port, is_known, expected, right, shut)


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
        local = self._by_text.get(str(neighbor.row.get("local_addr"))) or neighbor.local
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
