"""The cable plan against the configurations: ports, neighbours, subnets and lengths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nettool.config.validate.addresses import Placed, placed
from nettool.config.validate.ends import paused
from nettool.config.validate.fabric import FabricConfigs, LinkEnd, bundles_of, vlans_of
from nettool.config.validate.rule import Context, Fault, fabric_rule
from nettool.config.validate.sessions import neighbors
from nettool.config.validate.spelling import metres_of
from nettool.config.validate.tables import Config, Table
from nettool.core.finding import Severity

_ROUTED = ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE")
_MODEL = "sonic-buildimage 086b03bd"


@fabric_rule(
    "LNK011",
    "the ends of a link are in different subnets",
    Severity.ERROR,
    why="Neither end answers the other: the session over the cable never comes up. Often two "
    "cables are swapped.",
    fix="Give both ends addresses of one subnet, or swap the cables.",
    source="RFC 3021; RFC 7938 section 5.2.1",
)
def subnets_agree(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Addresses of two routed ends, of the port, its bundle or its VLAN, that share no subnet."""
    said: set[tuple[str, str]] = set()
    for a, b in fabric.inside:
        ours, theirs = _addresses(a), _addresses(b)
        if len(ours) == len(theirs) == 1 and _meet(ours[0], theirs[0]):
            continue
        for version in (4, 6):
            mine = [x for x in ours if x.prefix and x.prefix.version == version]
            other = [x for x in theirs if x.prefix and x.prefix.version == version]
            if not mine or not other or any(_meet(x, y) for x in mine for y in other):
                continue
            if _is_expected(other[0], a) and not _is_expected(mine[0], b):
                wrong, right, end, there = mine[0], other[0], a, b
            else:
                wrong, right, end, there = other[0], mine[0], b, a
            if (end.end.device, wrong.key) not in said:
                said.add((end.end.device, wrong.key))
                message = f"{wrong.text} of {end.end.port} here, and {right.text} on {there.end}"
                yield Fault(wrong.table, wrong.key, None, message, device=end.end.device)


@fabric_rule(
    "LNK012",
    "the cable list and DEVICE_NEIGHBOR name different neighbours",
    Severity.WARNING,
    why="One of the two is out of date: checks by LLDP and the QoS templates, which take their "
    "ports from DEVICE_NEIGHBOR, follow the wrong one.",
    fix="Correct the row or the cable list.",
    source=f"{_MODEL} sonic-device_neighbor.yang, files/build_templates/qos_config.j2",
)
def neighbors_are_as_cabled(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Rows that name another device or port, and, for a whole plan, a cable that it lacks."""
    if fabric.inferred:
        return
    cabled: set[tuple[str, str]] = set()
    for _, *ends in fabric.ends:
        for here, there in (ends, ends[::-1]):
            cabled.add(here.place)
            yield from _other_neighbor(here, there)
    for name, config in fabric.devices.items() if fabric.declared.is_plan else ():
        for key, row in config.rows("DEVICE_NEIGHBOR").items():
            port = str(row.get("local_port", key))
            if str(row.get("name")) in fabric.devices and (name, port) not in cabled:
                message = f"{port} leads to {row['name']}, and no cable of the list ends there"
                yield Fault("DEVICE_NEIGHBOR", key, "name", message, device=name)


@fabric_rule(
    "LNK013",
    "a cable ends in a port that is shut",
    Severity.WARNING,
    why="A port is down unless admin_status says up: the link is dark and its capacity is lost.",
    fix='Set admin_status to "up", or take the cable out of the list.',
    source=f"{_MODEL} sonic-port.yang (admin_status, default down); sonic-buildimage#23354",
)
def cabled_ports_are_up(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Ends of cables whose admin_status is not up."""
    for _, *ends in fabric.ends:
        for each in ends:
            if each.row is not None and each.row.get("admin_status") != "up":
                state = each.row.get("admin_status", "not set, which is down")
                message = f"{each.end} is cabled, and its admin_status is {state}"
                device, port = each.place
                yield Fault("PORT", port, "admin_status", message, device=device)


@fabric_rule(
    "LNK014",
    "a port stands in two cables",
    Severity.ERROR,
    why="One port takes one cable: one of the two rows is wrong, and a link is missing.",
    fix="Correct the row; legs of a breakout cable end in ports of their own.",
    source="IEEE 802.3-2022 clause 1 (point-to-point links)",
)
def ports_have_one_cable(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Ports, of devices with a file, that two rows of the cable list name."""
    first: dict[tuple[str, str], int] = {}
    for link, a, b in fabric.ends if not fabric.inferred else ():
        if a.place == b.place:
            message = f"cable {link.number} of the list leads from {a.end} to itself"
            yield Fault("links", str(a.end), None, message)
        for each in (a, b):
            row = first.setdefault(each.place, link.number)
            if row != link.number and each.config is not None:
                message = f"{each.end} stands in cables {row} and {link.number} of the list"
                yield Fault("links", str(each.end), None, message)


@fabric_rule(
    "LNK015",
    "headroom for a shorter cable than there is",
    Severity.ERROR,
    why="Headroom is made for the length in CABLE_LENGTH: on a longer cable more packets are in "
    "flight when a pause arrives, and those are dropped.",
    fix="Set CABLE_LENGTH to the length of the cable or more.",
    source="sonic-swss buffermgr.cpp; IEEE 802.1Q-2022 annex N (headroom grows with the cable)",
)
def lengths_are_as_cabled(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """CABLE_LENGTH of ports that pause below the list's length; a warning where ends differ."""
    for link, a, b in fabric.ends:
        lengths = [_length(a), _length(b)]
        for end, other, own in ((a, b, lengths[0]), (b, a, lengths[1])):
            if own is None or not paused(end):
                continue
            most = max(each for each in (*lengths, link.length) if each is not None)
            if own >= most:
                continue
            told = link.length is not None and own < link.length
            what = "the cable" if told else f"CABLE_LENGTH on {other.end}"
            message = f"{own}m here, and {what} has {link.length if told else most}m"
            level = None if told else Severity.WARNING
            device, port = end.place
            key = _length_key(end)
            yield Fault("CABLE_LENGTH", key, port, message, f'set "{most}m"', level, device)


def _addresses(end: LinkEnd) -> Sequence[Placed]:
    if end.config is None:
        return ()
    tables = end.config.tables
    if "PORTCHANNEL_MEMBER" not in tables and "VLAN_MEMBER" not in tables:
        routed = tables.get("INTERFACE")
        return routed.once("by_port", _by_port).get(end.end.port, ()) if routed else ()
    bundle = bundles_of(end.config).get(end.end.port)
    names = [end.end.port, *([bundle] if bundle else []), *_vlans(end)]
    given = [tables[each] for each in _ROUTED if each in tables]
    found = [table.once("by_port", _by_port).get(name, ()) for table in given for name in names]
    return [each for rows in found for each in rows]


def _by_port(table: Table) -> Mapping[str, tuple[Placed, ...]]:
    found: dict[str, tuple[Placed, ...]] = {}
    for each in placed(Config("", {table.name: table}), (table.name,)):
        if each.prefix and not each.prefix.is_link_local:
            found[each.port] = (*found.get(each.port, ()), each)
    return found


def _vlans(end: LinkEnd) -> list[str]:
    members = vlans_of(end.config) if end.config else {}
    return sorted(vlan for vlan, _ in members.get(end.end.port, ()))


def _meet(a: Placed, b: Placed) -> bool:
    """Whether one of two prefixes holds the other's address: the wider one then does."""
    one, other = a.prefix, b.prefix
    if one is None or other is None or one.version != other.version:
        return False
    bits = (32 if one.version == 4 else 128) - min(one.length, other.length)
    return one.address >> bits == other.address >> bits


def _is_expected(here: Placed, there: LinkEnd) -> bool:
    """True where the other device has a neighbour row for this address."""
    if there.config is None or here.prefix is None:
        return False
    number = here.prefix.version, here.prefix.address
    return any(each.number == number for each in neighbors(there.config))


def _other_neighbor(here: LinkEnd, there: LinkEnd) -> Iterator[Fault]:
    device, port = here.place
    row = here.config.row("DEVICE_NEIGHBOR", port) if here.config else {}
    name, far = (str(row[each]) if each in row else None for each in ("name", "port"))
    if name is not None and name != there.end.device:
        message = f"{port} leads to {name}, and the cable list says {there.end}"
        yield Fault("DEVICE_NEIGHBOR", port, "name", message, device=device)
    elif far != there.end.port and there.config and far in there.config.rows("PORT"):
        message = f"{port} leads to {name}:{far}, and the cable list says {there.end}"
        yield Fault("DEVICE_NEIGHBOR", port, "port", message, device=device)


def _length(end: LinkEnd) -> int | None:
    return _lengths_of(end).get(end.end.port, ("", None))[1]


def _length_key(end: LinkEnd) -> str:
    return _lengths_of(end)[end.end.port][0]


def _lengths_of(end: LinkEnd) -> Mapping[str, tuple[str, int | None]]:
    if end.config is None or "CABLE_LENGTH" not in end.config:
        return {}
    return end.config.table("CABLE_LENGTH").once("lengths_by_port", _lengths)


def _lengths(table: Table) -> Mapping[str, tuple[str, int | None]]:
    return {
        port: (key, metres_of(text))
        for key, row in table.rows.items()
        for port, text in row.items()
    }
