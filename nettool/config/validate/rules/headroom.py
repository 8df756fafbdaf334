"""Headroom: for speed and cable, of one port, and the sum of all ports against pool and chip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from nettool.config.validate.platform import Platform
from nettool.config.validate.qos import (
    is_lossless,
    lossless_groups,
    name_in,
    pool_of,
    ports_qos,
    profile_of,
)
from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.spelling import metres_of, number_of
from nettool.config.validate.tables import Config, Row
from nettool.core.finding import Severity

_BYTES_BOTH_WAYS = 2 * 5e-9 * 1e6 / 8
"""Bytes in flight for each Mb/s and metre: 5 ns a metre, there and back."""
_LOOKUP = "sonic-swss buffermgr.cpp; sonic-buildimage 086b03bd device/*/pg_profile_lookup.ini"


@device_rule(
    "BUF005",
    "no headroom is known for this speed and cable",
    Severity.ERROR,
    reads=("DEVICE_METADATA.buffer_model", "PORT", "CABLE_LENGTH", "PORT_QOS_MAP", "BUFFER_PG",
           "BUFFER_PROFILE"),
    port_by_port=True,
    needs=("platform.lookup",),
    why="The switch finds no row in its table and makes no lossless profile: PFC is on and nothing "
    "stands behind it.",
    fix="Use a listed length, or numbers from the vendor for this pair; do not guess.",
    source=_LOOKUP,
)  # fmt: skip
def headroom_is_known(config: Config, context: Context) -> Iterator[Fault]:
    """Ports with PFC, and no lossless group of their own, whose pair is not in the lookup."""
    facts = context.platform
    if facts is None or config.metadata.get("buffer_model") == "dynamic":
        return
    paused = {each.port for each in ports_qos(config) if each.pfc}
    for key, row in config.rows("CABLE_LENGTH").items():
        for port, text in row.items():
            metres, speed = metres_of(text), number_of(config.row("PORT", port).get("speed"))
            if port not in paused or not metres or speed is None:
                continue
            if (speed, metres) not in facts.lookup and not lossless_groups(config, port):
                message = f"{facts.name} has no headroom for {speed} Mb/s with {metres}m on {port}"
                yield Fault("CABLE_LENGTH", key, port, message, _known(facts, speed))


@device_rule(
    "BUF006",
    "the headroom of a port is above what the platform gives one port",
    Severity.ERROR,
    reads=("PORT", "BUFFER_PG", "BUFFER_PROFILE"),
    port_by_port=True,
    needs=("platform.port_headroom",),
    why="The switch refuses the last group that does not fit, and its class is not lossless.",
    fix="Pause fewer priorities, or use shorter cables.",
    source="sonic-swss buffer_check_headroom_mellanox.lua",
)
def port_headroom_fits(config: Config, context: Context) -> Iterator[Fault]:
    """The sizes of a port's lossless groups against the platform's maximum for its speed."""
    facts = context.platform
    for port in config.table("BUFFER_PG").spans if facts else ():
        speed = number_of(config.row("PORT", port).get("speed"))
        most = facts.port_headroom.get(speed) if facts and speed is not None else None
        total = sum(_size(config, port, index) for index in lossless_groups(config, port))
        if most is not None and total > most:
            message = f"lossless groups of {port} take {total} bytes; {most} are there for a port"
            first = next(iter(config.table("BUFFER_PG").spans[port]))
            yield Fault("BUFFER_PG", first, None, message)


@device_rule(
    "BUF007",
    "headroom below what the platform's table asks for",
    Severity.WARNING,
    reads=("PORT", "CABLE_LENGTH", "BUFFER_PG", "BUFFER_PROFILE"),
    port_by_port=True,
    needs=("platform.lookup",),
    why="Packets in flight over the cable do not fit behind the pause and are dropped under load.",
    fix="Use the profile of the port's own speed and cable length.",
    source=_LOOKUP,
)
def headroom_is_enough(config: Config, context: Context) -> Iterator[Fault]:
    """Lossless groups whose xoff is below that of the lookup row of their port."""
    for each in _lossless(config):
        need = _needed(context, each.at)
        if need and each.xoff < need:
            yield each.fault(f"{need} is needed")


@device_rule(
    "BUF012",
    "headroom below what the cable alone holds",
    Severity.ERROR,
    reads=("PORT", "CABLE_LENGTH", "BUFFER_PG", "BUFFER_PROFILE"),
    port_by_port=True,
    why="When the pause leaves, the cable is full of packets, and as many again are sent until it "
    "arrives. They cannot fit, whatever the chip is: the class drops at every pause.",
    fix="Take the xoff of a table or a headroom formula; the cable is the smallest part of it.",
    source="IEEE 802.1Qbb annex O (propagation delay, both ways, 5 ns a metre)",
)
def headroom_holds_the_cable(config: Config, _context: Context) -> Iterator[Fault]:
    """Lossless groups whose xoff is below speed times the round trip of their port's cable."""
    for each in _lossless(config):
        speed, metres = each.at
        held = speed * metres * _BYTES_BOTH_WAYS
        if each.xoff < held:
            yield each.fault(f"{held:.0f} bytes are in flight")


@device_rule(
    "BUF009",
    "a shared headroom smaller than what one group needs",
    Severity.ERROR,
    reads=("BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG"),
    why="Not even one paused group finds room for the packets in flight: they are dropped.",
    fix="Raise xoff of the pool to the largest xoff of its profiles, or more; 0 for dedicated "
    "headroom.",
    source="sonic-net/SONiC doc/qos/shared-headroom-pool-hld.md",
)
def shared_headroom_holds_a_group(config: Config, _context: Context) -> Iterator[Fault]:
    """Pools with an xoff below that of a profile which a priority group uses."""
    used = {name_in(row, "profile") for row in config.rows("BUFFER_PG").values()}
    largest: dict[str, tuple[int, str]] = {}
    for name, row in config.rows("BUFFER_PROFILE").items():
        xoff = number_of(row.get("xoff"))
        if name in used and xoff is not None:
            pool = name_in(row, "pool") or ""
            largest[pool] = max(largest.get(pool, (0, "")), (xoff, name))
    for pool, (need, name) in largest.items():
        shared = number_of(config.row("BUFFER_POOL", pool).get("xoff"))
        if shared and shared < need:
            message = f"xoff {shared} of {pool} cannot hold xoff {need} of one group with {name}"
            yield Fault("BUFFER_POOL", pool, "xoff", message, f"xoff >= {need}")


@device_rule(
    "BUF010",
    "the headroom of all ports does not fit",
    Severity.ERROR,
    reads=("BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG"),
    needs=("platform.buffer",),
    why="The chip refuses the groups that come last, and says so in its log only: their class "
    "drops.",
    fix="Pause fewer priorities, use shorter cables, or give the pool a shared headroom (xoff).",
    source="sonic-net/sonic-buildimage#28657; sonic-swss bufferorch.cpp",
)
def all_headroom_fits(config: Config, context: Context) -> Iterator[Fault]:
    """What all groups of a pool own, with its headroom, against the pool or against the chip.

    Where a pool's size holds its xoff, all must fit the size. Else the groups stand beside the
    arriving pools and their xoff, and all must fit the chip.
    """
    facts = context.platform
    buffer = facts.buffer if facts else None
    for pool, (groups, reserved, headroom) in _sums(config).items() if buffer else ():
        row = config.row("BUFFER_POOL", pool)
        size, shared = number_of(row.get("size")) or 0, number_of(row.get("xoff")) or 0
        own = reserved + (shared or headroom)
        inside = facts is not None and facts.size_includes_xoff is True and size > 0
        beside = 0 if inside or facts is None or facts.size_includes_xoff is None else size
        room, of = (size, pool) if inside else ((buffer or 0) - beside, f"{facts and facts.name}")
        if own > room >= 0:
            what = f"{groups} lossless groups of {pool} take {own} bytes with their headroom"
            yield Fault("BUFFER_POOL", pool, "size", f"{what}; {room} are left in {of}")


@device_rule(
    "BUF011",
    "a lossless group that the switch itself will replace",
    Severity.WARNING,
    reads=("DEVICE_METADATA.buffer_model", "PORT", "CABLE_LENGTH", "PORT_QOS_MAP", "BUFFER_PG"),
    port_by_port=True,
    why="In the traditional buffer model the switch writes the profile of the port's own speed and "
    "cable over any other: the headroom you planned is not what the port gets.",
    fix="Name the profile pg_lossless_<speed>_<cable>_profile and give that row your numbers.",
    source="sonic-swss buffermgr.cpp doSpeedUpdateTask",
)
def groups_are_what_the_switch_makes(config: Config, _context: Context) -> Iterator[Fault]:
    """Groups of pfc_enable whose profile is not the one of the port."""
    model = config.metadata.get("buffer_model")
    if "DEVICE_METADATA" not in config or model == "dynamic":
        return
    for each in ports_qos(config):
        at = _speed_and_cable(config, each.port)
        rows = config.table("BUFFER_PG").by_index.get(each.port, {})
        for key in dict.fromkeys(rows[p] for p in each.pfc if p in rows) if at else ():
            name, own = name_in(config.row("BUFFER_PG", key), "profile"), _own_name(at)
            if name not in (own, "NULL", None):
                message = f"{key} has {name}; the switch will put {own} there"
                yield Fault("BUFFER_PG", key, "profile", message, f"use {own}")


class _Lossless(NamedTuple):
    """A lossless group with its xoff, and its port's Mb/s and metres."""

    key: str
    profile: str
    xoff: int
    at: tuple[int, int]

    def fault(self, said: str) -> Fault:
        """What is said against the xoff, at the speed and cable that it is said for."""
        speed, metres = self.at
        message = f"{self.key} has xoff {self.xoff} by {self.profile}; {said}"
        return Fault("BUFFER_PG", self.key, "profile", f"{message} at {speed} with {metres}m")


def _lossless(config: Config) -> Iterator[_Lossless]:
    """Lossless groups whose xoff, speed and cable are told."""
    for port, spans in config.table("BUFFER_PG").spans.items():
        at = _speed_and_cable(config, port)
        for key, span in spans.items() if at else ():
            profile: Row = (profile_of(config, "BUFFER_PG", port, span[0]) if span else None) or {}
            xoff = number_of(profile.get("xoff"))
            if at and is_lossless(profile) and xoff is not None:
                name = name_in(config.row("BUFFER_PG", key), "profile") or ""
                yield _Lossless(key, name, xoff, at)


def _size(config: Config, port: str, index: int) -> int:
    profile = profile_of(config, "BUFFER_PG", port, index) or {}
    return number_of(profile.get("size")) or 0


def _known(facts: Platform, speed: int) -> str:
    lengths = sorted(metres for each, metres in facts.lookup if each == speed)
    if lengths:
        return f"listed for {speed} are {', '.join(f'{each}m' for each in lengths)}"
    return f"no length is listed for {speed}; ask the vendor for this pair"


def _speed_and_cable(config: Config, port: str) -> tuple[int, int] | None:
    """Mb/s and metres of a port, where both are told and the cable is not 0m."""
    speed = number_of(config.row("PORT", port).get("speed"))
    metres = next(
        (metres_of(row[port]) for row in config.rows("CABLE_LENGTH").values() if port in row), None
    )
    return (speed, metres) if speed and metres else None


def _needed(context: Context, at: tuple[int, int]) -> int | None:
    """The xoff of the platform's row for this speed and cable."""
    row = context.platform.lookup.get(at) if context.platform else None
    return row.xoff if row else None


def _own_name(at: tuple[int, int] | None) -> str:
    speed, metres = at or (0, 0)
    return f"pg_lossless_{speed}_{metres}m_profile"


def _sums(config: Config) -> Mapping[str, tuple[int, int, int]]:
    """By pool: lossless groups, what they own besides headroom, and their headroom, bytes."""
    groups_of = config.table("BUFFER_PG").by_index.values()
    covered: Counter[str] = Counter()
    for key, count in Counter(chain.from_iterable(map(dict.values, groups_of))).items():
        covered[name_in(config.row("BUFFER_PG", key), "profile") or ""] += count
    sums: dict[str, tuple[int, int, int]] = {}
    for name, count in covered.items():
        profile = config.row("BUFFER_PROFILE", name)
        if not is_lossless(profile):
            continue
        pool, xoff = name_in(profile, "pool") or "", number_of(profile.get("xoff")) or 0
        size = number_of(profile.get("size")) or 0
        shared = number_of(pool_of(config, profile).get("xoff")) or 0
        own = size - xoff if size >= xoff and not shared else size
        groups, reserved, headroom = sums.get(pool, (0, 0, 0))
        sums[pool] = groups + count, reserved + count * own, headroom + count * xoff
    return sums
