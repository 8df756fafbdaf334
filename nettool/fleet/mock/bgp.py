"""BGP sessions of a mock fleet: up where both ends agree and a link carries them.

What an end agrees to is what its bgpd runs; the addresses and links are the kernel's.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address, ip_interface
from typing import TYPE_CHECKING

from nettool.fleet.mock.frr import interface_addresses
from nettool.fleet.mock.network import port_number

if TYPE_CHECKING:
    from nettool.fleet.mock.frr import Peer
    from nettool.fleet.mock.switch import MockSwitch


@dataclass(frozen=True, slots=True)
class Session:
    """One session as its own switch sees it."""

    neighbor: str
    remote_as: int
    up: bool
    name: str
    prefixes: int


def sessions(switch: MockSwitch) -> list[Session]:
    """Every session that bgpd of a switch has, in order of its address."""
    found = []
    for neighbor, mine in switch.frr.peers.items():
        peer = None if mine.is_shut else _peer(switch, neighbor, mine)
        up = not switch.restarting and peer is not None and _agree(switch, peer, mine.remote_as)
        name = mine.name or (peer.name if peer else "NotAvailable")
        prefixes = len(list(interface_addresses(peer.store.running))) if up and peer else 0
        found.append(Session(neighbor, mine.remote_as, up, name, prefixes))
    return sorted(found, key=lambda each: _order(each.neighbor))


def _peer(switch: MockSwitch, neighbor: str, mine: Peer) -> MockSwitch | None:
    """The switch at the other end, if the link to it is up and it has us for a neighbour too."""
    port = neighbor if neighbor in switch.store.running.get("PORT", {}) else None
    port = port or _port_towards(switch, neighbor, mine)
    far = switch.network.far_end(switch.name, port) if port else None
    if far is None or not switch.network.link_up(switch.name, port or ""):
        return None
    peer = switch.network.switches.get(far[0])
    if peer is None or peer.restarting:
        return None
    theirs = peer.store.running
    if port == neighbor:
        return peer if far[1] in peer.frr.peers else None
    own = interface_addresses(switch.store.running)
    ours = {address.split("/")[0] for _, address in own}
    back = any(each in ours for each in peer.frr.peers)
    has = any(address.split("/")[0] == neighbor for _, address in interface_addresses(theirs))
    return peer if back and has else None


def _port_towards(switch: MockSwitch, neighbor: str, mine: Peer) -> str | None:
    """The port whose subnet holds the neighbour (the address it is bound to must be ours)."""
    try:
        wanted = ip_address(neighbor)
    except ValueError:
        return None
    for name, address in interface_addresses(switch.store.running):
        interface = ip_interface(address)
        if wanted.version == interface.version and wanted in interface.network:
            return name if mine.source in {None, str(interface.ip)} else None
    return None


def _agree(switch: MockSwitch, peer: MockSwitch, remote_as: int) -> bool:
    if remote_as not in {0, peer.frr.asn}:
        return False
    back = {each.remote_as for each in peer.frr.peers.values()}
    return switch.frr.asn in back or 0 in back


def _order(neighbor: str) -> tuple[int, int, str]:
    try:
        address = ip_address(neighbor)
    except ValueError:
        return (9, *port_number(neighbor))
    return (address.version, int(address), "")
