"""A calculator: one formula an engineer can ask for by name, with its source and trust.

A member of `formulas/` declares itself with `@calculator(name, purpose, *flags)` above a pure
function whose keyword parameters are the flags and whose result is a `Calculation`. The command
line builds its options, its help and its list from these declarations and nothing else:

    @calculator("ecmp", "how unevenly hashing spreads flows over links",
                Flag("flows", COUNT, help="equal flows"), Flag("links", COUNT, help="equal links"))
    def ecmp(*, flows: int, links: int) -> Calculation: ...

`calculate(name, given)` is the one way to run them: it takes text or typed values by flag name,
checks them all, and raises UsageError that says what is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fractions import Fraction
from keyword import iskeyword
from typing import Any

from nettool.core.errors import UsageError
from nettool.core.provenance import Trust
from nettool.core.registry import Registry
from nettool.core.units import format_speed, parse_length, parse_size, parse_speed

SCHEMA_VERSION = 1
_LARGEST = 2**53
_WIDEST = 2**63 - 1

Value = int | float | str | bool
Row = Mapping[str, int | float | str | bool | None]
Result = int | float | bool | str | None | tuple[Row, ...]
Formula = Callable[..., "Calculation"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of flag value: its name in help texts, how it is read (ValueError) and written."""

    label: str
    parse: Callable[[str], Value]
    write: Callable[[Any], Value] = lambda value: value


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag. `name` is the formula's parameter (`grad_bytes` is `--grad-bytes`).

    `default` None means that it must be given, unless `optional`: then the formula gets None.
    """

    name: str
    kind: Kind
    default: Value | None = None
    help: str = ""
    choices: tuple[str, ...] = ()
    optional: bool = False

    @property
    def option(self) -> str:
        """How it is written on the command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def parameter(self) -> str:
        """The formula's parameter; a word of the language has a line after it (`class_`)."""
        return f"{self.name}_" if iskeyword(self.name) else self.name

    @property
    def required(self) -> bool:
        """True where a call without it is wrong."""
        return self.default is None and not self.optional


@dataclass(frozen=True, slots=True)
class Calculation:
    """What a formula gives: numbers by name (or rows), their units, and why to believe them.

    `result` holds whole numbers as int; a name without a unit is a plain number. `inputs` and
    `calculator` are filled in by `calculate`.
    """

    result: Mapping[str, Result]
    units: Mapping[str, str]
    formula: str
    source: str
    trust: Trust = Trust.COMPUTED
    inputs: Mapping[str, Value | None] = field(default_factory=dict)
    calculator: str = ""

    def as_json(self) -> dict[str, object]:
        """The contract's JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "calculator": self.calculator,
            "inputs": dict(self.inputs),
            "result": {name: _plain(value) for name, value in self.result.items()},
            "units": dict(self.units),
            "formula": self.formula,
            "source": self.source,
            "trust": str(self.trust),
        }


@dataclass(frozen=True, slots=True)
class Calculator:
    """A formula with its declaration: name, one-line purpose and flags in order of help."""

    name: str
    purpose: str
    flags: tuple[Flag, ...]
    formula: Formula


CALCULATORS: Registry[Calculator] = Registry("nettool.plan.calculators.formulas")


def calculator(name: str, purpose: str, *flags: Flag) -> Callable[[Formula], Formula]:
    """A decorator that files a formula as the calculator `name`."""

    def declare(formula: Formula) -> Formula:
        CALCULATORS.add(name)(Calculator(name, purpose, flags, formula))
        return formula

    return declare


def calculate(name: str, given: Mapping[str, Value | None]) -> Calculation:
    """The result of one calculator; `given` by flag name, as text or already typed.

    A flag that is missing or None takes its default. Raises UsageError for an unknown name or
    flag, a missing one, or a value that is not legal; the message lists what is.
    """
    if name not in CALCULATORS:
        raise UsageError(f"no calculator {name!r}: choose from {', '.join(CALCULATORS)}")
    chosen = CALCULATORS[name]
    inputs = _read(chosen, given)
    written = {
        flag.name: None if (value := inputs[flag.name]) is None else flag.kind.write(value)
        for flag in chosen.flags
    }
    words = {flag.parameter: inputs[flag.name] for flag in chosen.flags}
    return replace(chosen.formula(**words), inputs=written, calculator=name)


def exact(value: Fraction | float) -> int | float:
    """A number for a result: an int where it is whole and JSON holds it, else a float."""
    if not -_WIDEST <= value <= _WIDEST:
        return float(value)
    if isinstance(value, int):
        return value
    whole = value.is_integer() if isinstance(value, float) else value.denominator == 1
    return int(value) if whole else float(value)


def _read(chosen: Calculator, given: Mapping[str, Value | None]) -> dict[str, Value | None]:
    known = {flag.name: flag for flag in chosen.flags}
    for name in given:
        if name not in known:
            raise UsageError(f"calc {chosen.name}: {_unknown(name, known)}")
    return {name: _value(chosen.name, flag, given.get(name)) for name, flag in known.items()}


def _unknown(name: str, known: Iterable[str]) -> str:
    legal = sorted(known)
    near = get_close_matches(name, legal, n=1)
    meant = f", did you mean {near[0]}" if near else ""
    return f"no flag {name!r}{meant}; its flags are {', '.join(legal)}"


def _value(owner: str, flag: Flag, given: Value | None) -> Value | None:
    if given is None:
        if flag.required:
            legal = f" ({', '.join(flag.choices)})" if flag.choices else ""
            raise UsageError(f"calc {owner}: {flag.option} is missing: {flag.help}{legal}")
        return flag.default
    value = _parsed(owner, flag, given)
    if flag.choices and value not in flag.choices:
        raise UsageError(
            f"calc {owner}: {flag.option} {value} is not one of {', '.join(flag.choices)}"
        )
    return value


def _parsed(owner: str, flag: Flag, given: Value) -> Value:
    if flag.kind is SPEED and isinstance(given, int):
        return given
    try:
        return flag.kind.parse(str(given))
    except ValueError as exc:
        raise UsageError(f"calc {owner}: {flag.option}: {exc}") from exc


def _count(text: str) -> int:
    return _whole(text, 1)


def _amount(text: str) -> int:
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    try:
        in_reach = abs(float(text)) <= _LARGEST  # before Fraction, which would spell 1e999999 out
        value = Fraction(text.strip()) if in_reach else Fraction(-1)
    except ValueError:
        value = Fraction(-1)
    if value.denominator != 1 or value < least:
        raise ValueError(f"a whole number of at least {least} is expected, not {text!r}")
    return int(value)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"a number is expected, not {text!r}") from None
    if not 0 <= value < float("inf"):
        raise ValueError(f"a finite number of at least 0 is expected, not {text!r}")
    return value


def _switch(text: str) -> bool:
    word = text.strip().lower()
    if word not in ("on", "off", "true", "false"):
        raise ValueError(f"on or off is expected, not {text!r}")
    return word in ("on", "true")


def _size(text: str) -> int:
    try:
        return _whole(text, 0)
    except ValueError:
        return parse_size(text)


def _plain(value: Result) -> object:
    if isinstance(value, tuple):
        return [dict(row) for row in value]
    return value


COUNT = Kind("N", _count)
"""A whole number from 1."""
AMOUNT = Kind("N", _amount)
"""A whole number from 0; 1e9 is one too."""
NUMBER = Kind("X", _number)
"""A finite number from 0."""
TEXT = Kind("NAME", str)
"""A word."""
SWITCH = Kind("on|off", _switch)
"""on or off."""
SPEED = Kind("400G", parse_speed, format_speed)
"""A speed written 400G; the formula gets Mb/s."""
LENGTH = Kind("METRES", parse_length)
"""A length in metres."""
SIZE = Kind("BYTES", _size)
"""A size in bytes, or 64MiB."""
