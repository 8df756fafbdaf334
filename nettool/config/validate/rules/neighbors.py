"""BGP neighbours of one device: each has an AS number, a way there and something to exchange."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.addresses import (
    INTERFACE_TABLES,
    Prefix,
    host_numbers,
    placed,
)
from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.sessions import (
    Mode,
    Neighbor,
    mode_of,
    neighbors,
    own_asn,
    peer_asn,
)
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

_PORTS = ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE")
_FAMILIES = ("BGP_NEIGHBOR_AF", "BGP_PEER_GROUP_AF")
_GLOBAL = "sonic-buildimage 086b03bd sonic-bgp-global.yang"
_COMMON = "sonic-buildimage 086b03bd sonic-bgp-common.yang"


@device_rule(
    "BGP017",
    "a neighbour without an AS number",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR", "BGP_PEER_GROUP"),
    why="Without remote-as FRR refuses the neighbour: the session is not even tried.",
    fix="Write asn, or peer_type in the unified form, in the row or its peer group.",
    source=f"{_COMMON} (asn, peer_type); RFC 4271 section 4.2",
)
def neighbors_have_a_number(config: Config, _context: Context) -> Iterator[Fault]:
    """Rows with neither asn nor peer_type, in the row or in a peer group that is in the file."""
    if mode_of(config) is Mode.OPERATOR or not config.metadata:
        return
    for each in neighbors(config):
        group = each.row.get("peer_group_name")
        is_elsewhere = group is not None and f"{each.vrf}|{group}" not in config.rows(
            "BGP_PEER_GROUP"
        )
        told = "asn" in each.row or "peer_type" in each.row
        if not told and not is_elsewhere and peer_asn(config, each, 0) is None:
            yield Fault("BGP_NEIGHBOR", each.key, "asn", f"{each.key} has no AS number")


@device_rule(
    "BGP018",
    "a neighbour outside the subnet of its own end",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR", "BGP_PEER_GROUP", "BGP_GLOBALS", *INTERFACE_TABLES),
    why="A session over a link is for a neighbour on that link: the address does not answer, and "
    "an external session may not go further.",
    fix="Write the address that the other end of the link has, or allow ebgp_multihop.",
    source=f"RFC 4271 section 5.1.3; RFC 7938 section 5.2.1; {_COMMON} (ebgp_multihop)",
)
def neighbors_are_on_their_link(config: Config, _context: Context) -> Iterator[Fault]:
    """Neighbours whose local_addr is on a port with a subnet that does not hold them."""
    own = host_numbers(config) if any(each.local for each in neighbors(config)) else {}
    for each in neighbors(config):
        here = own.get(each.local) if each.local is not None else None
        if here is None or here.prefix is None or here.table == "LOOPBACK_INTERFACE":
            continue
        if not _holds(here.prefix, each.number) and not _goes_further(config, each):
            message = f"{each.peer} is not in {here.text}, the subnet of its local_addr"
            yield Fault("BGP_NEIGHBOR", each.key, None, message)


@device_rule(
    "BGP019",
    "a neighbour over a port without an IPv6 link-local address",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR", *_PORTS),
    why="A session by port finds its neighbour by IPv6 router advertisements; without an IPv6 "
    "address the port has none to send.",
    fix='Set ipv6_use_link_local_only of the interface to "enable".',
    source="sonic-buildimage 086b03bd sonic-interface.yang (ipv6_use_link_local_only, default "
    "disable); RFC 5549; RFC 4861",
)
def ports_speak_ipv6(config: Config, _context: Context) -> Iterator[Fault]:
    """Neighbours by port whose interface has neither the setting nor an IPv6 prefix."""
    if mode_of(config) is not Mode.FRRCFGD or not any(each in config for each in _PORTS):
        return
    with_ipv6 = {each.port for each in placed(config, _PORTS)
                 if each.prefix is not None and each.prefix.version == 6}  # fmt: skip
    for each in neighbors(config):
        if each.number is not None or "|" not in each.key or each.peer in with_ipv6:
            continue
        rows = (config.row(table, each.peer) for table in _PORTS)
        if not any(row.get("ipv6_use_link_local_only") == "enable" for row in rows):
            table = _table_of(each.peer)
            message = f"{each.peer} has a neighbour by port and no IPv6 address"
            yield Fault(table, each.peer, "ipv6_use_link_local_only", message)


@device_rule(
    "BGP020",
    "a neighbour with no address family",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR", "BGP_GLOBALS", *_FAMILIES),
    why="With default_ipv4_unicast false a session carries only the families that are switched on "
    "for it: this one comes up and exchanges no route.",
    fix='Add BGP_NEIGHBOR_AF|<vrf>|<neighbour>|ipv4_unicast with admin_status "up".',
    source=f"{_GLOBAL} (default_ipv4_unicast); {_COMMON} (admin_status of a family); RFC 4760",
)
def neighbors_have_a_family(config: Config, _context: Context) -> Iterator[Fault]:
    """Neighbours of a VRF without IPv4 by default that have no family up, nor has their group."""
    if mode_of(config) is not Mode.FRRCFGD:
        return
    bare = {vrf for vrf, row in config.rows("BGP_GLOBALS").items()
            if row.get("default_ipv4_unicast") == "false"}  # fmt: skip
    up = {
        (table, key.rpartition("|")[0])
        for table in (_FAMILIES if bare else ())
        for key, row in config.rows(table).items()
        if row.get("admin_status") in {"up", "true"}
    }
    for each in neighbors(config) if bare else ():
        group = f"{each.vrf}|{each.row.get('peer_group_name')}"
        is_up = (_FAMILIES[0], each.key) in up or (_FAMILIES[1], group) in up
        if each.vrf in bare and "|" in each.key and not is_up:
            yield Fault("BGP_NEIGHBOR", each.key, None, f"{each.key} has no address family up")


@device_rule(
    "BGP021",
    "a neighbour of a peer group that is not there",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR", "BGP_PEER_GROUP"),
    why="FRR refuses the neighbour, and all that the group would have set is missing.",
    fix="Add BGP_PEER_GROUP|<vrf>|<name>, or name one that is there.",
    source="sonic-buildimage 086b03bd sonic-bgp-neighbor.yang (peer_group_name, leafref)",
)
def peer_groups_are_there(config: Config, _context: Context) -> Iterator[Fault]:
    """Names without a group in the neighbour's VRF; a fragment without groups is not held to it."""
    groups = config.rows("BGP_PEER_GROUP")
    if mode_of(config) is not Mode.FRRCFGD or not groups:
        return
    for each in neighbors(config):
        name = each.row.get("peer_group_name")
        if isinstance(name, str) and f"{each.vrf}|{name}" not in groups:
            message = f"{each.key} names {name}, and there is no BGP_PEER_GROUP|{each.vrf}|{name}"
            yield Fault("BGP_NEIGHBOR", each.key, "peer_group_name", message)


def _holds(prefix: Prefix, number: tuple[int, int] | None) -> bool:
    if number is None or number[0] != prefix.version:
        return True
    return prefix.first <= number[1] <= prefix.last


def _goes_further(config: Config, neighbor: Neighbor) -> bool:
    group = config.row("BGP_PEER_GROUP", f"{neighbor.vrf}|{neighbor.row.get('peer_group_name')}")
    rows = (neighbor.row, group)
    own = own_asn(config, neighbor.vrf)
    internal = own is not None and peer_asn(config, neighbor, own) == own
    return internal or any(
        row.get("ebgp_multihop") == "true" or "ebgp_multihop_ttl" in row for row in rows
    )


def _table_of(port: str) -> str:
    kinds = (("PortChannel", "PORTCHANNEL_INTERFACE"), ("Vlan", "VLAN_INTERFACE"))
    return next((table for kind, table in kinds if port.startswith(kind)), "INTERFACE")
