"""INTERFACE, the VLAN tables, and what stands at the other end of each cable."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.device.device import DeviceConfig
from nettool.config.nos.dialects.sonic.names import device_type
from nettool.config.nos.dialects.sonic.release import View
from nettool.core.order import natural
from nettool.core.provenance import Traced
from nettool.plan.design.fabric import Gateway, Neighbor

Rows = dict[str, dict[str, object]]
_BARE: dict[str, object] = {"ipv6_use_link_local_only": None}
_LINK_LOCAL: dict[str, object] = {"ipv6_use_link_local_only": "enable"}
_UNTAGGED: dict[str, object] = {"tagging_mode": "untagged"}


def interfaces(config: DeviceConfig) -> View:
    """INTERFACE: a base row a routed port, and a row an address where links are numbered."""
    unnumbered = bool(config.routing and config.routing.unnumbered)
    why = config.interfaces.why
    rows: Rows = {}
    for port, faced in sorted(config.interfaces.routed, key=lambda each: natural(each[0])):
        rows[port] = _LINK_LOCAL if unnumbered else _BARE
        for address in _addresses(faced):
            rows[Traced.of(f"{port}|{address}", why)] = _BARE
    return {"INTERFACE": rows}


def _addresses(faced: Neighbor) -> Iterator[str]:
    if faced.address:
        yield f"{faced.address}/31"
    if faced.address6:
        yield f"{faced.address6}/127"


def vlans(config: DeviceConfig) -> View:
    """VLAN, VLAN_MEMBER and VLAN_INTERFACE of the gateways."""
    view: dict[str, Rows] = {"VLAN": {}, "VLAN_INTERFACE": {}, "VLAN_MEMBER": {}}
    mtu = config.ports.mtu.text
    for gateway in config.interfaces.gateways:
        name = f"Vlan{gateway.vlan}"
        view["VLAN"][name] = {"mtu": mtu, "vlanid": Traced.of(gateway.vlan, gateway.why)}
        view["VLAN_INTERFACE"] |= {name: {}, **_gateway_addresses(name, gateway)}
        for port in sorted(gateway.ports, key=natural):
            view["VLAN_MEMBER"][f"{name}|{port}"] = _UNTAGGED
    return view


def _gateway_addresses(name: str, gateway: Gateway) -> Rows:
    given = filter(None, (gateway.address, gateway.address6))
    return {Traced.of(f"{name}|{address}", gateway.why): {} for address in given}


def neighbors(config: DeviceConfig) -> View:
    """DEVICE_NEIGHBOR and DEVICE_NEIGHBOR_METADATA: switches and GPU nodes."""
    faced = config.interfaces.neighbors
    roles = {each.device: each.role for each in faced.values()}
    kinds: dict[str, dict[str, object]] = {
        role: {"type": device_type(role)} for role in set(roles.values())
    }
    ports = sorted(faced, key=natural)
    return {
        "DEVICE_NEIGHBOR": {
            port: {"name": faced[port].device, "port": faced[port].port} for port in ports
        },
        "DEVICE_NEIGHBOR_METADATA": {
            name: kinds[roles[name]] for name in sorted(roles, key=natural)
        },
    }
