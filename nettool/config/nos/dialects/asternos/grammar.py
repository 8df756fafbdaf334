"""The command lines of AsterNOS, from one data file in which each has a source and a trust."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nettool.core.model import Model
from nettool.core.provenance import Input, Provenance, Traced, Trust
from nettool.core.source import load_yaml


class Entry(Model):
    """One line of the grammar: words with `{fields}`, where it was read, how far to trust it."""

    line: str
    source: str
    trust: Trust


class Grammar(Model):
    """The whole data file."""

    sources: dict[str, str]
    lines: dict[str, Entry]
    missing: dict[str, str]
    overwriting: tuple[str, ...]
    defaults: tuple[str, ...]
    standing: tuple[str, ...]
    single: tuple[str, ...]
    unsupported: dict[str, tuple[str, ...]]
    releases: tuple[str, ...]
    default_release: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line to write, with its depth in the tree of views and where it comes from."""

    text: str
    depth: int
    why: Provenance

    @property
    def is_verified(self) -> bool:
        """True where the line was read in the vendor's reference."""
        return self.why.trust is Trust.PUBLISHED


@cache
def grammar() -> Grammar:
    """The grammar that nettool ships."""
    source = load_yaml(Path(__file__).with_name("grammar.yaml"))
    return Grammar.model_validate(source.data)


def say(entry: str, depth: int = 0, **values: object) -> Line:
    """A line of the grammar with its fields filled; the values' provenance becomes its inputs."""
    rule = grammar().lines[entry]
    inputs = tuple(
        Input(name, str(value), why=value.why if isinstance(value, Traced) else None)
        for name, value in values.items()
    )
    why = Provenance(f"line {entry} of the grammar", inputs, _source(rule), rule.trust)
    return Line(rule.line.format(**values), depth, why)


def unsaid(feature: str, release: str) -> Line:
    """A comment in place of a feature that no public grammar covers."""
    known = grammar()
    absent = feature in known.unsupported.get(release, ())
    reason = f"no public grammar{f', and {release} does not support it' if absent else ''}"
    why = Provenance("nothing is written", (), "no public page gives a line", Trust.PUBLISHED)
    return Line(f"! not emitted: {reason} ({known.missing[feature]})", 0, why)


def _source(rule: Entry) -> str:
    return grammar().sources[rule.source]
