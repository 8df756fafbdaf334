"""QoS of the ports: maps bound to ports, queues with schedulers and marking, PFC."""

from __future__ import annotations

from nettool.config.device.device import DeviceConfig
from nettool.config.device.features.qos import Qos
from nettool.config.nos.dialects.sonic.names import MAP
from nettool.config.nos.dialects.sonic.release import View
from nettool.config.nos.dialects.sonic.views.qos_maps import scheduler, takes_pfc_to_pg
from nettool.core.order import natural
from nettool.core.provenance import Provenance, Traced
from nettool.plan.qos.qos_plan import PortQos, TrafficClass, Wred

_PORT_MAPS = ("dscp_to_tc_map", "pfc_to_queue_map", "tc_to_pg_map", "tc_to_queue_map")
_PFC_WHY = Provenance("traffic classes that the plan makes lossless, as PFC priorities")


def queues(config: DeviceConfig) -> View:
    """PORT_QOS_MAP, QUEUE and WRED_PROFILE."""
    given = config.qos
    if given is None:
        return {"PORT_QOS_MAP": {}, "QUEUE": {}, "WRED_PROFILE": {}}
    ports = sorted(given.switch.ports.items(), key=lambda each: natural(each[0]))
    watched = bool(config.watchdog)
    shared = {
        lossless: _port_map(given, lossless=lossless, watched=watched) for lossless in (True, False)
    }
    bound = {name: shared[port.lossless] for name, port in ports}
    return {
        "PORT_QOS_MAP": {**bound, "global": _global_map()},
        "QUEUE": _queues(given, ports),
        "WRED_PROFILE": {
            each.name: _wred(each)
            for each in sorted(given.switch.wreds, key=lambda w: natural(w.name))
        },
    }


def _port_map(given: Qos, *, lossless: bool, watched: bool) -> dict[str, str | None]:
    priorities = ",".join(map(str, given.plan.lossless_priorities)) if lossless else ""
    text = Traced.of(priorities, _PFC_WHY) if priorities else None
    return {
        **dict.fromkeys(_PORT_MAPS, MAP),
        "pfc_enable": text,
        "pfc_to_pg_map": MAP if text and takes_pfc_to_pg(given) else None,
        "pfcwd_sw_enable": text if watched else None,
    }


def _global_map() -> dict[str, str | None]:
    """The chip's own map, for what arrives on ports without one."""
    absent = (
        "pfc_to_pg_map",
        "pfc_to_queue_map",
        "tc_to_pg_map",
        "tc_to_queue_map",
        "pfc_enable",
        "pfcwd_sw_enable",
    )
    return {**dict.fromkeys(absent), "dscp_to_tc_map": MAP}


def _queues(given: Qos, ports: list[tuple[str, PortQos]]) -> dict[str, dict[str, str | None]]:
    """A row a queue of each port; ports that mark alike hold the same ones."""
    classes = sorted(given.classes, key=lambda each: each.queue)
    alike: dict[str | None, list[tuple[str, dict[str, str | None]]]] = {}
    rows = {}
    for name, port in ports:
        wred = port.wred if port.lossless else None
        if wred not in alike:
            alike[wred] = [(f"|{each.queue}", _queue(each, wred)) for each in classes]
        for queue, row in alike[wred]:
            rows[name + queue] = row
    return rows


def _queue(traffic: TrafficClass, wred: str | None) -> dict[str, str | None]:
    return {"scheduler": scheduler(traffic), "wred_profile": wred if traffic.ecn else None}


def _wred(given: Wred) -> dict[str, str]:
    """Green packets are marked from kmin, all of them from kmax; other colours alike."""
    row = {"ecn": Traced.of("ecn_all", given.kmin.why)}
    for colour in ("green", "red", "yellow"):
        row[f"{colour}_drop_probability"] = given.pmax.text
        row[f"{colour}_max_threshold"] = given.kmax.text
        row[f"{colour}_min_threshold"] = given.kmin.text
        row[f"wred_{colour}_enable"] = Traced.of("true", given.kmin.why)
    return row  # type: ignore[return-value] # a Traced is a str
