"""Buffers: ranges, thresholds, pools against the chip, and readable cable lengths."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.qos import pool_of
from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.spelling import is_digits, metres_of, number_of
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

_ORCH = "sonic-swss bufferorch.cpp"
_RANGES = ("BUFFER_PG", "BUFFER_QUEUE", "QUEUE")


@device_rule(
    "BUF001",
    "ranges of one port overlap or are reversed",
    Severity.ERROR,
    reads=_RANGES,
    port_by_port=True,
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
    "BUF008",
    "a cable length that the switch cannot read",
    Severity.ERROR,
    reads=("CABLE_LENGTH",),
    port_by_port=True,
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
                meant = "".join(each for each in str(text) if is_digits(each)) + "m"
                hint = f'write "{meant}"' if metres_of(meant) is not None else None
                yield Fault("CABLE_LENGTH", key, port, message, hint)
