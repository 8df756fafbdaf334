"""PFC: which priorities pause, and whether there is a lossless buffer behind each."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.qos import is_lossless, lossless_groups, ports_qos, profile_of
from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.spelling import digits, metres_of, ranges
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

_MODEL = "sonic-buildimage 086b03bd sonic-port-qos-map.yang"


@device_rule(
    "PFC001",
    "a priority list that is odd or empty",
    Severity.ERROR,
    reads=("PORT_QOS_MAP",),
    port_by_port=True,
    why="The switch reads priorities 0 to 7 with commas between; anything else is dropped, and the "
    "port sends no pause.",
    fix='Write the priorities with commas: "3,4"; leave the field out for none.',
    source=f"{_MODEL}; sonic-utilities PR 796",
)
def priorities_are_a_list(config: Config, _context: Context) -> Iterator[Fault]:
    """pfc_enable and pfcwd_sw_enable that are no list, repeat one, or (a warning) are empty."""
    for each in ports_qos(config):
        for field in ("pfc_enable", "pfcwd_sw_enable"):
            text = each.row.get(field)
            found = digits(text) if isinstance(text, str) else ()
            if text == "":
                message = f"{field} of {each.port} is empty: no priority pauses"
                yield Fault("PORT_QOS_MAP", each.port, field, message, severity=Severity.WARNING)
            elif text is not None and (not found or max(found) > 7):
                message = f"{field} is {text!r}; priorities with commas are expected"
                yield Fault("PORT_QOS_MAP", each.port, field, message, 'write them as "3,4"')
            elif len(set(found)) != len(found):
                message = f"{field} of {each.port} is {text!r}: a priority stands twice"
                yield Fault("PORT_QOS_MAP", each.port, field, message)


@device_rule(
    "PFC002",
    "a paused priority without a lossless priority group",
    Severity.ERROR,
    reads=("DEVICE_METADATA.buffer_model", "PORT_QOS_MAP", "CABLE_LENGTH", "BUFFER_PG",
           "BUFFER_PROFILE"),
    port_by_port=True,
    why="Without headroom the packets in flight after a pause are dropped: the class pauses and "
    "still loses.",
    fix="Take the priority out of pfc_enable, or give its priority group a profile with xoff; in "
    "the traditional buffer model a cable length does as well.",
    source="IEEE 802.1Qbb; sonic-swss bufferorch.cpp, buffermgr.cpp",
)  # fmt: skip
def priorities_have_headroom(config: Config, _context: Context) -> Iterator[Fault]:
    """Ports whose lossless groups lack some of pfc_enable, or that have none and get none.

    In the traditional model the switch makes the groups of a port that has a cable length.
    """
    made = _made_for(config)
    for each in ports_qos(config):
        groups = lossless_groups(config, each.port)
        if each.pfc and not groups and made is not None and each.port not in made:
            message = (
                f"priorities {ranges(each.pfc)} of {each.port} pause and have no lossless buffer "
                "profile; without a cable length the switch makes none"
            )
            hint = "give its length in CABLE_LENGTH"
            yield Fault("PORT_QOS_MAP", each.port, "pfc_enable", message, hint)
        bare = sorted(set(each.pfc) - groups)
        if groups and bare:
            message = (
                f"priorities {ranges(bare)} of {each.port} pause and have no lossless buffer "
                f"profile; PG {ranges(groups)} have"
            )
            kept = ",".join(str(p) for p in each.pfc if p in groups)
            yield Fault("PORT_QOS_MAP", each.port, "pfc_enable", message, f'set "{kept}"')


@device_rule(
    "PFC003",
    "more paused priorities than the platform can serve",
    Severity.WARNING,
    reads=("PORT_QOS_MAP",),
    port_by_port=True,
    needs=("platform.max_lossless_priorities",),
    why="Headroom for further lossless priorities is not there, or taken from the shared buffer.",
    fix="Pause the priorities of RDMA alone.",
    source="sonic-buildimage 086b03bd files/build_templates/qos_config.j2 (two lossless classes)",
)
def priorities_are_few(config: Config, context: Context) -> Iterator[Fault]:
    """Ports whose pfc_enable has more priorities than the platform's facts allow."""
    most = context.platform.max_lossless_priorities if context.platform else None
    for each in ports_qos(config):
        if most is not None and len(each.pfc) > most:
            message = f"{len(each.pfc)} priorities pause on {each.port}; the platform allows {most}"
            yield Fault("PORT_QOS_MAP", each.port, "pfc_enable", message)


@device_rule(
    "PFC005",
    "a pausing port without a map from PFC priority to priority group",
    Severity.WARNING,
    reads=("PORT_QOS_MAP",),
    port_by_port=True,
    needs=("platform.pfc_to_pg_map_needed",),
    why="On this family of chips the group that fills does not tell the priority to pause; without "
    "the map a pause may go out for another priority.",
    fix="Add PFC_PRIORITY_TO_PRIORITY_GROUP_MAP for the lossless priorities and name it in "
    "pfc_to_pg_map.",
    source="sonic-buildimage 086b03bd files/build_templates/qos_config.j2 "
    "(pfc_to_pg_map_supported_asics)",
)
def groups_are_told_their_priority(config: Config, _context: Context) -> Iterator[Fault]:
    """Ports of pfc_enable whose row names no pfc_to_pg_map."""
    for each in ports_qos(config):
        if each.pfc and "pfc_to_pg_map" not in each.row:
            message = f"{each.port} pauses and has no pfc_to_pg_map"
            yield Fault("PORT_QOS_MAP", each.port, "pfc_to_pg_map", message)


@device_rule(
    "PFC004",
    "headroom that nothing pauses for",
    Severity.WARNING,
    reads=("PORT_QOS_MAP", "BUFFER_PG", "BUFFER_PROFILE"),
    port_by_port=True,
    why="The group drops like a lossy one, and its headroom is lost to the other ports.",
    fix="Add the priority to pfc_enable, or give the group a lossy profile.",
    source="IEEE 802.1Qbb",
)
def headroom_is_used(config: Config, _context: Context) -> Iterator[Fault]:
    """Lossless groups of ports whose pfc_enable lacks all priorities of the row, or is not there.

    A pfc_enable that is no list is another rule's.
    """
    ports = {each.port: each for each in ports_qos(config)}
    for port, spans in config.table("BUFFER_PG").spans.items() if ports else ():
        own = ports.get(port)
        if own is not None and not own.pfc and own.row.get("pfc_enable"):
            continue
        for key, span in spans.items():
            profile = profile_of(config, "BUFFER_PG", port, span[0]) if span else None
            if profile is None or not is_lossless(profile) or (own and {*own.pfc} & {*span}):
                continue
            lacks = f"pfc_enable of {port} has none of it"
            if own is None:
                lacks = f"{port} has no row in PORT_QOS_MAP"
            yield Fault("BUFFER_PG", key, None, f"{key} holds headroom, and {lacks}")


@device_rule(
    "PFC006",
    "a port that is up and left out of PORT_QOS_MAP",
    Severity.WARNING,
    reads=("PORT", "PORT_QOS_MAP"),
    why="Without its row the port pauses nothing and puts all traffic into one class: RDMA over it "
    "is dropped under congestion.",
    fix="Add the row that the other ports of its kind have, or shut the port.",
    source=f"{_MODEL}; sonic-swss qosorch.cpp",
)
def ports_are_not_left_out(config: Config, _context: Context) -> Iterator[Fault]:
    """Ports without a row, where most that are up have one with PFC, one of their speed too."""
    up = {
        port: row.get("speed")
        for port, row in config.rows("PORT").items()
        if row.get("admin_status") == "up" and row.get("role", "Ext") == "Ext"
    }
    pausing = {each.port for each in ports_qos(config) if each.pfc} & up.keys()
    if 2 * len(pausing) <= len(up):
        return
    speeds = {up[port] for port in pausing}
    for port, speed in up.items():
        if port not in config.rows("PORT_QOS_MAP") and speed in speeds:
            message = (
                f"{port} is up and has no row in PORT_QOS_MAP; {len(pausing)} of {len(up)} ports "
                "that are up pause by theirs"
            )
            yield Fault("PORT", port, None, message)


def _made_for(config: Config) -> frozenset[str] | None:
    """Ports that the switch makes lossless groups for, by their cables; None where unknown."""
    tables = "CABLE_LENGTH" in config or "BUFFER_PG" in config
    if not tables or "DEVICE_METADATA" not in config:
        return None
    if config.metadata.get("buffer_model") == "dynamic":
        return None
    rows = config.rows("CABLE_LENGTH").values()
    return frozenset(port for row in rows for port, text in row.items() if metres_of(text) != 0)
