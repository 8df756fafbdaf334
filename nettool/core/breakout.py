"""Breakout modes as SONiC writes them, and the ports that a mode makes of a cage.

A mode is terms joined by `+`; a term is `COUNT x SPEED[G] [alt,alt](LANES)`: alternatives in
square brackets come before the lane count, a speed without G is in Mb/s. SONiC reads each term
from its start and drops, without a word, whatever no longer fits; `parse_mode` refuses that
instead, `read_mode` reads as SONiC does and tells what was dropped.
Source: sonic-buildimage 086b03bd src/sonic-config-engine/portconfig.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_TERM = re.compile(r"(\d{1,6})x(\d{1,6}G?)(\[(?:\d{1,6}G?,?)*\])?(?:\((\d{1,6})\))?")
_PORT = re.compile(r"Ethernet(\d+)")
_FORM = "COUNTxSPEED[alt,alt](LANES), such as 4x200G[100G](8)"
_FEC_FROM_LANE_RATE = 50_000


@dataclass(frozen=True, slots=True)
class Term:
    """`count` ports of `speed` Mb/s on `lanes` lanes of the cage (None: all of them)."""

    count: int
    speed: int
    alternatives: tuple[int, ...] = ()
    lanes: int | None = None

    @property
    def speeds(self) -> frozenset[int]:
        """Every speed that its ports can run at."""
        return frozenset((self.speed, *self.alternatives))

    def identity(self, lanes: int | None = None) -> tuple[int, frozenset[int], int | None]:
        """What SONiC compares: count, speeds, and lanes (of a cage with `lanes` lanes)."""
        return self.count, self.speeds, self.lanes or lanes


@dataclass(frozen=True, slots=True, eq=False)
class BreakoutMode:
    """A breakout mode; equal to another by counts, speeds and lanes, not by spelling."""

    text: str
    terms: tuple[Term, ...]

    @property
    def count(self) -> int:
        """How many ports it makes."""
        return sum(each.count for each in self.terms)

    def on(self, lanes: int) -> tuple[tuple[int, frozenset[int], int | None], ...]:
        """Its identity on a cage of `lanes` lanes: what makes two modes the same there."""
        return tuple(each.identity(lanes) for each in self.terms)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BreakoutMode):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[tuple[int, frozenset[int], int | None], ...]:
        return tuple(each.identity() for each in self.terms)


@dataclass(frozen=True, slots=True)
class Parent:
    """A cage as platform.json has it: first port, lanes in order, and an index a lane."""

    name: str
    lanes: tuple[int, ...]
    indexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Child:
    """One port that a mode makes. `subport` is 0 for a whole cage; `fec` is rs or none."""

    name: str
    lanes: tuple[int, ...]
    alias: str
    index: int
    subport: int
    speed: int
    fec: str


@dataclass(slots=True)
class _Reading:
    terms: list[Term] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def parse_mode(text: str) -> BreakoutMode:
    """The mode that `text` spells. Raises ValueError, naming what SONiC would silently drop."""
    mode, dropped = read_mode(text)
    if dropped:
        lost = " and ".join(repr(each) for each in dropped)
        raise ValueError(
            f"breakout mode {text!r}: SONiC would silently drop {lost}; {_FORM} is expected"
            f"{_order_hint(dropped)}"
        )
    return mode


def read_mode(text: str) -> tuple[BreakoutMode, tuple[str, ...]]:
    """The mode as SONiC understands `text`, and the parts of it that it drops.

    Raises ValueError where SONiC itself fails: no count and speed, an empty alternative, 0 ports.
    """
    reading = _Reading()
    for part in text.split("+"):
        match = _TERM.match(part)
        if not match:
            raise ValueError(f"breakout mode {text!r}: {part!r} is not {_FORM}")
        reading.terms.append(_term(text, match))
        if part[match.end() :]:
            reading.dropped.append(part[match.end() :])
    return BreakoutMode(text, tuple(reading.terms)), tuple(reading.dropped)


def same_ports(one: str, other: str) -> bool:
    """Whether two spellings make the same ports: alternatives that are not in use do not count."""
    if one == other:
        return True
    try:
        modes = [read_mode(text)[0].terms for text in (one, other)]
    except ValueError:
        return False
    shapes = [[(term.count, term.speed, term.lanes) for term in terms] for terms in modes]
    return shapes[0] == shapes[1]


def children(parent: Parent, mode: BreakoutMode, aliases: Sequence[str]) -> tuple[Child, ...]:
    """The ports that `mode` makes of `parent`, in lane order; `aliases` are its mode's own.

    A port's name is the parent's number plus the offset of its first lane; its index is the
    parent's at that lane. Raises ValueError where the mode does not fit the cage.
    """
    base = _number(parent.name)
    _check_fit(parent, mode, aliases)
    whole = mode.count == 1
    made: list[Child] = []
    for offset, width, term in _slices(parent, mode):
        place = len(made)
        if offset >= len(parent.indexes):
            raise ValueError(f"{parent.name}: no index for lane {offset + 1} of mode {mode.text}")
        made.append(
            Child(
                name=f"Ethernet{base + offset}",
                lanes=parent.lanes[offset : offset + width],
                alias=aliases[place],
                index=parent.indexes[offset],
                subport=0 if whole else place + 1,
                speed=term.speed,
                fec=fec_for(term.speed // width),
            )
        )
    return tuple(made)


def fec_for(lane_rate: int) -> str:
    """The FEC that SONiC sets by itself for a lane of `lane_rate` Mb/s: rs from 50G on."""
    return "rs" if lane_rate >= _FEC_FROM_LANE_RATE else "none"


def _term(text: str, match: re.Match[str]) -> Term:
    count, speed, brackets, lanes = match.groups()
    alternatives = brackets[1:-1].split(",") if brackets else []
    if not all(re.fullmatch(r"\d{1,6}G?", each) for each in alternatives):
        raise ValueError(f"breakout mode {text!r}: {brackets} is not a list such as [200G,100G]")
    term = Term(
        int(count),
        _speed(speed),
        tuple(_speed(each) for each in alternatives),
        int(lanes) if lanes else None,
    )
    if 0 in (term.count, term.lanes, *term.speeds):
        raise ValueError(f"breakout mode {text!r}: count, speed and lanes must be above 0")
    return term


def _speed(text: str) -> int:
    return int(text[:-1]) * 1000 if text.endswith("G") else int(text)


def _order_hint(dropped: Sequence[str]) -> str:
    if any(" " in each for each in dropped):
        return ", without spaces"
    if any(each.startswith("[") for each in dropped):
        return ", alternatives before lanes"
    return ""


def _number(name: str) -> int:
    match = _PORT.fullmatch(name)
    if not match:
        raise ValueError(f"port name {name!r} is not Ethernet and a number")
    return int(match[1])


def _check_fit(parent: Parent, mode: BreakoutMode, aliases: Sequence[str]) -> None:
    have = len(parent.lanes)
    wanted = sum(each.lanes or have for each in mode.terms)
    if wanted > have:
        raise ValueError(f"{parent.name}: mode {mode.text} takes {wanted} lanes of {have}")
    for term in mode.terms:
        if term.count > (term.lanes or have):
            raise ValueError(
                f"{parent.name}: mode {mode.text} makes {term.count} ports of "
                f"{term.lanes or have} lanes"
            )
    if len(aliases) < mode.count:
        raise ValueError(
            f"{parent.name}: mode {mode.text} makes {mode.count} ports, "
            f"{len(aliases)} aliases are given"
        )


def _slices(parent: Parent, mode: BreakoutMode) -> Iterator[tuple[int, int, Term]]:
    offset = 0
    for term in mode.terms:
        width = (term.lanes or len(parent.lanes)) // term.count
        for _ in range(term.count):
            yield offset, width, term
            offset += width
