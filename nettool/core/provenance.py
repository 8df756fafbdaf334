"""Where a number comes from: formula, inputs, source, trust, and the bound it satisfies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from nettool.core.quick import quick_init


class Trust(StrEnum):
    """How far a figure can be believed; it travels to the user's screen unchanged."""

    PUBLISHED = "published"
    REFERENCE_BOARD = "reference board"
    COMPUTED = "computed"
    GIVEN = "given"
    INFERRED = "inferred"
    ASSUMED = "assumed"
    RECALLED = "recalled"
    UNVERIFIED = "unverified"

    @property
    def is_firm(self) -> bool:
        """True where a conclusion may rest on it without saying so."""
        return self in _FIRM


_FIRM = (Trust.PUBLISHED, Trust.COMPUTED, Trust.GIVEN)
_WEAKEST_LAST = sorted(Trust, key=lambda each: each not in _FIRM)


def weakest(*trusts: Trust) -> Trust:
    """The least believable of several: a result is no better than its worst input."""
    return max(trusts, key=_WEAKEST_LAST.index, default=Trust.COMPUTED)


@dataclass(frozen=True, slots=True)
class Origin:
    """A place in a YAML file, by key path; the edge turns it into file:line:column."""

    file: str
    path: tuple[str | int, ...] = ()


@quick_init
@dataclass(frozen=True, slots=True)
class Input:
    """One input of a formula: its name, value and unit, and where it was given or computed."""

    name: str
    value: int | float | str
    unit: str = ""
    origin: Origin | None = None
    why: Provenance | None = None


@quick_init
@dataclass(frozen=True, slots=True)
class Provenance:
    """Why a value is what it is. One instance is shared by equal figures."""

    formula: str
    inputs: tuple[Input, ...] = ()
    source: str = ""
    trust: Trust = Trust.COMPUTED
    bound: str = ""


class Traced(str):
    """Text for a template that knows its provenance: a plain str to Jinja and JSON."""

    __slots__ = ("why",)
    why: Provenance

    @classmethod
    def of(cls, text: object, why: Provenance) -> Traced:
        """`text` as it will be rendered, with its provenance attached."""
        traced = cls(text)
        traced.why = why
        return traced


@quick_init
@dataclass(frozen=True, slots=True)
class Figure:
    """A planned number with its unit and provenance."""

    value: int | float
    unit: str
    why: Provenance

    @property
    def text(self) -> Traced:
        """The value as CONFIG_DB and CLI lines write it (integers without a point)."""
        value = self.value
        return Traced.of(int(value) if float(value).is_integer() else value, self.why)

    def as_input(self, name: str) -> Input:
        """The figure as an input of the next formula."""
        return Input(name, self.value, self.unit, why=self.why)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)


def dump(why: Provenance) -> dict[str, object]:
    """A JSON-ready form, inputs nested."""
    return {
        "formula": why.formula,
        "inputs": [_dump_input(each) for each in why.inputs],
        "source": why.source,
        "trust": str(why.trust),
        "bound": why.bound or None,
    }


def _dump_input(given: Input) -> Mapping[str, object]:
    row: dict[str, object] = {"name": given.name, "value": given.value, "unit": given.unit}
    if given.origin:
        row["origin"] = {"file": given.origin.file, "path": list(given.origin.path)}
    if given.why:
        row["why"] = dump(given.why)
    return row
