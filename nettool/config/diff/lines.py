"""Differences between two command texts: lines added, taken away, and overwritten.

A command that overwrites an earlier one (`ip address`, `maximum-paths`) is one replacement, not
a removal and an addition. `no X` is in force where X is not, unless X is a default: then the
running text says `no X` itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.nos.artifact import Tables

TOP = "global"
NO = "no "
LINE = "line"
"""The field by which a replaced command stands in a change."""


def diff_lines(  # noqa: PLR0913 - each is one part of a dialect's grammar
    device: str,
    running: Tables,
    intended: Tables,
    overwriting: Iterable[str],
    *,
    defaults: Iterable[str] = (),
    standing: Iterable[str] = (),
    single: Iterable[str] = (),
    exact: bool = False,
) -> ChangeSet:
    """What turns the running lines into the intended ones, by view.

    Both are tables of views (`{view: {line: {}}}`). `overwriting` are the first words of commands
    of which a view holds one at most, `defaults` lines that are in force without being there,
    `standing` the first words of views that are always there, `single` those of views of which
    there is one: another one than the intended goes before that is made. Lines that only the
    running text has are removed only in views that the intended text has: what nettool does not
    write it leaves alone. With `exact` whatever the intended text lacks goes.
    """
    stems = tuple(sorted(overwriting, key=len, reverse=True))
    old, new = plain(running, defaults, standing), plain(intended, defaults, standing)
    silent = frozenset(defaults)
    views = {
        **dict.fromkeys(intended),
        **dict.fromkeys(v for v in old if exact or _is_in(v, intended)),
    }
    changes: list[Change] = []
    other = set(_others(old.get(TOP, {}), new.get(TOP, {}), tuple(single)))
    for view in views:
        off = {line.removeprefix(NO) for line in new.get(view, {}) if _is_removal(line, silent)}
        off |= {f"{NO}{line}" for line in intended.get(view, {}) if line in silent}
        wanted = [line for line in new.get(view, {}) if not _is_removal(line, silent)]
        keep = None if exact or view != TOP else off | other
        changes += _view(view, old.get(view, {}), wanted, stems, keep)
    gone = [each for each in changes if _is_taken_from_top(each)]
    ahead = [each for each in gone if each.key in other]
    last = [each for each in gone if each.key not in other]
    rest = [each for each in changes if not _is_taken_from_top(each)]
    return ChangeSet(device, (*ahead, *rest, *reversed(last)))


def _others(
    running: Mapping[str, object], wanted: Mapping[str, object], single: tuple[str, ...]
) -> Iterator[str]:
    """Views of a kind of which there is one, where the intended text has another of that kind."""
    kinds = {_stem(line, single) for line in wanted} - {None}
    for line in running:
        if line not in wanted and _stem(line, single) in kinds:
            yield line


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
            if line not in silent and not (view == TOP and _stands(line, stands))
        }
        for view, lines in tables.items()
    }
    return {view: lines for view, lines in found.items() if lines}


def _view(
    view: str,
    running: Mapping[str, object],
    wanted: list[str],
    stems: tuple[str, ...],
    only: set[str] | None,
) -> Iterator[Change]:
    """The changes of one view; `only`: of what nobody wants these lines alone go."""
    old = [line for line in running if line not in wanted and (only is None or line in only)]
    by_stem = {stem: line for line in old if (stem := _stem(line, stems))}
    for line in wanted:
        if line in running:
            continue
        before = by_stem.get(_stem(line, stems) or "")
        if before is None:
            yield Change(ChangeKind.ADD, view, line, None, None, {})
        else:
            old.remove(before)
            yield Change(ChangeKind.REPLACE, view, _stem(line, stems) or line, LINE, before, line)
    for line in old:
        yield Change(ChangeKind.REMOVE, view, line, None, {}, None)


def _is_in(view: str, others: Mapping[str, object]) -> bool:
    """Whether one of the others leads to a view: what it holds beyond them goes with it."""
    while " / " in view:
        view = view.rpartition(" / ")[0]
        if view in others:
            return True
    return False


def _is_taken_from_top(change: Change) -> bool:
    return change.table == TOP and change.kind is ChangeKind.REMOVE


def _is_removal(line: str, defaults: frozenset[str]) -> bool:
    return line.startswith(NO) and line.removeprefix(NO) not in defaults


def _stands(line: str, standing: Iterable[str]) -> bool:
    return any(line.startswith(f"{stem} ") for stem in standing)


def _stem(line: str, stems: tuple[str, ...]) -> str | None:
    return next((stem for stem in stems if line.startswith(f"{stem} ")), None)
