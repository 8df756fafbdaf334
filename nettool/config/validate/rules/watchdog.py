"""The PFC watchdog: its times against its poll, and the ports it watches."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.qos import ports_qos
from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.spelling import digits, number_of, ranges
from nettool.config.validate.tables import Config, Row
from nettool.core.finding import Severity

_SOURCE = "sonic-buildimage 086b03bd sonic-pfcwd.yang; sonic-swss pfcwdorch.cpp"
_RANGES = {
    "POLL_INTERVAL": (100, 1_000),
    "detection_time": (100, 5_000),
    "restoration_time": (100, 60_000),
}
_TIMES = ("detection_time", "restoration_time")


@device_rule(
    "WDG001",
    "the watchdog polls less often than it must act",
    Severity.ERROR,
    reads=("PFC_WD",),
    port_by_port=True,
    why="A storm is seen at a poll only: with a longer poll the detection time is never kept, and "
    "the schema refuses the file.",
    fix="Let detection_time and restoration_time be POLL_INTERVAL or more.",
    source=f"{_SOURCE}; sonic-net/sonic-buildimage#27865",
)
def times_are_above_the_poll(config: Config, _context: Context) -> Iterator[Fault]:
    """Rows with a time below POLL_INTERVAL; both times of a port are one finding."""
    poll = number_of(config.row("PFC_WD", "GLOBAL").get("POLL_INTERVAL"))
    for key, row in config.rows("PFC_WD").items() if poll is not None else ():
        times = {each: number_of(row.get(each)) for each in _TIMES}
        short = {name: each for name, each in times.items() if each and poll and each < poll}
        if short:
            first = next(iter(short))
            listed = ", ".join(f"{name} {each} ms" for name, each in short.items())
            message = f"{key}: {listed} below POLL_INTERVAL {poll} ms"
            hint = f">= {poll}, or POLL_INTERVAL <= {min(short.values())}"
            yield Fault("PFC_WD", key, first, message, hint)


@device_rule(
    "WDG002",
    "a port that pauses and is not watched",
    Severity.WARNING,
    reads=("PFC_WD", "PORT_QOS_MAP"),
    port_by_port=True,
    why="One host that pauses without end stops this port, and then the ports that feed it.",
    fix="Add the port to PFC_WD with the times of the others.",
    source=_SOURCE,
)
def paused_ports_are_watched(config: Config, _context: Context) -> Iterator[Fault]:
    """Ports with PFC that PFC_WD lacks, where it watches others."""
    watched = config.rows("PFC_WD").keys() - {"GLOBAL"}
    for each in ports_qos(config) if watched else ():
        if each.pfc and each.port not in watched:
            message = f"{each.port} pauses {ranges(each.pfc)} and has no row in PFC_WD"
            yield Fault("PORT_QOS_MAP", each.port, "pfc_enable", message)


@device_rule(
    "WDG003",
    "the watchdog watches other priorities than those that pause",
    Severity.WARNING,
    reads=("PORT_QOS_MAP",),
    port_by_port=True,
    why="A storm on a priority that is paused and not watched is never ended.",
    fix="Let pfcwd_sw_enable be equal to pfc_enable.",
    source="sonic-swss pfcwdorch.cpp; sonic-buildimage 086b03bd sonic-port-qos-map.yang",
)
def watched_priorities_are_paused(config: Config, _context: Context) -> Iterator[Fault]:
    """Ports whose two lists differ; a list that is not there is no difference."""
    for each in ports_qos(config):
        text = each.row.get("pfcwd_sw_enable")
        watched = digits(text) if isinstance(text, str) else ()
        if watched and each.pfc and set(watched) != set(each.pfc):
            message = f"{each.port} watches {ranges(watched)} and pauses {ranges(each.pfc)}"
            yield Fault("PORT_QOS_MAP", each.port, "pfcwd_sw_enable", message)


@device_rule(
    "WDG004",
    "a watchdog time out of range",
    Severity.ERROR,
    reads=("PFC_WD",),
    port_by_port=True,
    why="The switch refuses the row, and the port is not watched.",
    fix="Use a time of the range given, in milliseconds.",
    source=_SOURCE,
)
def times_are_in_range(config: Config, _context: Context) -> Iterator[Fault]:
    """Times of PFC_WD that are no number or outside the range of their field."""
    for key, row in config.rows("PFC_WD").items():
        for field, (low, high) in _RANGES.items():
            number = number_of(row.get(field))
            if field in row and (number is None or not low <= number <= high):
                message = f"{field} is {row[field]!r}; {low} to {high} ms is expected"
                yield Fault("PFC_WD", key, field, message)


@device_rule(
    "WDG005",
    "a watchdog row without a detection time",
    Severity.ERROR,
    reads=("PFC_WD",),
    port_by_port=True,
    why="The switch refuses the row, and the port is not watched. The other fields may be left "
    "out: the action is then drop.",
    fix="Give the row the detection_time of the other ports.",
    source=_SOURCE,
)
def detection_is_timed(config: Config, _context: Context) -> Iterator[Fault]:
    """Rows of ports that have no detection_time; the schema lets it be left out."""
    for key, row in config.rows("PFC_WD").items():
        if key != "GLOBAL" and "detection_time" not in row:
            message = f"{key} has no detection_time, and is not watched"
            yield Fault("PFC_WD", key, "detection_time", message)


@device_rule(
    "WDG006",
    "a watchdog row whose port names no priority to watch",
    Severity.WARNING,
    reads=("PFC_WD", "PORT_QOS_MAP"),
    port_by_port=True,
    why="The watchdog watches the priorities of pfcwd_sw_enable: without any it is never started "
    "on the port, the switch logs `Failed to start PFC Watchdog` again and again, and a storm is "
    "never ended. Only a database older than 202205 gets the field from pfc_enable, as it is "
    "migrated.",
    fix="Let pfcwd_sw_enable be equal to pfc_enable, or take the port out of PFC_WD.",
    source="sonic-swss pfcwdorch.cpp registerInWdDb, qosorch.cpp handlePortQosMapTable; "
    "sonic-swss#2171; sonic-utilities 691b1bbc scripts/db_migrator.py version_3_0_4",
)
def watched_ports_name_priorities(config: Config, _context: Context) -> Iterator[Fault]:
    """Ports in PFC_WD whose PORT_QOS_MAP row has no pfcwd_sw_enable; rows of old releases have."""
    ports = {each.port: each for each in ports_qos(config)}
    for port in config.rows("PFC_WD") if ports else ():
        each = ports.get(port)
        if port == "GLOBAL":
            continue
        if each is None:
            message = f"{port} is watched and has no row in PORT_QOS_MAP: no priority is watched"
            yield Fault("PFC_WD", port, None, message)
        elif not (each.row.get("pfcwd_sw_enable") or _is_of_old(each.row)):
            paused = f" and pauses {ranges(each.pfc)}" if each.pfc else ""
            message = f"{port} is watched{paused}, and names no priority in pfcwd_sw_enable"
            hint = f'write "{",".join(map(str, each.pfc))}"' if each.pfc else None
            yield Fault("PORT_QOS_MAP", port, "pfcwd_sw_enable", message, hint)


def _is_of_old(row: Row) -> bool:
    """Whether a row refers to maps as releases before 202205 did; such a file is migrated."""
    return any(isinstance(each, str) and each.startswith("[") for each in row.values())
