"""A cage of a switch: its first port, lanes, index, and the breakout modes it allows.

Nothing is computed from the cage's number: first port, lane order, index and alias stand in the
data, because real platforms break every rule that one could guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer

from nettool.core.breakout import BreakoutMode, Child, Parent, children, read_mode
from nettool.core.model import Model
from nettool.core.provenance import Trust

_RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")


def parse_numbers(text: object) -> tuple[int, ...]:
    """`1-8`, `8-5` or `3,1,9-12` as numbers in the order written. Raises ValueError."""
    if isinstance(text, tuple | list):
        return tuple(text)
    numbers: list[int] = []
    for part in str(text).replace(" ", "").split(","):
        match = _RANGE.fullmatch(part)
        if not match:
            raise ValueError(f"numbers such as 1-8 or 3,1,2 are expected, not {text!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        step = 1 if last >= first else -1
        numbers.extend(range(first, last + step, step))
    return tuple(numbers)


def format_numbers(numbers: Iterable[int]) -> str:
    """Numbers as `parse_numbers` reads them, runs shortened: 1-8, 12."""
    runs: list[list[int]] = []
    for number in numbers:
        run = runs[-1] if runs else None
        if run and number - run[-1] in (1, -1) and _continues(run, number):
            run.append(number)
        else:
            runs.append([number])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _continues(run: list[int], number: int) -> bool:
    return len(run) == 1 or run[1] - run[0] == number - run[-1]


Numbers = Annotated[
    tuple[int, ...],
    BeforeValidator(parse_numbers),
    PlainSerializer(format_numbers, return_type=str),
]
"""Numbers in a file: `1-8`, `137-144`, `8-5` or `3,1,9-12`; the order is kept."""


class Evidence(Model):
    """Where something that is not a single figure was read, and how far it can be believed."""

    source: str = Field(min_length=3, description="document, file, or table")
    trust: Trust = Field(description="how far it can be believed")


class CageKind(Evidence):
    """What equal cages share: form factor, and modes with the alias endings of their ports."""

    form_factor: str = Field(description="OSFP, QSFP-DD, QSFP56, QSFP28, SFP28 or SFP+")
    modes: dict[str, tuple[str, ...]] = Field(
        min_length=1, description="mode as the platform spells it, to one alias ending a port"
    )
    fec: dict[str, str] = Field(
        default={}, description="mode to the FEC of its ports, where it is not SONiC's own rule"
    )


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """A mode that a cage allows: the platform's spelling, its alias endings, and a port speed.

    `speed` (Mb/s) is set where the ports run at one of the mode's alternatives.
    """

    text: str
    mode: BreakoutMode
    endings: tuple[str, ...]
    speed: int | None = None


class Cage(Model):
    """One cage, or one fixed port, in panel order."""

    cage: int = Field(ge=1, description="number on the panel, unique in the switch")
    label: str = Field(description="what is printed beside it")
    port: str = Field(description="its first port: the key of BREAKOUT_CFG")
    lanes: Numbers = Field(description="lanes in the order of the port's lanes field")
    index: int | Numbers = Field(description="its index; one a lane where they differ")
    alias: str = Field(description="how the aliases of its ports begin")
    kind: str = Field(description="one of the switch's kinds of cage")

    @property
    def parent(self) -> Parent:
        """The cage as the breakout rules see it."""
        indexes = (self.index,) * len(self.lanes) if isinstance(self.index, int) else self.index
        return Parent(self.port, self.lanes, indexes)

    def children(self, choice: ModeChoice) -> tuple[Child, ...]:
        """Its ports in a mode, at the mode's own speed. Raises ValueError where it does not fit."""
        return children(self.parent, choice.mode, [self.alias + each for each in choice.endings])


def choose_mode(modes: Mapping[str, tuple[str, ...]], lanes: int, wanted: str) -> ModeChoice | None:
    """The mode out of `modes` that `wanted` asks for on a cage with `lanes` lanes, or None.

    As SONiC compares first (counts, speeds, lanes); then the mode with these counts and lanes
    whose speeds come first; then the one that has the wanted speed as an alternative.
    Raises ValueError for a spelling that is no mode.
    """
    mode = _reading(wanted)
    if wanted in modes:
        return ModeChoice(wanted, mode, modes[wanted])
    choices = [ModeChoice(text, _reading(text), each) for text, each in modes.items()]
    for choice in choices:
        if choice.mode.on(lanes) == mode.on(lanes):
            return ModeChoice(choice.text, choice.mode, choice.endings, _swapped(choice, mode))
    shaped = [each for each in choices if _shape(each.mode, lanes) == _shape(mode, lanes)]
    for choice in shaped:
        if _speeds(choice.mode) == _speeds(mode):
            return choice
    return next(filter(None, (_alternative(each, mode) for each in shaped)), None)


@lru_cache(maxsize=4096)
def _reading(text: str) -> BreakoutMode:
    return read_mode(text)[0]


def _shape(mode: BreakoutMode, lanes: int) -> list[tuple[int, int]]:
    return [(each.count, each.lanes or lanes) for each in mode.terms]


def _speeds(mode: BreakoutMode) -> list[int]:
    return [each.speed for each in mode.terms]


def _swapped(choice: ModeChoice, wanted: BreakoutMode) -> int | None:
    own, other = _speeds(choice.mode), _speeds(wanted)
    return other[0] if own != other and len(other) == 1 else None


def _alternative(choice: ModeChoice, wanted: BreakoutMode) -> ModeChoice | None:
    if len(wanted.terms) != 1 or wanted.terms[0].speed not in choice.mode.terms[0].speeds:
        return None
    return ModeChoice(choice.text, choice.mode, choice.endings, wanted.terms[0].speed)
