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
PFC_TO_PG = "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"


def qos_maps(config: DeviceConfig) -> View:
    """DSCP_TO_TC_MAP and what follows from a traffic class, and a scheduler a class."""
    given = config.qos
    if given is None:
        return {**{table: {} for table in (*_MAPS, PFC_TO_PG)}, "SCHEDULER": {}}
    classes = sorted(given.classes, key=scheduler)
    maps: View = {table: {MAP: _map(given, name)} for table, name in _MAPS.items()}
    maps[PFC_TO_PG] = {MAP: _groups(given)} if takes_pfc_to_pg(given) else {}
    return {**maps, "SCHEDULER": {scheduler(c): _scheduler(c) for c in classes}}


def takes_pfc_to_pg(given: Qos) -> bool:
    """Whether the switch needs to be told which group a PFC priority pauses."""
    return given.switch.pfc_to_pg and bool(given.plan.lossless_priorities)


def scheduler(traffic: TrafficClass) -> str:
    """The name of a class's scheduler."""
    return f"scheduler.{traffic.name}"


def _map(given: Qos, name: str) -> dict[str, str]:
    pairs: Mapping[int, int] = getattr(given.plan, name)
    why = given.plan.map_why.get(name) or Provenance("traffic classes of the plan")
    return {str(key): Traced.of(value, why) for key, value in sorted(pairs.items())}


def _groups(given: Qos) -> dict[str, str]:
    """PFC priority to group, of the lossless priorities alone, as SONiC's own template has it."""
    why = given.plan.map_why.get("tc_to_pg") or Provenance("traffic classes of the plan")
    pairs = {tc: given.plan.tc_to_pg[tc] for tc in given.plan.lossless_priorities}
    return {str(tc): Traced.of(group, why) for tc, group in pairs.items()}


def _scheduler(traffic: TrafficClass) -> dict[str, str | None]:
    kind = "DWRR" if traffic.weight else "STRICT"
    return {
        "meter_type": defaults()["SCHEDULER|meter_type"],
        "type": Traced.of(kind, traffic.why),
        "weight": traffic.weight.text if traffic.weight else None,
    }
