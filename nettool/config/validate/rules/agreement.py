"""RoCE over a link: both ends class, buffer, mark and break out alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nettool.config.validate.ends import Odd, odd_ends
from nettool.config.validate.fabric import FabricConfigs, LinkEnd
from nettool.config.validate.qos import (
    DSCP_TO_TC,
    TC_TO_QUEUE,
    lossless_groups,
    mapped,
    name_in,
)
from nettool.config.validate.rule import Context, Fault, fabric_rule
from nettool.config.validate.spelling import digits, lanes_of, number_of, ranges
from nettool.config.validate.tables import Config, Row, Table
from nettool.core.finding import Severity
from nettool.core.units import format_speed

Classes = frozenset[tuple[int, int]]
_COPPER = frozenset({"dac", "copper", "twinax"})


class _Classing(NamedTuple):
    """How a port classes packets: DSCP values outside class 0, and the classes that pause."""

    classes: Classes
    paused: tuple[int, ...]


@fabric_rule(
    "LNK007",
    "the ends of a link put a DSCP into different classes",
    Severity.ERROR,
    why="Traffic that is lossless at one end is dropped at the other, and each end pauses another "
    "class than the one its neighbour fills.",
    fix="Bind the same DSCP_TO_TC_MAP at both ends.",
    source="sonic-buildimage 086b03bd files/build_templates/qos_config.j2 (one map for all "
    "ports); RFC 2474 section 3; IEEE 802.1Q-2022 clause 36",
)
def classes_agree(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """DSCP maps bound at both ends; a warning where no class of the difference pauses."""
    said: set[tuple[object, ...]] = set()
    odd = list(odd_ends(fabric, _classing))
    whole = _all_odd(fabric, odd)
    for each in odd:
        here, there = _parts(each)
        values = dict(here.classes), dict(there.classes)
        differing = sorted({dscp for dscp, _ in here.classes ^ there.classes})
        if not differing:
            continue
        lossless = [d for d in differing if {v.get(d, 0) for v in values}
                    & {*here.paused, *there.paused}]  # fmt: skip
        dscp = (lossless or differing)[0]
        device, port = each.end.place
        name = name_in(_qos_row(each.end), "dscp_to_tc_map")
        place = ("PORT_QOS_MAP", port, "dscp_to_tc_map")
        if name and device in whole:
            place = (DSCP_TO_TC, name, str(dscp))
        if (device, *place) in said:
            continue
        said.add((device, *place))
        message = (
            f"DSCP {dscp} is of class {values[0].get(dscp, 0)} here, and of class "
            f"{values[1].get(dscp, 0)} on {each.other.end}"
        )
        more = f" ({len(differing)} DSCP values differ)" if len(differing) > 1 else ""
        level = None if lossless else Severity.WARNING
        yield Fault(*place, message + more, severity=level, device=device)


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
            if here or not there or _paused(end) != _paused(other) or not _paused(end):
                continue
            groups = ranges(_paused(end))
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
        both = set(_paused(marked)) & set(_paused(unmarked))
        lacking = (_set(each.there) - _set(each.here)) & both
        if not lacking:
            marked, unmarked = unmarked, marked
            lacking = (_set(each.here) - _set(each.there)) & both
        if lacking:
            fault = _unmarked(unmarked, marked, min(lacking))
            if (fault.device, fault.table, fault.key) not in said:
                said.add((fault.device, fault.table, fault.key))
                yield fault


@fabric_rule(
    "LNK010",
    "the ends of a link use different numbers of lanes",
    Severity.WARNING,
    why="400G over 8 lanes and over 4 lanes are different signals: without a gearbox in the "
    "optics the link does not come up.",
    fix="Break both cages out alike, or use optics with a gearbox and say so in the cable plan.",
    source="IEEE 802.3bs and 802.3ck (400GBASE over 8 and 4 lanes); sonic-buildimage 086b03bd "
    "portconfig.py",
)
def lanes_agree(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Ends of one speed with other lanes; an error over copper, silent where a gearbox is told."""
    told = {
        (end.device, end.port): link
        for link in fabric.declared.links
        for end in (link.a, link.b)
        if link.geared or link.medium
    }
    for each in odd_ends(fabric, _rate):
        (speed, here), (other_speed, there) = _rates(each)
        link = told.get(each.end.place)
        if speed != other_speed or (link is not None and link.geared):
            continue
        copper = link is not None and (link.medium or "").lower() in _COPPER
        shown = format_speed(number_of(speed) or 0)
        message = f"{shown} over {here} lanes here, and over {there} lanes on {each.other.end}"
        level = Severity.ERROR if copper else None
        device, port = each.end.place
        yield Fault("PORT", port, "lanes", message, None, level, device)


@fabric_rule(
    "LNK016",
    "one end of a link negotiates, the other does not",
    Severity.WARNING,
    why="Over copper an end that negotiates waits for the other one for ever.",
    fix="Set autoneg to the same at both ends.",
    source="IEEE 802.3-2022 clause 73; sonic-buildimage 086b03bd sonic-port.yang",
)
def negotiation_agrees(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Settings of two configured ends, where both set one."""
    for each in odd_ends(fabric, lambda end: _text(end.row, "autoneg")):
        message = f"autoneg {each.here} here, and {each.there} on {each.other.end}"
        device, port = each.end.place
        yield Fault("PORT", port, "autoneg", message, device=device)


def _classing(end: LinkEnd) -> _Classing | None:
    if end.config is None or "PORT_QOS_MAP" not in end.config:
        return None
    name = name_in(_qos_row(end), "dscp_to_tc_map")
    if name is None:
        return _Classing(frozenset(), _paused(end)) if _paused(end) else None
    if name not in end.config.rows(DSCP_TO_TC):
        return None
    classes = end.config.table(DSCP_TO_TC).once(f"classes|{name}", lambda t: _classes(t, name))
    return _Classing(classes, _paused(end))


def _classes(table: Table, name: str) -> Classes:
    pairs = ((number_of(d), number_of(tc)) for d, tc in table.rows[name].items())
    return frozenset((d, tc) for d, tc in pairs if d is not None and tc is not None and tc)


def _parts(each: Odd) -> tuple[_Classing, _Classing]:
    none = _Classing(frozenset(), ())
    here = each.here if isinstance(each.here, _Classing) else none
    return here, each.there if isinstance(each.there, _Classing) else none


def _all_odd(fabric: FabricConfigs, odd: list[Odd]) -> frozenset[str]:
    """Devices that have no linked end that is right: their map is at fault, not a binding."""
    wrong = {each.end.place for each in odd}
    right = {end.end.device for pair in fabric.inside for end in pair if end.place not in wrong}
    return frozenset(device for device, _ in wrong) - right if odd else frozenset()


def _qos_row(end: LinkEnd) -> Row:
    return end.config.row("PORT_QOS_MAP", end.end.port) if end.config else {}


def _paused(end: LinkEnd) -> tuple[int, ...]:
    text = _qos_row(end).get("pfc_enable", "")
    return digits(text) if isinstance(text, str) else ()


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
        marked = (tc for tc in _paused(end) if _marks(config, end, tc))
        known[end.end.port] = frozenset(marked)
    found: frozenset[int] = known[end.end.port]
    return found


def _marks(config: Config, end: LinkEnd, tc: int) -> bool:
    profile = config.rows("WRED_PROFILE").get(name_in(_queue(config, end, tc)[1], "wred_profile")
                                              or "", {})  # fmt: skip
    ecn = str(profile.get("ecn", "ecn_none"))
    return profile.get("wred_green_enable") == "true" and (ecn == "ecn_all" or "green" in ecn)


def _queue(config: Config, end: LinkEnd, tc: int) -> tuple[str, Row]:
    queue = mapped(config, TC_TO_QUEUE, name_in(_qos_row(end), "tc_to_queue_map"), tc)
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


def _rate(end: LinkEnd) -> tuple[str, int] | None:
    row = end.row or {}
    lanes = lanes_of(row.get("lanes"))
    return (str(row.get("speed")), len(lanes)) if lanes else None


def _rates(each: Odd) -> tuple[tuple[str, int], tuple[str, int]]:
    return _rate(each.end) or ("", 0), _rate(each.other) or ("", 0)


def _set(value: object) -> frozenset[int]:
    return value if isinstance(value, frozenset) else frozenset()


def _text(row: Row | None, field: str) -> str | None:
    value = (row or {}).get(field)
    return value if isinstance(value, str) else None
