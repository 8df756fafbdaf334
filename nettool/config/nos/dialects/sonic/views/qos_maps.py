"""The fabric's QoS maps, equal on every switch, and schedulers with its network's weights."""

from __future__ import annotations

from collections.abc import Mapping

from nettool.config.device.device import DeviceConfig
from nettool.config.device.features.qos import Qos
from nettool.config.nos.dialects.sonic.names import MAP
from nettool.config.nos.dialects.sonic.release import View, defaults
from nettool.core.provenance import Provenance, Traced
from nettool.plan.qos.qos_plan import TrafficClass

_MAPS = {
    "DSCP_TO_TC_MAP": "dscp_to_tc",
    "MAP_PFC_PRIORITY_TO_QUEUE": "pfc_to_queue",
    "TC_TO_PRIORITY_GROUP_MAP": "tc_to_pg",
    "TC_TO_QUEUE_MAP": "tc_to_queue",
}


def qos_maps(config: DeviceConfig) -> View:
    """DSCP_TO_TC_MAP and what follows from a traffic class, and a scheduler a class."""
    given = config.qos
    if given is None:
        return {**{table: {} for table in _MAPS}, "SCHEDULER": {}}
    classes = sorted(given.classes, key=scheduler)
    maps: View = {table: {MAP: _map(given, name)} for table, name in _MAPS.items()}
    return {**maps, "SCHEDULER": {scheduler(c): _scheduler(c) for c in classes}}


def scheduler(traffic: TrafficClass) -> str:
    """The name of a class's scheduler."""
    return f"scheduler.{traffic.name}"


def _map(given: Qos, name: str) -> dict[str, str]:
    pairs: Mapping[int, int] = getattr(given.plan, name)
    why = given.plan.map_why.get(name) or Provenance("traffic classes of the plan")
    return {str(key): Traced.of(value, why) for key, value in sorted(pairs.items())}


def _scheduler(traffic: TrafficClass) -> dict[str, str | None]:
    kind = "DWRR" if traffic.weight else "STRICT"
    return {
        "meter_type": defaults()["SCHEDULER|meter_type"],
        "type": Traced.of(kind, traffic.why),
        "weight": traffic.weight.text if traffic.weight else None,
    }
