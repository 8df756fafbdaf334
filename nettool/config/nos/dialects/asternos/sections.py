"""What AsterNOS is told, section by section, each line from the grammar."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass

from nettool.config.device.device import DeviceConfig
from nettool.config.nos.dialects.asternos.grammar import Line, say, unsaid
from nettool.config.nos.dialects.asternos.roce import PRESET_PRIORITIES
from nettool.core.provenance import Traced


@dataclass(frozen=True, slots=True)
class Section:
    """Lines that belong together, under a title that is written as a comment."""

    title: str
    lines: tuple[Line, ...]


def sections(config: DeviceConfig, release: str) -> Iterator[Section]:
    """The sections of a switch in the order they are entered; empty ones are left out."""
    made = (
        Section("identity", (unsaid("hostname", release),)),
        Section("management port", tuple(_management(config))),
        Section("breakout", tuple(_breakout(config))),
        Section("ports", (unsaid("port_state", release),)),
        Section("loopback", tuple(_loopback(config))),
        Section("priority flow control", tuple(_pfc(config))),
        Section("gateway VLANs", tuple(_vlans(config))),
        Section("links between switches", tuple(_links(config))),
        Section("BGP", tuple(_bgp(config, release))),
        Section("watchdog", (unsaid("watchdog", release),) if config.watchdog else ()),
        Section("hash", (unsaid("hash", release),)),
        Section("time", (unsaid("timing", release),) if config.timing else ()),
        Section("services", tuple(_services(config, release))),
    )
    return (each for each in made if each.lines)


def klish_port(name: str) -> str:
    """The klish name of a port: 0/N for EthernetN (inferred from the vendor's PFC page)."""
    return f"0/{name.removeprefix('Ethernet')}"


def _management(config: DeviceConfig) -> Iterator[Line]:
    yield say("management.view")
    yield say(
        "management.address", 1,
        address=config.management.address, gateway=config.management.gateway,
    )  # fmt: skip


def _breakout(config: DeviceConfig) -> Iterator[Line]:
    split = {slot.parent: slot.mode for slot in config.ports.layout.slots if slot.subport}
    for parent, mode in split.items():
        yield say("breakout.view", port=klish_port(parent))
        yield say("breakout.mode", 1, mode=Traced.of(mode, config.ports.layout_why))


def _loopback(config: DeviceConfig) -> Iterator[Line]:
    yield say("loopback.view")
    address = config.loopback.address
    yield say("loopback.address", 1, address=Traced.of(f"{address}/32", address.why))


def _pfc(config: DeviceConfig) -> Iterator[Line]:
    if config.qos is None:
        return
    plan = config.qos.plan
    why = plan.map_why["pfc_to_queue"]
    for priority in plan.lossless_priorities:
        yield say("pfc.enable", queue=Traced.of(plan.pfc_to_queue[priority], why))
    for priority in PRESET_PRIORITIES:
        if priority not in plan.lossless_priorities:
            yield say("pfc.disable", queue=Traced.of(priority, why))


def _vlans(config: DeviceConfig) -> Iterator[Line]:
    for gateway in config.interfaces.gateways:
        vlan = Traced.of(gateway.vlan, gateway.why)
        yield say("vlan.create", vlan=vlan)
        yield say("vlan.view", vlan=vlan)
        yield say("vlan.address", 1, address=Traced.of(gateway.address, gateway.why))
        for port in gateway.ports:
            yield say("port.view", port=klish_port(port))
            yield say("port.vlan", 1, vlan=vlan)


def _links(config: DeviceConfig) -> Iterator[Line]:
    for port, neighbor in config.interfaces.routed:
        if neighbor.address:
            yield say("port.view", port=klish_port(port))
            address = Traced.of(f"{neighbor.address}/31", config.interfaces.why)
            yield say("port.address", 1, address=address)


def _bgp(config: DeviceConfig, release: str) -> Iterator[Line]:
    bgp = config.routing
    if bgp is None:
        return
    if bgp.unnumbered:
        yield unsaid("unnumbered", release)
        return
    links = config.interfaces.why
    yield say("bgp.view", asn=bgp.asn.text)
    yield say("bgp.router_id", 1, address=config.loopback.address)
    yield say("bgp.policy", 1)
    for faced in (each for _, each in bgp.sessions if each.peer_address):
        peer = Traced.of(faced.peer_address, links)
        yield say("bgp.neighbor", 1, address=peer, asn=Traced.of(faced.peer_asn, bgp.asn.why))
    yield say("bgp.family", 1)
    address = config.loopback.address
    yield say("bgp.network", 2, prefix=Traced.of(f"{address}/32", address.why))
    for gateway in config.interfaces.gateways:
        prefix = ipaddress.ip_interface(gateway.address).network
        yield say("bgp.network", 2, prefix=Traced.of(prefix, gateway.why))
    yield say("bgp.paths", 2, paths=bgp.paths.text)


def _services(config: DeviceConfig, release: str) -> Iterator[Line]:
    if config.services.ntp:
        yield unsaid("ntp", release)
    if config.services.syslog:
        yield unsaid("syslog", release)
