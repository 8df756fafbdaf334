"""Buffers: pools, profiles, priority groups, queues, profile lists and cable lengths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from nettool.config.device.device import DeviceConfig
from nettool.config.device.features.qos import Qos
from nettool.config.nos.dialects.sonic.names import MAP, ranges
from nettool.config.nos.dialects.sonic.release import View
from nettool.core.order import natural
from nettool.core.provenance import Figure, Traced
from nettool.plan.qos.qos_plan import Pool, PortQos, Profile, SwitchQos

N = TypeVar("N", Pool, Profile)
QUEUES = range(8)
_TABLES = (
    "BUFFER_PG", "BUFFER_POOL", "BUFFER_PORT_EGRESS_PROFILE_LIST",
    "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PROFILE", "BUFFER_QUEUE", "CABLE_LENGTH",
)  # fmt: skip


def buffers(config: DeviceConfig) -> View:
    """All buffer tables in the traditional model.

    The switch makes no lossless profile of its own where a row named
    pg_lossless_<speed>_<cable>_profile stands, so the plan's names are written as they are.
    """
    given = config.qos
    if given is None:
        return {table: {} for table in _TABLES}
    switch = given.switch
    ports = sorted(switch.ports.items(), key=lambda each: natural(each[0]))
    return {
        "BUFFER_PG": _groups(given, ports),
        "BUFFER_POOL": {each.name: _pool(each) for each in _named(switch.pools)},
        "BUFFER_PORT_EGRESS_PROFILE_LIST": _lists(ports, switch.egress_lists),
        "BUFFER_PORT_INGRESS_PROFILE_LIST": _lists(ports, switch.ingress_lists),
        "BUFFER_PROFILE": {each.name: _profile(each) for each in _named(switch.profiles)},
        "BUFFER_QUEUE": _queues(given, ports),
        "CABLE_LENGTH": {MAP: {name: _cable(port) for name, port in ports}},
    }


def _named(given: Iterable[N]) -> list[N]:
    return sorted(given, key=lambda each: natural(each.name))


def _lists(
    ports: list[tuple[str, PortQos]], profiles: tuple[str, ...]
) -> dict[str, dict[str, str]]:
    """The same list on every port; no rows where the plan has none."""
    row = {"profile_list": ",".join(profiles)}
    return {name: row for name, _ in ports} if profiles else {}


def _pool(pool: Pool) -> dict[str, str | None]:
    return {
        "mode": Traced.of(pool.mode, pool.size.why),
        "size": pool.size.text,
        "type": Traced.of(pool.type, pool.size.why),
        "xoff": _text(pool.xoff),
    }


def _profile(profile: Profile) -> dict[str, str | None]:
    return {
        "dynamic_th": _text(profile.dynamic_th),
        "pool": profile.pool,
        "size": profile.size.text,
        "static_th": _text(profile.static_th),
        "xoff": _text(profile.xoff),
        "xon": _text(profile.xon),
        "xon_offset": _text(profile.xon_offset),
    }


def _groups(given: Qos, ports: list[tuple[str, PortQos]]) -> dict[str, dict[str, str]]:
    """Lossless groups as ranges, spelled as the switch spells them from pfc_enable."""
    lossless = tuple(sorted({c.pg for c in given.classes if c.lossless}))
    used = set(given.plan.tc_to_pg.values())
    rows = {}
    alike: dict[tuple[bool, str], list[tuple[str, dict[str, str]]]] = {}
    for name, port in ports:
        key = port.lossless, port.lossless_profile
        if key not in alike:
            kept = lossless if port.lossless else ()
            profiles = dict.fromkeys(ranges(tuple(used - set(kept))), given.switch.lossy_pg_profile)
            profiles |= dict.fromkeys(ranges(kept), port.lossless_profile)
            alike[key] = [(f"|{each}", {"profile": profiles[each]}) for each in sorted(profiles)]
        for group, row in alike[key]:
            rows[name + group] = row
    return rows


def _queues(given: Qos, ports: list[tuple[str, PortQos]]) -> dict[str, dict[str, str]]:
    lossless = tuple(sorted({c.queue for c in given.classes if c.lossless}))
    named = {
        True: _queue_profiles(given.switch, lossless),
        False: _queue_profiles(given.switch, ()),
    }
    return {
        name + queue: row for name, port in ports for queue, row in named[port.lossless].items()
    }


def _queue_profiles(switch: SwitchQos, lossless: tuple[int, ...]) -> dict[str, dict[str, str]]:
    """The rows of one port, by what its key has behind the port."""
    lossy = tuple(each for each in QUEUES if each not in lossless)
    profiles = dict.fromkeys(ranges(lossy), switch.lossy_queue_profile)
    profiles |= dict.fromkeys(ranges(lossless), switch.lossless_queue_profile)
    return {f"|{each}": {"profile": profiles[each]} for each in sorted(profiles)}


def _cable(port: PortQos) -> Traced:
    return Traced.of(f"{int(port.cable)}m", port.cable.why)


def _text(figure: Figure | None) -> Traced | None:
    return figure.text if figure else None
