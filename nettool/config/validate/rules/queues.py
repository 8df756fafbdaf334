"""Lossless queues over a link: headroom and ECN at both ends."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.ends import odd_ends, paused, qos_row
from nettool.config.validate.fabric import FabricConfigs, LinkEnd
from nettool.config.validate.qos import TC_TO_QUEUE, lossless_groups, mapped, name_in
from nettool.config.validate.rule import Context, Fault, fabric_rule
from nettool.config.validate.spelling import ranges
from nettool.config.validate.tables import Config, Row
from nettool.core.finding import Severity


@fabric_rule(
    "LNK008",
    "the ends of a link keep headroom for different priorities",
    Severity.WARNING,
    why="An end without headroom for a priority that it pauses drops what is in flight; the "
    "dynamic buffer model makes none by itself.",
    fix="Give both ends the same lossless BUFFER_PG rows.",
    source="sonic-net/sonic-buildimage#23354; sonic-swss buffermgr.cpp, buffermgrdyn.cpp",
)
def headroom_agrees(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """A port that pauses as its neighbour does and has no lossless group, on a device that has.

    An error in the dynamic buffer model; the traditional one may make the rows itself.
    """
    for each in odd_ends(fabric, _headroom):
        for end, other, here, there in ((each.end, each.other, each.here, each.there),
                                        (each.other, each.end, each.there, each.here)):  # fmt: skip
            if here or not there or paused(end) != paused(other) or not paused(end):
                continue
            groups = ranges(paused(end))
            message = f"PG {groups} holds headroom on {other.end}, and none does here"
            dynamic = end.config and end.config.metadata.get("buffer_model") == "dynamic"
            level = Severity.ERROR if dynamic else None
            key = f"{end.end.port}|{groups}"
            yield Fault("BUFFER_PG", key, None, message, None, level, end.end.device)


@fabric_rule(
    "LNK009",
    "one end of a link marks ECN, the other does not",
    Severity.WARNING,
    why="Congestion in the direction that is not marked is told by pause frames alone, so flows "
    "of one pair of hosts slow down on one way only.",
    fix="Bind a WRED profile with ECN to the lossless queue at both ends.",
    source="Zhu et al., DCQCN, SIGCOMM 2015, section 3; sonic-net/sonic-buildimage#21891",
)
def marking_agrees(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Queues of classes paused at both ends, where WRED with ECN is on at one of them only."""
    said: set[tuple[object, ...]] = set()
    for each in odd_ends(fabric, _marking):
        marked, unmarked = each.other, each.end
        both = set(paused(marked)) & set(paused(unmarked))
        lacking = (_set(each.there) - _set(each.here)) & both
        if not lacking:
            marked, unmarked = unmarked, marked
            lacking = (_set(each.here) - _set(each.there)) & both
        if lacking:
            fault = _unmarked(unmarked, marked, min(lacking))
            if (fault.device, fault.table, fault.key) not in said:
                said.add((fault.device, fault.table, fault.key))
                yield fault


def _headroom(end: LinkEnd) -> frozenset[int] | None:
    if end.config is None or not _keeps_headroom(end.config):
        return None
    return lossless_groups(end.config, end.end.port)


def _keeps_headroom(config: Config) -> bool:
    if "BUFFER_PG" not in config:
        return False
    profiles = config.table("BUFFER_PROFILE")
    return config.table("BUFFER_PG").once_with(
        profiles,
        "keeps_headroom",
        lambda _pg, _profiles: any(lossless_groups(config, port) for port in config.rows("PORT")),
    )


def _marking(end: LinkEnd) -> frozenset[int] | None:
    config = end.config
    if config is None or "QUEUE" not in config:
        return None
    tables = (config.tables.get(each) for each in ("PORT_QOS_MAP", TC_TO_QUEUE, "WRED_PROFILE"))
    known = config.table("QUEUE").derived.setdefault(("marking", *tables), {})
    if end.end.port not in known:
        marked = (tc for tc in paused(end) if _marks(config, end, tc))
        known[end.end.port] = frozenset(marked)
    found: frozenset[int] = known[end.end.port]
    return found


def _marks(config: Config, end: LinkEnd, tc: int) -> bool:
    profile = config.rows("WRED_PROFILE").get(name_in(_queue(config, end, tc)[1], "wred_profile")
                                              or "", {})  # fmt: skip
    ecn = str(profile.get("ecn", "ecn_none"))
    return profile.get("wred_green_enable") == "true" and (ecn == "ecn_all" or "green" in ecn)


def _queue(config: Config, end: LinkEnd, tc: int) -> tuple[str, Row]:
    queue = mapped(config, TC_TO_QUEUE, name_in(qos_row(end), "tc_to_queue_map"), tc)
    number = tc if queue is None else queue
    key = config.table("QUEUE").by_index.get(end.end.port, {}).get(number)
    return (key, config.row("QUEUE", key)) if key else (f"{end.end.port}|{number}", {})


def _unmarked(end: LinkEnd, other: LinkEnd, tc: int) -> Fault:
    config = end.config
    key, row = _queue(config, end, tc) if config else (end.end.port, {})
    name = name_in(row, "wred_profile")
    message = f"class {tc} is not marked here, and is on {other.end}"
    profile = config.rows("WRED_PROFILE").get(name or "") if config else None
    if profile is None:
        return Fault("QUEUE", key, "wred_profile", message, device=end.end.device)
    off = profile.get("wred_green_enable") != "true"
    field = "wred_green_enable" if off else "ecn"
    return Fault("WRED_PROFILE", name, field, message, device=end.end.device)


def _set(value: object) -> frozenset[int]:
    return value if isinstance(value, frozenset) else frozenset()
