"""BGP over devices: a session has two ends that agree, and every routed cable carries one."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.control import sessions
from nettool.config.validate.fabric import FabricConfigs, LinkEnd, bundles_of
from nettool.config.validate.rule import Context, Fault, fabric_rule
from nettool.config.validate.sessions import Mode, mode_of, neighbors, own_asn
from nettool.config.validate.tables import Table
from nettool.core.finding import Severity


@fabric_rule(
    "BGP010",
    "a neighbour has another AS number than is expected",
    Severity.ERROR,
    why="The OPEN message is refused (bad peer AS): the session never comes up.",
    fix="Write the AS number that the other end has.",
    source="RFC 4271 section 6.2",
)
def numbers_agree(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Neighbours, by address or by port, whose AS is not that of the device at the other end."""
    for each in sessions(fabric):
        if not each.agrees:
            row, found = each.neighbor, own_asn(fabric.devices[each.other])
            message = f"AS {each.expected} expected of {row.peer}; {each.other} has {found}"
            field = "asn" if "asn" in row.row or "peer_type" not in row.row else "peer_type"
            yield Fault("BGP_NEIGHBOR", row.key, field, message, device=each.device)


@fabric_rule(
    "BGP011",
    "a session has one end only",
    Severity.ERROR,
    why="The other device does not know this neighbour, so the session never comes up.",
    fix="Add the neighbour on the other device, or remove this one.",
    source="RFC 4271 section 8",
)
def sessions_have_two_ends(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Neighbours on a device with a file that has no neighbour at this end's address or port."""
    for each in sessions(fabric):
        if not each.is_known and mode_of(fabric.devices[each.other]) is not Mode.OPERATOR:
            message = f"{each.other} has {each.neighbor.peer}, and no neighbour row for this end"
            key = each.neighbor.key
            yield Fault("BGP_NEIGHBOR", key, None, message, device=each.device)


@fabric_rule(
    "BGP013",
    "a cable between routers without a session",
    Severity.WARNING,
    why="No route uses the cable: its capacity is paid for and idle.",
    fix="Add a neighbour row on both devices, or take the cable out.",
    source="RFC 7938 section 5.2.1 (a single-hop session on every link)",
)
def cables_carry_sessions(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Cables between routed ports of two BGP speakers where neither end has a neighbour row."""
    used = {(each.device, each.port) for each in sessions(fabric)}
    speakers = {name for name, each in fabric.devices.items() if neighbors(each)}
    for a, b in fabric.inside:
        if not {a.end.device, b.end.device} <= speakers or _is_used(a, used) or _is_used(b, used):
            continue
        if not (_is_switched(a) or _is_switched(b)):
            message = f"the cable to {b.end} carries no BGP session"
            routed = a.end.port in (a.config.rows("INTERFACE") if a.config else {})
            table = "INTERFACE" if routed else "PORT"
            yield Fault(table, a.end.port, None, message, device=a.end.device)


def _is_used(end: LinkEnd, used: set[tuple[str, str | None]]) -> bool:
    return end.place in used or (end.end.device, _bundle(end)) in used


def _bundle(end: LinkEnd) -> str | None:
    return bundles_of(end.config).get(end.end.port) if end.config else None


def _is_switched(end: LinkEnd) -> bool:
    if end.config is None or "VLAN_MEMBER" not in end.config:
        return False
    switched = end.config.table("VLAN_MEMBER").once("switched_ports", _switched)
    return end.end.port in switched or _bundle(end) in switched


def _switched(table: Table) -> frozenset[str]:
    return frozenset(key.partition("|")[2] for key in table.rows)
