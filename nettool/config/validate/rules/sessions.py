"""BGP over devices: sessions have two ends that agree, and loopbacks reach each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from nettool.config.validate.addresses import host_numbers, placed
from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.rule import Context, Fault, fabric_rule
from nettool.config.validate.sessions import (
    Mode,
    Neighbor,
    agrees,
    mode_of,
    neighbors,
    own_asn,
    peer_asn,
)
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

Number = tuple[int, int]
Owners = Mapping[Number, str]


@fabric_rule(
    "BGP010",
    "a neighbour has another AS number than is expected",
    Severity.ERROR,
    why="The OPEN message is refused (bad peer AS): the session never comes up.",
    fix="Write the AS number that the other end has.",
    source="RFC 4271 section 6.2",
)
def numbers_agree(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Neighbours whose address is on another device with a file, and whose AS is not that one's."""
    owners = _owners(fabric)
    numbers = {name: own_asn(each) for name, each in fabric.devices.items()}
    for device, config in fabric.devices.items():
        for each in neighbors(config):
            other = owners.get(each.number) if each.number and each.vrf == "default" else None
            if other is None or other == device or numbers[other] is None:
                continue
            expected = peer_asn(config, each, numbers[device])
            if not agrees(expected, numbers[other], numbers[device]):
                message = f"AS {expected} expected of {each.peer}; {other} has {numbers[other]}"
                yield Fault("BGP_NEIGHBOR", each.key, "asn", message, device=device)


@fabric_rule(
    "BGP011",
    "a session has one end only",
    Severity.ERROR,
    why="The other device does not know this neighbour, so the session never comes up.",
    fix="Add the neighbour on the other device, or remove this one.",
    source="RFC 4271 section 8",
)
def sessions_have_two_ends(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Neighbours on a device with a file that has no neighbour at any address of this device."""
    owners = _owners(fabric)
    known = {(device, other) for device, _, other in _between(fabric, owners)}
    for device, each, other in _between(fabric, owners):
        if (other, device) not in known and not _listens(fabric.devices[other]):
            message = f"{other} has {each.peer}, and no neighbour row for {device}"
            yield Fault("BGP_NEIGHBOR", each.key, None, message, device=device)


@fabric_rule(
    "BGP012",
    "a loopback that other devices cannot reach",
    Severity.ERROR,
    why="No chain of sessions that can come up joins the devices, so no route is carried.",
    fix="Mend the sessions reported, or add those that are missing.",
    source="RFC 4271; RFC 7938",
)
def loopbacks_are_reached(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Devices outside the largest set that sessions join; only those with neighbours count."""
    owners = _owners(fabric)
    roots = {name: name for name, each in fabric.devices.items() if neighbors(each)}
    for device, each, other in _between(fabric, owners):
        if other in roots and not each.is_down:
            roots[_root(roots, device)] = _root(roots, other)
    sets = Counter(_root(roots, name) for name in roots)
    if len(sets) < 2:
        return
    largest, size = sets.most_common(1)[0]
    if size == 1:
        return
    for name in roots:
        loopback = next(iter(placed(fabric.devices[name], ("LOOPBACK_INTERFACE",))), None)
        if loopback and _root(roots, name) != largest:
            message = f"no session joins {name} with the {size} other devices: {loopback.text}"
            yield Fault(loopback.table, loopback.key, None, message, device=name)


def _owners(fabric: FabricConfigs) -> Owners:
    return {
        number: device
        for device, config in fabric.devices.items()
        for number in host_numbers(config)
    }


def _between(fabric: FabricConfigs, owners: Owners) -> Iterator[tuple[str, Neighbor, str]]:
    for device, config in fabric.devices.items():
        if mode_of(config) is Mode.OPERATOR:
            continue
        for each in neighbors(config):
            other = owners.get(each.number) if each.number and each.vrf == "default" else None
            if other is not None and other != device:
                yield device, each, other


def _listens(config: Config) -> bool:
    return "BGP_PEER_RANGE" in config or "BGP_GLOBALS_LISTEN_PREFIX" in config


def _root(roots: dict[str, str], name: str) -> str:
    while roots[name] != name:
        roots[name] = roots[roots[name]]
        name = roots[name]
    return name
