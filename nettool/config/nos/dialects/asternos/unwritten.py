"""What is intended and no public command line can say, as rows of CONFIG_DB.

A diff or a push of lines cannot see these values, so they stand in a file of their own
(unwritten.json) and are told of. `preset` are the tables for which the Easy RoCE preset makes
objects of its own, with its own numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

import orjson

from nettool.config.device.device import DeviceConfig
from nettool.config.device.features.qos import Qos
from nettool.config.device.features.timing import Timing
from nettool.config.nos.dialects.asternos.roce import profiles
from nettool.plan.qos.qos_plan import Profile

SCHEMA_VERSION = 1
PRESET = ("BUFFER_PROFILE", "DSCP_TO_TC_MAP", "SCHEDULER", "WRED_PROFILE")
Rows = dict[str, dict[str, str]]


def unwritten_text(config: DeviceConfig, memory: dict[Hashable, Any]) -> str:
    """unwritten.json of one switch; what switches share is said once."""
    is_easy = config.identity.roce != "manual"
    tables = dict(sorted((name, rows) for name, rows in _tables(config, memory) if rows))
    document = {
        "schema_version": SCHEMA_VERSION,
        "unsaid": ["unnumbered"] if config.routing and config.routing.unnumbered else [],
        "preset": [t for t in PRESET if t in tables] if is_easy and profiles(config) else [],
        "tables": tables,
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2).decode() + "\n"


def _tables(config: DeviceConfig, memory: dict[Hashable, Any]) -> Iterator[tuple[str, Rows]]:
    yield "DEVICE_METADATA", {"localhost": _metadata(config)}
    yield "PORT", _once(memory, config.ports, lambda: _ports(config))
    yield from _addresses(config)
    yield "BGP_NEIGHBOR", dict(_sessions(config))
    services = config.services
    yield "NTP_SERVER", {str(each): {} for each in services.ntp}
    yield "SYSLOG_SERVER", {str(each): {} for each in services.syslog}
    yield "LLDP", {"GLOBAL": {"enabled": str(services.lldp).lower()}}
    yield "FLEX_COUNTER_TABLE", {each: {"status": "enable"} for each in services.counters}
    yield "SWITCH_HASH", {"GLOBAL": {"ecmp_hash": ",".join(config.hashing.fields)}}
    if config.watchdog:
        yield "PFC_WD", _once(memory, config.watchdog, lambda: _watchdog(config))
    if config.timing:
        yield "PTP", _timing(config.timing)
    if config.qos:
        yield from _once(memory, config.qos, lambda: dict(_qos(config, config.qos))).items()


def _once(memory: dict[Hashable, Any], part: Hashable, make: Callable[[], Any]) -> Any:
    """What a part says that equal switches hold as one instance."""
    key = ("asternos", "unwritten", part)
    if key not in memory:
        memory[key] = make()
    return memory[key]


def _metadata(config: DeviceConfig) -> dict[str, str]:
    routing = config.routing
    asn = str(routing.asn.text) if routing and routing.unnumbered else None
    return _said(hostname=config.name, timezone=config.services.timezone, bgp_asn=asn)


def _ports(config: DeviceConfig) -> Rows:
    mtu = config.ports.mtu.text
    return {
        slot.name: _said(
            admin_status="up" if slot.name in config.ports.cabled else "down",
            fec=slot.fec,
            mtu=mtu,
            speed=slot.speed,
        )
        for slot in config.ports
    }


def _addresses(config: DeviceConfig) -> Iterator[tuple[str, Rows]]:
    """IPv6 and link-local interfaces: lines are known for IPv4 alone."""
    six = config.loopback.address6
    yield "LOOPBACK_INTERFACE", {f"Loopback0|{six}/128": {}} if six else {}
    local = bool(config.routing and config.routing.unnumbered)
    links: Rows = {}
    for port, faced in config.interfaces.routed:
        if local:
            links[port] = {"ipv6_use_link_local_only": "enable"}
        if faced.address6:
            links[f"{port}|{faced.address6}/127"] = {}
    yield "INTERFACE", links
    gateways = config.interfaces.gateways
    yield "VLAN_INTERFACE", {f"Vlan{e.vlan}|{e.address6}": {} for e in gateways if e.address6}


def _sessions(config: DeviceConfig) -> Iterator[tuple[str, dict[str, str]]]:
    if config.routing is None:
        return
    for port, faced in config.routing.sessions:
        asn = {"asn": str(faced.peer_asn)}
        if config.routing.unnumbered:
            yield port, asn
        elif faced.peer_address6:
            yield faced.peer_address6, asn


def _watchdog(config: DeviceConfig) -> Rows:
    given = config.watchdog
    if given is None:
        return {}
    row = _said(
        action=given.action,
        detection_time=given.detection.text,
        restoration_time=given.restoration.text,
    )
    return {"GLOBAL": {"POLL_INTERVAL": given.poll.text}, **dict.fromkeys(given.ports, row)}


def _timing(timing: Timing) -> Rows:
    plan, clock = timing.plan, timing.clock
    row = _said(
        profile=plan.profile, domain=plan.domain, transport=plan.transport, delay=plan.delay,
        kind=clock.kind, synce=str(plan.synce).lower(),
    )  # fmt: skip
    return {"GLOBAL": row, **{each.port: _said(role=each.role) for each in clock.ports}}


def _qos(config: DeviceConfig, qos: Qos | None) -> Iterator[tuple[str, Rows]]:
    """Pools and what no policy names; where the preset is used, all numbers of the plan."""
    if qos is None:
        return
    switch = qos.switch
    yield "BUFFER_POOL", {p.name: _said(size=p.size.text, xoff=_text(p.xoff)) for p in switch.pools}
    said = {port.lossless_profile for port in switch.ports.values() if port.lossless}
    if config.identity.roce == "manual":
        rest = {p.name: _profile(p) for p in switch.profiles if p.name not in said}
        part = {p.name: _said(xon=_text(p.xon)) for p in switch.profiles if p.name in said}
        yield "BUFFER_PROFILE", {**rest, **part}
        return
    yield "BUFFER_PROFILE", {p.name: _profile(p) for p in switch.profiles}
    yield "WRED_PROFILE", {
        w.name: _said(
            green_min_threshold=w.kmin.text, green_max_threshold=w.kmax.text,
            green_drop_probability=w.pmax.text,
        )
        for w in switch.wreds
    }  # fmt: skip
    yield "DSCP_TO_TC_MAP", {"AZURE": {str(d): str(t) for d, t in qos.plan.dscp_to_tc.items()}}
    yield (
        "SCHEDULER",
        {
            f"scheduler.{each.name}": _said(
                type="DWRR" if each.weight else "STRICT",
                weight=each.weight.text if each.weight else None,
            )
            for each in qos.classes
        },
    )
    ports = [(name, port) for name, port in switch.ports.items() if port.lossless]
    lossless = [each for each in qos.classes if each.lossless]
    marked = [each for each in qos.classes if each.ecn]
    yield (
        "BUFFER_PG",
        {f"{name}|{c.pg}": {"profile": p.lossless_profile} for name, p in ports for c in lossless},
    )
    yield (
        "QUEUE",
        {f"{name}|{c.queue}": {"wred_profile": p.wred} for name, p in ports for c in marked},
    )


def _profile(profile: Profile) -> dict[str, str]:
    return _said(
        pool=profile.pool,
        size=profile.size.text,
        xon=_text(profile.xon),
        xoff=_text(profile.xoff),
        xon_offset=_text(profile.xon_offset),
        dynamic_th=_text(profile.dynamic_th),
        static_th=_text(profile.static_th),
    )


def _text(figure: Any) -> str | None:
    return None if figure is None else str(figure.text)


def _said(**fields: object) -> dict[str, str]:
    """The fields that have a value, as text."""
    return {name: str(value) for name, value in fields.items() if value is not None}
