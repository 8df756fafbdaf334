"""A link's two ends: classes, lanes and negotiation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from nettool.config.validate.ends import Odd, odd_ends, paused, qos_row
from nettool.config.validate.fabric import FabricConfigs, LinkEnd
from nettool.config.validate.qos import (
    DSCP_TO_TC,
    name_in,
)
from nettool.config.validate.rule import Context, Fault, fabric_rule
from nettool.config.validate.spelling import lanes_of, number_of
from nettool.config.validate.tables import Table
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
    said: set[tuple[str, ...]] = set()
    odd = list(odd_ends(fabric, _classing))
    whole = _all_odd(fabric, odd)
    for each in odd:
        here, there = _parts(each)
        differing = sorted({dscp for dscp, _ in here.classes ^ there.classes})
        if not differing:
            continue
        values = dict(here.classes), dict(there.classes)
        pausing = {*here.paused, *there.paused}
        lossless = [d for d in differing if {v.get(d, 0) for v in values} & pausing]
        dscp = (lossless or differing)[0]
        place = _place(each.end, dscp, whole=each.end.end.device in whole)
        if (each.end.end.device, *place) in said:
            continue
        said.add((each.end.end.device, *place))
        one, other = (v.get(dscp, 0) for v in values)
        message = f"DSCP {dscp} is of class {one} here, and of class {other} on {each.other.end}"
        more = f" ({len(differing)} DSCP values differ)" if len(differing) > 1 else ""
        level = None if lossless else Severity.WARNING
        yield Fault(*place, message + more, severity=level, device=each.end.end.device)


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
    why="Over copper an end that negotiates or trains its lanes waits for the other one for ever.",
    fix="Set autoneg and link_training to the same at both ends.",
    source="IEEE 802.3-2022 clauses 72 and 73; sonic-buildimage 086b03bd sonic-port.yang",
)
def negotiation_agrees(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Both settings of two configured ends, where both set them."""
    for field in ("autoneg", "link_training"):
        for each in odd_ends(fabric, partial(_setting, field)):
            message = f"{field} {each.here} here, and {each.there} on {each.other.end}"
            device, port = each.end.place
            yield Fault("PORT", port, field, message, device=device)


def _classing(end: LinkEnd) -> _Classing | None:
    if end.config is None or "PORT_QOS_MAP" not in end.config:
        return None
    name = name_in(qos_row(end), "dscp_to_tc_map")
    if name is None:
        return _Classing(frozenset(), paused(end)) if paused(end) else None
    if name not in end.config.rows(DSCP_TO_TC):
        return None
    classes = end.config.table(DSCP_TO_TC).once(f"classes|{name}", lambda t: _classes(t, name))
    return _Classing(classes, paused(end))


def _classes(table: Table, name: str) -> Classes:
    pairs = ((number_of(d), number_of(tc)) for d, tc in table.rows[name].items())
    return frozenset((d, tc) for d, tc in pairs if d is not None and tc is not None and tc)


def _parts(each: Odd) -> tuple[_Classing, _Classing]:
    none = _Classing(frozenset(), ())
    here = each.here if isinstance(each.here, _Classing) else none
    return here, each.there if isinstance(each.there, _Classing) else none


def _place(end: LinkEnd, dscp: int, *, whole: bool) -> tuple[str, str, str]:
    """The map, where no port of the device is right; else the port's binding."""
    name = name_in(qos_row(end), "dscp_to_tc_map")
    if name and whole:
        return DSCP_TO_TC, name, str(dscp)
    return "PORT_QOS_MAP", end.end.port, "dscp_to_tc_map"


def _all_odd(fabric: FabricConfigs, odd: list[Odd]) -> frozenset[str]:
    """Devices that have no linked end that is right: their map is at fault, not a binding."""
    wrong = {each.end.place for each in odd}
    right = {end.end.device for pair in fabric.inside for end in pair if end.place not in wrong}
    return frozenset(device for device, _ in wrong) - right if odd else frozenset()


def _rate(end: LinkEnd) -> tuple[str, int] | None:
    row = end.row or {}
    lanes = lanes_of(row.get("lanes"))
    return (str(row.get("speed")), len(lanes)) if lanes else None


def _rates(each: Odd) -> tuple[tuple[str, int], tuple[str, int]]:
    return _rate(each.end) or ("", 0), _rate(each.other) or ("", 0)


def _setting(field: str, end: LinkEnd) -> str | None:
    value = (end.row or {}).get(field)
    return value if isinstance(value, str) else None
