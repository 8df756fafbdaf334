"""Buffers: ranges, thresholds, pools against the chip, and headroom for speed and cable."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.platform import Platform
from nettool.config.validate.qos import is_lossless, lossless_groups, pool_of, ports_qos, profile_of
from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.spelling import metres_of, number_of
from nettool.config.validate.tables import Config, Row
from nettool.core.finding import Severity

_ORCH = "sonic-swss bufferorch.cpp"
_LOOKUP = "sonic-swss buffermgr.cpp; sonic-buildimage 086b03bd device/*/pg_profile_lookup.ini"
_RANGES = ("BUFFER_PG", "BUFFER_QUEUE", "QUEUE")


@device_rule(
    "BUF001",
    "ranges of one port overlap or are reversed",
    Severity.ERROR,
    reads=_RANGES,
    why="Which of two rows holds for the index depends on the order they arrive in; a reversed "
    "range covers nothing.",
    fix="Let each index stand in one row of the port, low end first.",
    source=f"{_ORCH}; sonic-swss qosorch.cpp",
)
def ranges_are_apart(config: Config, _context: Context) -> Iterator[Fault]:
    """`Ethernet0|3-4` beside `Ethernet0|4`, and `Ethernet0|4-3`."""
    for name in _RANGES:
        table = config.table(name)
        for port, spans in table.spans.items():
            lengths = [len(span) for span in spans.values()]
            if all(lengths) and sum(lengths) == len(table.by_index[port]):
                continue
            owners: dict[int, str] = {}
            for key, span in spans.items():
                if not span:
                    yield Fault(name, key, None, f"{key} runs from high to low and covers nothing")
                taken = [index for index in span if index in owners]
                if taken:
                    message = f"{key} covers {taken[0]}, which {owners[taken[0]]} covers too"
                    yield Fault(name, key, None, message)
                owners.update(dict.fromkeys(span, key))


@device_rule(
    "BUF002",
    "a buffer profile with two thresholds, or of another kind than its pool",
    Severity.ERROR,
    reads=("BUFFER_PROFILE", "BUFFER_POOL"),
    why="A profile has one threshold mode. With both, the last one read wins; a dynamic threshold "
    "has no meaning in a static pool.",
    fix="Keep dynamic_th for a dynamic pool, static_th for a static one.",
    source=f"{_ORCH}; sonic-buildimage 086b03bd sonic-buffer-profile.yang",
)
def thresholds_are_of_one_kind(config: Config, _context: Context) -> Iterator[Fault]:
    """Both thresholds, or (a warning) dynamic_th in a static pool; static in dynamic is in use."""
    for key, row in config.rows("BUFFER_PROFILE").items():
        if "static_th" in row and "dynamic_th" in row:
            message = f"{key} has static_th and dynamic_th; one of them is expected"
            yield Fault("BUFFER_PROFILE", key, "static_th", message)
        elif "dynamic_th" in row and pool_of(config, row).get("mode") == "static":
            message = f"{key} has dynamic_th, and its pool {row['pool']} is static"
            yield Fault("BUFFER_PROFILE", key, "dynamic_th", message, severity=Severity.WARNING)


@device_rule(
    "BUF003",
    "a pool is larger than the packet buffer",
    Severity.ERROR,
    reads=("BUFFER_POOL",),
    needs=("platform.buffer",),
    why="The chip refuses the pool, and every profile, group and queue behind it is not made.",
    fix="Lower size, or the shared headroom xoff, until both fit with the minimums of the groups.",
    source="sonic-net/sonic-buildimage#28657",
)
def pools_fit_the_chip(config: Config, context: Context) -> Iterator[Fault]:
    """A pool's size, with its shared headroom where the platform counts that apart."""
    facts = context.platform
    if facts is None or facts.buffer is None:
        return
    for key, row in config.rows("BUFFER_POOL").items():
        size, shared = number_of(row.get("size")) or 0, number_of(row.get("xoff")) or 0
        extra = shared if facts.size_includes_xoff is False else 0
        if size + extra > facts.buffer:
            parts = f"size {size} + xoff {extra} = {size + extra}" if extra else f"size {size}"
            message = f"{parts} bytes, above the {facts.buffer} bytes of {facts.name}"
            yield Fault(
                "BUFFER_POOL", key, "size", message, f"size <= {max(facts.buffer - extra, 0)}"
            )


@device_rule(
    "BUF004",
    "a headroom profile whose size cannot hold xon and xoff",
    Severity.ERROR,
    reads=("BUFFER_PROFILE", "BUFFER_POOL"),
    needs=("platform.size_holds_headroom",),
    why="Without a shared headroom pool the size is all the group has: packets in flight after "
    "the pause are dropped.",
    fix="Set size to xon + xoff or more, or give the pool a shared headroom (xoff).",
    source="sonic-swss buffer_headroom_mellanox.lua; sonic-net/sonic-swss PR 4153",
)
def size_holds_headroom(config: Config, _context: Context) -> Iterator[Fault]:
    """Profiles with xoff in a pool without xoff, where size is below the sum."""
    for key, row in config.rows("BUFFER_PROFILE").items():
        size, xon, xoff = (number_of(row.get(each)) for each in ("size", "xon", "xoff"))
        if size is None or xoff is None or number_of(pool_of(config, row).get("xoff")):
            continue
        need = (xon or 0) + xoff
        if size < need:
            message = f"size {size} cannot hold xon {xon or 0} + xoff {xoff} = {need} bytes"
            yield Fault("BUFFER_PROFILE", key, "size", message, f"size >= {need}")


@device_rule(
    "BUF005",
    "no headroom is known for this speed and cable",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "PORT", "CABLE_LENGTH", "PORT_QOS_MAP", "BUFFER_PG",
           "BUFFER_PROFILE"),
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
    needs=("platform.lookup",),
    why="Packets in flight over the cable do not fit behind the pause and are dropped under load.",
    fix="Use the profile of the port's own speed and cable length.",
    source=_LOOKUP,
)
def headroom_is_enough(config: Config, context: Context) -> Iterator[Fault]:
    """Lossless groups whose xoff is below that of the lookup row of their port."""
    facts = context.platform
    cables = {port: text for row in config.rows("CABLE_LENGTH").values()
              for port, text in row.items()}  # fmt: skip
    for port, spans in config.table("BUFFER_PG").spans.items() if facts else ():
        speed = number_of(config.row("PORT", port).get("speed"))
        metres = metres_of(cables.get(port))
        row = facts.lookup.get((speed, metres)) if facts and speed and metres else None
        for key, span in spans.items() if row else ():
            profile: Row = (profile_of(config, "BUFFER_PG", port, span[0]) if span else None) or {}
            xoff = number_of(profile.get("xoff"))
            if row and is_lossless(profile) and xoff is not None and xoff < row.xoff:
                message = f"{key} has xoff {xoff}; {row.xoff} is needed at {speed} with {metres}m"
                yield Fault("BUFFER_PG", key, "profile", message)


@device_rule(
    "BUF008",
    "a cable length that the switch cannot read",
    Severity.ERROR,
    reads=("CABLE_LENGTH",),
    why="No profile is made for the port: PFC is on and nothing stands behind it.",
    fix='Write digits and m, as in "40m"; "0m" for a port without lossless traffic.',
    source="sonic-buildimage 086b03bd sonic-cable-length.yang; sonic-net/SONiC#195",
)
def lengths_are_readable(config: Config, _context: Context) -> Iterator[Fault]:
    """Lengths that are not digits and m."""
    for key, row in config.rows("CABLE_LENGTH").items():
        for port, text in row.items():
            if metres_of(text) is None:
                message = f"the cable of {port} is {text!r}; digits and m are expected"
                number = "".join(each for each in str(text) if each.isdecimal())
                yield Fault(
                    "CABLE_LENGTH", key, port, message, f'write "{number}m"' if number else None
                )


def _size(config: Config, port: str, index: int) -> int:
    profile = profile_of(config, "BUFFER_PG", port, index) or {}
    return number_of(profile.get("size")) or 0


def _known(facts: Platform, speed: int) -> str:
    lengths = sorted(metres for each, metres in facts.lookup if each == speed)
    if lengths:
        return f"listed for {speed} are {', '.join(f'{each}m' for each in lengths)}"
    return f"no length is listed for {speed}; ask the vendor for this pair"
