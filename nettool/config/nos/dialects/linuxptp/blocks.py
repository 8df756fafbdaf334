"""Sections of a daemon's file: a name, and options whose values know where they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from nettool.core.provenance import Provenance, Traced, Trust

Option = tuple[str, Traced]
MANUAL = "linuxptp ptp4l(8) manual"


@dataclass(frozen=True, slots=True)
class Block:
    """One section: `[name]` and its options in order."""

    name: str
    options: tuple[Option, ...]

    @property
    def view(self) -> dict[str, object]:
        """The section for the template."""
        return {
            "name": self.name,
            "options": [{"name": key, "value": value} for key, value in self.options],
        }


class Parsed(NamedTuple):
    """One option as a file has it, with its line from 1."""

    section: str
    option: str
    value: str
    line: int


@cache
def chosen(text: str, reason: str, source: str = MANUAL) -> Traced:
    """A value that a role, profile or port decides."""
    return Traced.of(text, Provenance(reason, (), source, Trust.COMPUTED))


@cache
def version(text: str) -> tuple[int, ...]:
    """A version as numbers, 4.0 before 4.10."""
    return tuple(int(part) for part in text.split("."))


def parse(text: str) -> tuple[dict[str, int], list[Parsed]]:
    """The sections with their first line, and every option, of a file as the daemons read it."""
    sections: dict[str, int] = {}
    return sections, list(_options(text, sections))


def _options(text: str, sections: dict[str, int]) -> Iterator[Parsed]:
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        said = line.strip()
        if not said or said.startswith("#"):
            continue
        if said.startswith("["):
            section = said.removeprefix("[").removesuffix("]")
            sections.setdefault(section, number)
            continue
        option, _, value = said.replace("\t", " ").partition(" ")
        yield Parsed(section, option, value.strip(), number)
