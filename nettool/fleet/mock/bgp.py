"""BGP sessions of a mock fleet: up where both ends agree and a link carries them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address, ip_interface
from typing import TYPE_CHECKING, Any

from nettool.fleet.mock.network import port_number

if TYPE_CHECKING:
    from nettool.fleet.mock.spec import ConfigDb
    from nettool.fleet.mock.switch import MockSwitch

ADDRESS_TABLES = ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "LOOPBACK_INTERFACE")


@dataclass(frozen=True, slots=True)
class Session:
    """One session as its own switch sees it."""

    neighbor: str
    remote_as: int
    up: bool
    name: str
    prefixes: int


def local_as(config: ConfigDb) -> int:
    """The AS number of a configuration, by either routing mode; 0 where it has none."""
    plain = config.get("DEVICE_METADATA", {}).get("localhost", {}).get("bgp_asn")
    row = config.get("BGP_GLOBALS", {}).get("default", {})
    text = str(row.get("local_asn") or plain or "0")
    return int(text) if text.isdigit() else 0


def router_id(config: ConfigDb) -> str:
    """Router id: configured, else Loopback0's IPv4 address."""
    row = config.get("BGP_GLOBALS", {}).get("default", {})
    if row.get("router_id"):
        return str(row["router_id"])
    for name, address in _addresses(config):
        if name == "Loopback0" and ":" not in address:
            return address.split("/")[0]
    return "0.0.0.0"  # noqa: S104  # what FRR prints without one


def sessions(switch: MockSwitch) -> list[Session]:
    """Every configured session of a switch, in order of its address."""
    config = switch.store.running
    found = []
    for key, row in config.get("BGP_NEIGHBOR", {}).items():
        neighbor = key.split("|")[-1]
        remote_as = _remote_as(config, key, row)
        peer = None if row.get("admin_status") == "down" else _peer(switch, neighbor, row)
        up = not switch.restarting and peer is not None and _agree(switch, peer, remote_as)
        name = str(row.get("name") or (peer.name if peer else "NotAvailable"))
        prefixes = len(list(_addresses(peer.store.running))) if up and peer else 0
        found.append(Session(neighbor, remote_as, up, name, prefixes))
    return sorted(found, key=lambda each: _order(each.neighbor))


def _peer(switch: MockSwitch, neighbor: str, row: dict[str, Any]) -> MockSwitch | None:
    """The switch at the other end, if the link to it is up and it configures us back."""
    port = neighbor if neighbor in switch.store.running.get("PORT", {}) else None
    port = port or _port_towards(switch, neighbor, row)
    far = switch.network.far_end(switch.name, port) if port else None
    if far is None or not switch.network.link_up(switch.name, port or ""):
        return None
    peer = switch.network.switches.get(far[0])
    if peer is None or peer.restarting:
        return None
    theirs = peer.store.running
    if port == neighbor:
        back = far[1] in {key.split("|")[-1] for key in theirs.get("BGP_NEIGHBOR", {})}
        return peer if back else None
    ours = {address.split("/")[0] for _, address in _addresses(switch.store.running)}
    back = any(key.split("|")[-1] in ours for key in theirs.get("BGP_NEIGHBOR", {}))
    has = any(address.split("/")[0] == neighbor for _, address in _addresses(theirs))
    return peer if back and has else None


def _port_towards(switch: MockSwitch, neighbor: str, row: dict[str, Any]) -> str | None:
    """The port whose subnet holds the neighbour (its local_addr must be ours, where given)."""
    try:
        wanted = ip_address(neighbor)
    except ValueError:
        return None
    local = row.get("local_addr")
    for name, address in _addresses(switch.store.running):
        interface = ip_interface(address)
        if wanted.version == interface.version and wanted in interface.network:
            return name if local in {None, str(interface.ip)} else None
    return None


def _agree(switch: MockSwitch, peer: MockSwitch, remote_as: int) -> bool:
    ours, theirs = switch.store.running, peer.store.running
    if remote_as not in {0, local_as(theirs)}:
        return False
    back = {_remote_as(theirs, key, row) for key, row in theirs.get("BGP_NEIGHBOR", {}).items()}
    return local_as(ours) in back or 0 in back


def _remote_as(config: ConfigDb, key: str, row: dict[str, Any]) -> int:
    """The neighbour's AS; 0 where only its kind (external) is configured."""
    text = row.get("asn")
    group = row.get("peer_group_name")
    if text is None and group is not None:
        vrf = key.split("|", maxsplit=1)[0]
        text = config.get("BGP_PEER_GROUP", {}).get(f"{vrf}|{group}", {}).get("asn")
    return int(text) if text is not None and str(text).isdigit() else 0


def _addresses(config: ConfigDb) -> Iterator[tuple[str, str]]:
    for table in ADDRESS_TABLES:
        for key in config.get(table, {}):
            name, _, address = key.partition("|")
            if address:
                yield name, address


def _order(neighbor: str) -> tuple[int, int, str]:
    try:
        address = ip_address(neighbor)
    except ValueError:
        return (9, *port_number(neighbor))
    return (address.version, int(address), "")
