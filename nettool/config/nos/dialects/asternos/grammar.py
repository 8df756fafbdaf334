"""The command lines of AsterNOS, from one data file in which each has a source and a trust."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nettool.core.model import Model
from nettool.core.provenance import Input, Provenance, Traced, Trust
from nettool.core.source import load_yaml

_IPV4 = r"\d+(?:\.\d+){3}(?:/\d+)?"
_FIELDS = {"address": _IPV4, "gateway": _IPV4, "prefix": _IPV4, "tcs": r"\d+(?: \d+)*"}
_WORD = r"\S+"


class Entry(Model):
    """One line of the grammar: words with `{fields}`, where it was read, how far to trust it.

    `under` is the entry of the view it stands in, `ours` the names (`nettool_*`) that nettool
    gives where others give names too.
    """

    line: str
    source: str
    trust: Trust
    under: str = ""
    ours: str = ""


class Grammar(Model):
    """The whole data file."""

    sources: dict[str, str]
    lines: dict[str, Entry]
    missing: dict[str, str]
    overwriting: tuple[str, ...]
    defaults: tuple[str, ...]
    objects: tuple[str, ...]
    ahead: tuple[str, ...]
    standing: tuple[str, ...]
    single: tuple[str, ...]
    left_alone: dict[str, str]
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


def rank(view: tuple[str, ...], line: str, left_alone: Collection[str] = ()) -> int | None:
    """The place in the grammar of the entry that writes `line` in a view; None: nettool never does.

    `left_alone` are features of `missing` whose views somebody else may have made.
    """
    foreign = {grammar().lines[n].line for f, n in grammar().left_alone.items() if f in left_alone}
    place, parent = None, ""
    for said in (*view, line):
        found = next((f for f in _forms().get(parent, ()) if f.pattern.fullmatch(said)), None)
        if found is None or found.line in foreign:
            return None
        place, parent = found.rank, found.line
    return place


@cache
def is_published(line: str) -> bool:
    """Whether the vendor's reference has a form that the line fits, in whatever view."""
    forms = (each for some in _forms().values() for each in some)
    return any(each.trust is Trust.PUBLISHED and each.pattern.fullmatch(line) for each in forms)


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


@dataclass(frozen=True, slots=True)
class _Form:
    """A line of the grammar as a pattern, with its place in the file."""

    rank: int
    line: str
    trust: Trust
    pattern: re.Pattern[str]


@cache
def _forms() -> Mapping[str, tuple[_Form, ...]]:
    """The forms by the line of the view they stand in; those of the first view under ""."""
    entries = grammar().lines
    found: dict[str, tuple[_Form, ...]] = {}
    for number, entry in enumerate(entries.values()):
        view = entries[entry.under].line if entry.under else ""
        form = _Form(number, entry.line, entry.trust, _pattern(entry))
        found[view] = (*found.get(view, ()), form)
    return found


def _pattern(entry: Entry) -> re.Pattern[str]:
    own = re.escape(entry.ours).replace(r"\*", r"\S*")
    parts = re.split(r"\{(\w+)\}", entry.line)
    words = (own or _FIELDS.get(p, _WORD) if n % 2 else re.escape(p) for n, p in enumerate(parts))
    return re.compile("".join(words))


def _source(rule: Entry) -> str:
    return grammar().sources[rule.source]
