"""Clock messages among the traffic classes."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.qos import DSCP_TO_TC, mapped, name_in, ports_qos
from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity
from nettool.plan.timing.profiles import DSCP


@device_rule(
    "TIM030",
    "clock messages share a lossless class",
    Severity.WARNING,
    reads=("PORT_QOS_MAP", DSCP_TO_TC),
    why="A clock message that waits behind paused data measures the pause: the offset it gives is "
    "off by half of the wait.",
    fix="Map DSCP 56 (CS7), or what PTP is marked with, to a strict class without PFC.",
    source="IEEE 802.1Qbb; RFC 2474; linuxptp ptp4l(8) manual, dscp_event",
)
def clock_messages_are_not_paused(config: Config, _context: Context) -> Iterator[Fault]:
    """DSCP 56 in a class that pfc_enable of a port of the same map has."""
    said: set[str] = set()
    for each in ports_qos(config):
        name = name_in(each.row, "dscp_to_tc_map")
        tc = mapped(config, DSCP_TO_TC, name, DSCP)
        if name is None or name in said or tc not in each.pfc:
            continue
        said.add(name)
        message = f"DSCP {DSCP}, which PTP over UDP is marked with, maps to lossless class {tc}"
        yield Fault(
            DSCP_TO_TC, name, str(DSCP), message, f"map {DSCP} to a strict class, such as 7"
        )
