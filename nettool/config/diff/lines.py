"""Differences between two command texts: lines added, taken away, and overwritten.

A command that overwrites an earlier one (`ip address`, `maximum-paths`) is one replacement, not
a removal and an addition. `no X` is in force where X is not, unless X is a default: then the
running text says `no X` itself. What is not intended any more goes where the dialect says that
nettool writes such lines, and stays where it does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.nos.artifact import Tables

TOP = "global"
NO = "no "
LINE = "line"
"""The field by which a replaced command stands in a change."""
Path = tuple[str, ...]
"""The lines that lead into a view; that of the first view is empty."""


def _nobody_writes(_view: Path, _line: str) -> int | None:
    return None


@dataclass(frozen=True, slots=True)
class Rules:
    """What a dialect says of its lines.

    `overwriting` are the first words of commands of which a view holds one at most, `defaults`
    lines that are in force without being there, `standing` the first words of views that are
    always there, `single` those of views of which there is one, `objects` those of lines that make
    what further lines speak of (`neighbor {address} remote-as`), `ahead` those of lines that go
    before anything else is made or taken away. `rank` is None for a line that nettool never
    writes in that view; of views the highest goes first.
    """

    overwriting: tuple[str, ...] = ()
    defaults: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    single: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()
    rank: Callable[[Path, str], int | None] = field(default=_nobody_writes)


def diff_lines(
    device: str, running: Tables, intended: Tables, rules: Rules, *, exact: bool = False
) -> ChangeSet:
    """What turns the running lines into the intended ones, by view.

    Both are tables of views (`{view: {line: {}}}`). Of what only the running text has, lines that
    nettool writes go, with all that stands in a view that goes; what it never writes it leaves
    alone. With `exact` whatever the intended text lacks goes.
    """
    old = plain(running, rules.defaults, rules.standing)
    new = plain(intended, rules.defaults, rules.standing)
    going = _Going(rules, intended, _others(old.get(TOP, {}), new.get(TOP, {}), rules), exact=exact)
    changes = [
        change
        for view in {**dict.fromkeys(intended), **dict.fromkeys(old)}
        for change in _view(view, old.get(view, {}), new.get(view, {}), going)
    ]
    return ChangeSet(device, tuple(_in_order(changes, going)))


def kept_lines(
    running: Tables, intended: Tables, rules: Rules, changes: ChangeSet
) -> tuple[tuple[str, str], ...]:
    """The lines that run, are not intended and stay all the same, each with its view."""
    gone = {(c.table, str(c.before) if c.field == LINE else c.key) for c in changes.changes}
    return tuple(
        (view, line)
        for view, lines in plain(running, rules.defaults, rules.standing).items()
        for line in lines
        if line not in intended.get(view, ()) and (view, line) not in gone
    )


def plain(
    tables: Tables, defaults: Iterable[str], standing: Iterable[str]
) -> dict[str, dict[str, None]]:
    """The lines that say something, by view: no defaults, no bare view that is always there."""
    silent = frozenset(defaults)
    stands = tuple(standing)
    found = {
        view: {
            line: None
            for line in lines
            if line not in silent and not (view == TOP and first_words(line, stands))
        }
        for view, lines in tables.items()
    }
    return {view: lines for view, lines in found.items() if lines}


class _Going:
    """Which of the lines that are not intended go; views are asked about before what is in them."""

    def __init__(
        self, rules: Rules, intended: Tables, others: Iterable[str], *, exact: bool
    ) -> None:
        self.rules, self.others, self._exact = rules, frozenset(others), exact
        self._intended, self._silent = intended, frozenset(rules.defaults)
        self._views: set[str] = set()
        self._made: set[tuple[str, str]] = set()

    def goes(self, view: str, line: str, wanted: Mapping[str, object]) -> bool:
        """Whether a running line that is not wanted in its view goes."""
        if (
            self._exact
            or view in self._views
            or (view == TOP and line in self.others)
            or self._is_turned_off(view, line, wanted)
            or self.rules.rank(path(view), line) is not None
        ):
            self._views.add(line if view == TOP else f"{view} / {line}")
            if first_words(line, self.rules.objects) and (made := made_by(line, self.rules)):
                self._made.add((view, made))
            return True
        return False

    def goes_along(self, view: str, line: str) -> bool:
        """Whether a line speaks of what a line that goes has made, in its view or above it."""
        spoken = made_by(line, self.rules)
        return any((each, spoken) in self._made for each in (view, *views_above(view)))

    def wanted(self, lines: Mapping[str, object]) -> list[str]:
        """The lines that are to be there: all but those that only take another one away."""
        return [line for line in lines if not self._is_removal(line)]

    def _is_turned_off(self, view: str, line: str, wanted: Mapping[str, object]) -> bool:
        """Whether the intended text says the opposite."""
        if line.removeprefix(NO) in self._silent and line.startswith(NO):
            return line.removeprefix(NO) in self._intended.get(view, ())
        return f"{NO}{line}" in wanted

    def _is_removal(self, line: str) -> bool:
        return line.startswith(NO) and line.removeprefix(NO) not in self._silent


def path(view: str) -> Path:
    """The lines that lead into a view."""
    return () if view == TOP else tuple(view.split(" / "))


def _others(
    running: Mapping[str, object], wanted: Mapping[str, object], rules: Rules
) -> Iterator[str]:
    """Views of a kind of which there is one, where the intended text has another of that kind."""
    kinds = {first_words(line, rules.single) for line in wanted} - {None}
    for line in running:
        if line not in wanted and first_words(line, rules.single) in kinds:
            yield line


def _view(
    view: str, running: Mapping[str, object], intended: Mapping[str, object], going: _Going
) -> Iterator[Change]:
    """The changes of one view; in the first one no line overwrites another."""
    stems = () if view == TOP else tuple(sorted(going.rules.overwriting, key=len, reverse=True))
    wanted = going.wanted(intended)
    old = [line for line in running if line not in wanted]
    by_stem = {stem: line for line in old if (stem := first_words(line, stems))}
    for line in wanted:
        if line in running:
            continue
        before = by_stem.get(first_words(line, stems) or "")
        if before is None:
            yield Change(ChangeKind.ADD, view, line, None, None, {})
        else:
            old.remove(before)
            yield Change(
                ChangeKind.REPLACE, view, first_words(line, stems) or line, LINE, before, line
            )
    gone = {line for line in old if going.goes(view, line, intended)}
    for line in old:
        if line in gone or going.goes_along(view, line):
            yield Change(ChangeKind.REMOVE, view, line, None, {}, None)


def _in_order(changes: list[Change], going: _Going) -> Iterator[Change]:
    """What must be gone before anything is made, what changes, and views that go: inner ones first.

    Where there can be one of a kind only, the other one goes at the very beginning.
    """
    removed = [each for each in changes if each.kind is ChangeKind.REMOVE]
    top = [each for each in removed if each.table == TOP]
    first = [each for each in top if each.key in going.others]
    ahead = [e for e in removed if e.table != TOP and first_words(e.key, going.rules.ahead)]
    apart = {id(each) for each in (*top, *ahead)}
    yield from first
    yield from ahead
    yield from (each for each in changes if id(each) not in apart)
    last = [each for each in reversed(top) if each.key not in going.others]
    yield from sorted(last, key=lambda each: -_place(each, going.rules))


def _place(change: Change, rules: Rules) -> float:
    """Where a view stands among those that go: what nettool never makes before all others."""
    found = rules.rank((), change.key)
    return float("inf") if found is None else found


def made_by(line: str, rules: Rules) -> str | None:
    """What a line makes or speaks of: `neighbor 10.0.0.1`."""
    return first_words(line, tuple(each.rpartition(" ")[0] for each in rules.objects))


def first_words(line: str, stems: Iterable[str]) -> str | None:
    """The first words, of these, that a line begins with; `{field}` stands for any word."""
    for stem in stems:
        if "{" not in stem:
            if line.startswith(f"{stem} "):
                return stem
        elif found := _pattern(stem).match(line):
            return found[0].rstrip()
    return None


def views_above(view: str) -> Iterator[str]:
    """The views that a view stands in."""
    while " / " in view:
        view = view.rpartition(" / ")[0]
        yield view


@cache
def _pattern(stem: str) -> re.Pattern[str]:
    words = (r"\S+" if each.startswith("{") else re.escape(each) for each in stem.split())
    return re.compile(" ".join((*words, "")))
