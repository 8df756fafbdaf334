"""Sections of a daemon's file: a name, and options whose values know where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from nettool.core.provenance import Provenance, Traced, Trust

Option = tuple[str, Traced]
MANUAL = "linuxptp ptp4l(8) manual"


class Block(NamedTuple):
    """One section: `[name]` and its options in order."""

    name: str
    options: tuple[Option, ...]


class Parsed(NamedTuple):
    """One option as a file has it, with its line from 1."""

    section: str
    option: str
    value: str
    line: int


def view(blocks: Iterable[Block]) -> list[dict[str, object]]:
    """Sections for the template; what stands in several of them is made once."""
    made: dict[tuple[Option, ...], list[dict[str, object]]] = {}
    shown: list[dict[str, object]] = []
    for name, options in blocks:
        if options not in made:
            made[options] = [{"name": key, "value": value} for key, value in options]
        shown.append({"name": name, "options": made[options]})
    return shown


@cache
def chosen(text: str, reason: str, source: str = MANUAL) -> Traced:
    """A value that a role, profile or port decides."""
    return Traced.of(text, Provenance(reason, (), source, Trust.COMPUTED))


@cache
def version(text: str) -> tuple[int, ...]:
    """A version as numbers, 4.0 before 4.10."""
    return tuple(int(part) for part in text.split("."))


def kind_of(section: str) -> str:
    """global, device, external or port, by how a section's name is written."""
    if section == "global":
        return "global"
    return {"<": "device", "{": "external"}.get(section[:1], "port")


def parse(text: str) -> tuple[dict[str, int], list[Parsed]]:
    """The sections with their first line, and the options, of a file as the daemons read it.

    A line that stands in several sections of one kind is given once, where it stands first.
    """
    sections: dict[str, int] = {}
    return sections, list(_options(text, sections))


def _options(text: str, sections: dict[str, int]) -> Iterator[Parsed]:
    section = ""
    known: dict[str, set[str]] = {}
    seen: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if line in seen:
            continue
        said = line.strip()
        if said.startswith("["):
            section = said.removeprefix("[").removesuffix("]")
            sections.setdefault(section, number)
            seen = known.setdefault(kind_of(section), set())
        elif said and not said.startswith("#"):
            option, _, value = said.replace("\t", " ").partition(" ")
            seen.add(line)
            yield Parsed(section, option, value.strip(), number)
