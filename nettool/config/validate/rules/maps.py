"""QoS maps: DSCP to traffic class, class to queue and priority group, and PFC back to a queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nettool.config.validate.qos import (
    DSCP_TO_TC,
    PFC_TO_QUEUE,
    TC_TO_PG,
    TC_TO_QUEUE,
    PortQos,
    lossless_groups,
    mapped,
    name_in,
    ports_qos,
)
from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.spelling import number_of, ranges
from nettool.config.validate.tables import Config, Row
from nettool.core.finding import Severity

_QOS = "sonic-swss qosorch.cpp; sonic-buildimage 086b03bd files/build_templates/qos_config.j2"
_BUFFERS = ("BUFFER_PG", "BUFFER_PROFILE")
_SCHEDULERS = ("DWRR", "WRR", "STRICT")
_CLASS_MAPS = (("tc_to_queue_map", TC_TO_QUEUE), ("tc_to_pg_map", TC_TO_PG))


@device_rule(
    "MAP001",
    "a traffic class that leads nowhere",
    Severity.WARNING,
    reads=("PORT_QOS_MAP", DSCP_TO_TC, TC_TO_QUEUE, TC_TO_PG),
    port_by_port=True,
    why="A class without an entry falls to queue or priority group 0, with the lossy traffic.",
    fix="Give every class that DSCP leads to a queue and a priority group.",
    source=_QOS,
)
def classes_are_closed(config: Config, _context: Context) -> Iterator[Fault]:
    """Classes of a port's DSCP map that its queue or PG map does not have."""
    said: set[tuple[str, str]] = set()
    for row in _by_maps(config):
        dscp_map = config.row(DSCP_TO_TC, name_in(row, "dscp_to_tc_map") or "")
        used = {tc for text in dscp_map.values() if (tc := number_of(text)) is not None}
        for field, table in _CLASS_MAPS:
            name = name_in(row, field)
            if name is None or name not in config.rows(table) or (table, name) in said:
                continue
            open_classes = [tc for tc in used if str(tc) not in config.row(table, name)]
            if open_classes:
                said.add((table, name))
                message = f"{name} has no entry for class {ranges(open_classes)}, which DSCP uses"
                yield Fault(table, name, None, message)


@device_rule(
    "MAP002",
    "declared lossless traffic lands in a lossy class",
    Severity.ERROR,
    reads=("PORT_QOS_MAP", DSCP_TO_TC),
    port_by_port=True,
    needs=("traffic",),
    why="Its packets are not paused but dropped under congestion, and RDMA falls back to go-back-N "
    "retransmission.",
    fix="Map the DSCP to a class that pfc_enable has, or correct what hosts are said to send.",
    source=f"{_QOS}; RFC 4594; IEEE 802.1Qbb",
)
def lossless_dscp_is_paused(config: Config, context: Context) -> Iterator[Fault]:
    """DSCP declared lossless whose class has no PFC on ports of the same map."""
    users = _users(config, "dscp_to_tc_map")
    for name, enabled in _paused_by_map(config).items():
        for dscp in sorted(context.traffic.lossless if context.traffic else ()):
            tc = mapped(config, DSCP_TO_TC, name, dscp)
            if tc is None or tc not in enabled:
                where = "to no class" if tc is None else f"to class {tc}"
                paused = ranges(enabled) if enabled else "no class"
                message = (
                    f"DSCP {dscp} is declared lossless and maps {where}; PFC is on for {paused} "
                    f"({users[name]})"
                )
                hint = f'map {dscp} to "{min(enabled)}"' if enabled else "set pfc_enable"
                yield Fault(DSCP_TO_TC, name, str(dscp), message, hint)


@device_rule(
    "MAP007",
    "a class with PFC that no DSCP leads to",
    Severity.WARNING,
    reads=("PORT_QOS_MAP", DSCP_TO_TC),
    port_by_port=True,
    why="Nothing is ever sent in the class: what hosts mark for it travels in another one and is "
    "dropped under congestion.",
    fix="Map the DSCP of the hosts' lossless traffic to the class, or leave it out of pfc_enable.",
    source=f"{_QOS}; IEEE 802.1Qbb",
)
def paused_class_is_used(config: Config, _context: Context) -> Iterator[Fault]:
    """Classes of pfc_enable that the ports' own DSCP map never gives."""
    users = _users(config, "dscp_to_tc_map")
    for name, enabled in _paused_by_map(config).items():
        row = config.row(DSCP_TO_TC, name)
        unused = enabled.difference(map(number_of, row.values()))
        if row and unused:
            message = f"no DSCP of {name} leads to class {ranges(unused)}, which has PFC"
            yield Fault(DSCP_TO_TC, name, None, f"{message} ({users[name]})")


@device_rule(
    "MAP003",
    "congestion notifications share a lossless class",
    Severity.WARNING,
    reads=("PORT_QOS_MAP", DSCP_TO_TC),
    port_by_port=True,
    needs=("traffic",),
    why="A notification that waits behind paused data slows the sender down too late.",
    fix="Map the DSCP of notifications to a strict-priority class without PFC.",
    source="Zhu et al., DCQCN, SIGCOMM 2015, section 3",
)
def notifications_are_not_paused(config: Config, context: Context) -> Iterator[Fault]:
    """CNP DSCP in a class of pfc_enable."""
    for name, enabled in _paused_by_map(config).items():
        for dscp in sorted(context.traffic.cnp if context.traffic else ()):
            tc = mapped(config, DSCP_TO_TC, name, dscp)
            if tc in enabled:
                message = f"CNP (DSCP {dscp}) is in lossless class {tc}"
                yield Fault(DSCP_TO_TC, name, str(dscp), message, "use a strict class, such as 6")


@device_rule(
    "MAP004",
    "a class with PFC in a priority group without headroom",
    Severity.ERROR,
    reads=("PORT_QOS_MAP", TC_TO_PG, *_BUFFERS),
    port_by_port=True,
    why="The group never asks the sender to pause, so its packets are dropped.",
    fix="Map the class to the priority group that holds headroom.",
    source=f"{_QOS}; sonic-net/sonic-buildimage PR 11157",
)
def paused_class_has_headroom(config: Config, _context: Context) -> Iterator[Fault]:
    """Classes of pfc_enable that lead to a PG of the port which is lossy."""
    said: set[tuple[str, int]] = set()
    for each in ports_qos(config):
        name = name_in(each.row, "tc_to_pg_map") or ""
        groups = lossless_groups(config, each.port)
        for tc in each.pfc:
            group = mapped(config, TC_TO_PG, name, tc)
            if group is None or not groups or group in groups or (name, tc) in said:
                continue
            # A group of the class's own number is the port's fault, not the map's.
            if group != tc:
                said.add((name, tc))
                message = (
                    f"class {tc} has PFC on {each.port} and goes to PG {group}, which is lossy"
                )
                hint = f'map it to "{tc if tc in groups else min(groups)}"'
                yield Fault(TC_TO_PG, name, str(tc), message, hint)


@device_rule(
    "MAP005",
    "a pause stops another queue than that of its class",
    Severity.ERROR,
    reads=("PORT_QOS_MAP", TC_TO_QUEUE, PFC_TO_QUEUE),
    port_by_port=True,
    why="The neighbour's pause frame halts an innocent queue while the class goes on sending into "
    "a full buffer.",
    fix="Map the priority to the queue that its class uses.",
    source=_QOS,
)
def pause_stops_its_class(config: Config, _context: Context) -> Iterator[Fault]:
    """Priorities of pfc_enable whose two ways to a queue differ."""
    said: set[tuple[str, int]] = set()
    users = _users(config, "pfc_to_queue_map")
    for each in ports_qos(config):
        name = name_in(each.row, "pfc_to_queue_map") or ""
        for priority in each.pfc:
            stopped, used = _queues(config, each, priority)
            if None in {stopped, used} or stopped == used or (name, priority) in said:
                continue
            said.add((name, priority))
            message = (
                f"priority {priority} stops queue {stopped}; class {priority} uses {used} "
                f"({users[name]})"
            )
            yield Fault(PFC_TO_QUEUE, name, str(priority), message, f'map it to "{used}"')


@device_rule(
    "MAP006",
    "a scheduler's type or weight that the switch does not take",
    Severity.ERROR,
    reads=("SCHEDULER",),
    why="The switch drops the row, and the queues bound to it share bandwidth in another way.",
    fix="Use DWRR or WRR with a weight of 1 to 100, or STRICT.",
    source="sonic-buildimage 086b03bd sonic-scheduler.yang; sonic-net/sonic-swss#1152",
)
def schedulers_are_known(config: Config, _context: Context) -> Iterator[Fault]:
    """Types other than DWRR, WRR and STRICT, and weights outside 1 to 100."""
    for key, row in config.rows("SCHEDULER").items():
        kind, weight = row.get("type"), row.get("weight")
        if kind is not None and kind not in _SCHEDULERS:
            message = f"type is {kind!r}; one of {', '.join(_SCHEDULERS)} is expected"
            yield Fault("SCHEDULER", key, "type", message)
        number = number_of(weight)
        if weight is not None and (number is None or not 1 <= number <= 100):
            message = f"weight is {weight!r}; 1 to 100 is expected"
            yield Fault("SCHEDULER", key, "weight", message)


def _by_maps(config: Config) -> Iterable[Row]:
    """One row of PORT_QOS_MAP for each set of class maps that ports have."""
    fields = ("dscp_to_tc_map", *(field for field, _ in _CLASS_MAPS))
    rows = (each.row for each in ports_qos(config))
    return {tuple(name_in(row, field) for field in fields): row for row in rows}.values()


def _users(config: Config, field: str) -> dict[str, str]:
    """By map: which ports name it in this field, the first by name and the rest by number."""
    ports: dict[str, list[str]] = {}
    for each in ports_qos(config):
        name = name_in(each.row, field)
        if name is not None:
            ports.setdefault(name, []).append(each.port)
    return {name: f"map of {_first(used)}" for name, used in ports.items()}


def _first(ports: list[str]) -> str:
    more = len(ports) - 1
    return ports[0] + (f" and {more} more port{'s' if more > 1 else ''}" if more else "")


def _queues(config: Config, port: PortQos, priority: int) -> tuple[int | None, int | None]:
    stopped = mapped(config, PFC_TO_QUEUE, name_in(port.row, "pfc_to_queue_map"), priority)
    return stopped, mapped(config, TC_TO_QUEUE, name_in(port.row, "tc_to_queue_map"), priority)


def _paused_by_map(config: Config) -> dict[str, frozenset[int]]:
    paused: dict[str, frozenset[int]] = {}
    for each in ports_qos(config):
        name = name_in(each.row, "dscp_to_tc_map")
        if name is not None and name in config.rows(DSCP_TO_TC):
            paused[name] = paused.get(name, frozenset()) | set(each.pfc)
    return paused
