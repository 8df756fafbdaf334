"""Breakout: modes against the platform, names and number of children, FEC of their lanes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.spelling import lanes_of, nearest, number_of
from nettool.config.validate.tables import Config, Table
from nettool.core.finding import Severity

_PAM4_LANE = 50_000
_MODE = re.compile(r"([0-9])x[0-9]+G(?:\[[0-9G,]+\])?")
_NAME = re.compile(r"Ethernet([0-9]{1,6})")
_DPB = "sonic-utilities config/config_mgmt.py; sonic-buildimage 086b03bd portconfig.py"


class Cage(NamedTuple):
    """A cage: its base port, children that its mode makes, and the lanes of those it has."""

    base: str
    expected: int
    children: dict[str, tuple[int, ...]]


@device_rule(
    "BRK001",
    "a breakout mode that the platform does not have",
    Severity.ERROR,
    reads=("BREAKOUT_CFG",),
    needs=("platform.breakout",),
    why="The mode is looked up by its whole text in platform.json; one that is not there makes no "
    "ports.",
    fix="Write the mode as the platform lists it, lanes in brackets included.",
    source=f"{_DPB}; sonic-net/SONiC#1592",
)
def modes_are_the_platforms(config: Config, context: Context) -> Iterator[Fault]:
    """Modes that are not, letter by letter, among those of the cage."""
    facts = context.platform
    for port, row in config.rows("BREAKOUT_CFG").items() if facts else ():
        mode, known = row.get("brkout_mode"), facts.modes(port) if facts else ()
        if not isinstance(mode, str) or not known or mode in known:
            continue
        near = next((each for each in known if each.startswith(mode)), nearest(mode, known))
        hint = f'write "{near}"' if near else f"modes are {', '.join(known)}"
        message = f"{mode} is no mode of {port} on this platform"
        yield Fault("BREAKOUT_CFG", port, "brkout_mode", message, hint)


@device_rule(
    "BRK002",
    "a child port is not named by its first lane",
    Severity.ERROR,
    reads=("BREAKOUT_CFG", "PORT"),
    needs=("platform.breakout",),
    why="The port daemon names children by lane offset; the next breakout finds other names than "
    "these and leaves ports behind.",
    fix="Name each child by the cage's first port plus the offset of its first lane.",
    source=f"{_DPB}; sonic-net/sonic-buildimage#12045",
)
def children_are_named_by_lane(config: Config, _context: Context) -> Iterator[Fault]:
    """Children of a cage in a mode NxS whose number is not base plus lane offset."""
    for base, count, children in _cages(config):
        lanes = sorted({lane for held in children.values() for lane in held})
        disjoint = len(lanes) == sum(map(len, children.values()))
        match = _NAME.fullmatch(base)
        if len(children) != count or not disjoint or lanes[-1] - lanes[0] != len(lanes) - 1:
            continue
        for port, held in children.items() if match else ():
            expected = f"Ethernet{int(match[1]) + min(held) - lanes[0]}" if match else port
            if port != expected:
                first = min(held)
                message = f"{port} starts at lane {first} of cage {base}; {expected} is expected"
                yield Fault("PORT", port, None, message, f"rename it to {expected}")


@device_rule(
    "BRK003",
    "a cage has other children than its mode",
    Severity.WARNING,
    reads=("BREAKOUT_CFG", "PORT"),
    why="Ports that are missing leave lanes unused; ports that are too many are not created.",
    fix="Let PORT have as many ports of the cage as the mode makes.",
    source=_DPB,
)
def children_are_those_of_the_mode(config: Config, _context: Context) -> Iterator[Fault]:
    """Cages whose ports in PORT are fewer or more than the mode's count."""
    for base, count, children in _cages(config):
        if len(children) != count:
            mode = config.row("BREAKOUT_CFG", base)["brkout_mode"]
            message = f"{mode} makes {count} ports of {base}; PORT has {len(children)}"
            yield Fault("BREAKOUT_CFG", base, "brkout_mode", message)


@device_rule(
    "BRK004",
    "FEC that does not fit the lanes",
    Severity.ERROR,
    reads=("PORT",),
    why="Lanes of 50G and above are PAM4 and carry no traffic without Reed-Solomon FEC: the link "
    "stays down or flaps.",
    fix='Set fec to "rs".',
    source="IEEE 802.3ck; IEEE 802.3bs; sonic-net/sonic-buildimage#23561",
)
def fec_fits_the_lanes(config: Config, _context: Context) -> Iterator[Fault]:
    """FEC none or fc on lanes of 50G or more; unset is a warning, as the chip may set it itself."""
    for port, row in config.rows("PORT").items():
        lanes, speed = lanes_of(row.get("lanes")), number_of(row.get("speed"))
        if not lanes or speed is None or speed // len(lanes) < _PAM4_LANE:
            continue
        rate = f"{speed // 1000}G over {len(lanes)} lanes"
        if "fec" not in row:
            message = f"{port} runs {rate} and has no fec"
            yield Fault("PORT", port, "fec", message, 'set "rs"', Severity.WARNING)
        elif row["fec"] in {"none", "fc"}:
            message = f"{port} runs {rate}, which is PAM4; fec {row['fec']} does not fit"
            yield Fault("PORT", port, "fec", message, 'set "rs"')


def _cages(config: Config) -> tuple[Cage, ...]:
    """Cages that are broken out, and have ports with their index; worked out for two rules."""
    cages = config.table("BREAKOUT_CFG")
    return cages.once_with(config.table("PORT"), "cages", lambda a, b: tuple(_cages_of(a, b)))


def _cages_of(cages: Table, ports: Table) -> Iterator[Cage]:
    by_index: dict[object, dict[str, tuple[int, ...]]] = {}
    for port, row in ports.rows.items():
        if (lanes := lanes_of(row.get("lanes"))) and isinstance(row.get("index"), str):
            by_index.setdefault(row["index"], {})[port] = lanes
    for base, row in cages.rows.items():
        mode = row.get("brkout_mode")
        match = _MODE.fullmatch(mode) if isinstance(mode, str) else None
        children = by_index.get(ports.rows.get(base, {}).get("index"), {})
        if match and children:
            yield Cage(base, int(match[1]), children)
