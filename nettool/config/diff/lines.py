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


def diff_lines(
    device: str,
    running: Tables,
    intended: Tables,
    overwriting: Iterable[str],
    *,
    defaults: Iterable[str] = (),
    standing: Iterable[str] = (),
    exact: bool = False,
) -> ChangeSet:
    """What turns the running lines into the intended ones, by view.

    Both are tables of views (`{view: {line: {}}}`). `overwriting` are the first words of commands
    of which a view holds one at most, `defaults` lines that are in force without being there,
    `standing` the first words of views that are always there. Lines that only the running text
    has are removed only in views that the intended text has: what nettool does not write it
    leaves alone. With `exact` whatever the intended text lacks goes.
    """
    stems = tuple(sorted(overwriting, key=len, reverse=True))
    old, new = plain(running, defaults, standing), plain(intended, defaults, standing)
    views = {**new, **{v: {} for v in old if exact and _stands(v, standing) and v not in new}}
    if exact:
        views.setdefault(TOP, {})
    changes = [
        change
        for view, lines in views.items()
        for change in _view(
            view, old.get(view, {}), lines, stems, frozenset(defaults), keep=not exact
        )
    ]
    last = [each for each in changes if each.table == TOP and each.kind is ChangeKind.REMOVE]
    first = [each for each in changes if each not in last]
    return ChangeSet(device, (*first, *reversed(last)))


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
    intended: Mapping[str, object],
    stems: tuple[str, ...],
    defaults: frozenset[str],
    *,
    keep: bool,
) -> Iterator[Change]:
    wanted = [line for line in intended if not _is_removal(line, defaults)]
    unwanted = {line.removeprefix(NO) for line in intended if _is_removal(line, defaults)}
    new = [line for line in wanted if line not in running]
    old = [line for line in running if line not in wanted]
    by_stem = {
        stem: line for line in old if (stem := _stem(line, stems)) and not _keeps(view, keep)
    }
    for line in new:
        before = by_stem.get(_stem(line, stems) or "")
        if before is None:
            yield Change(ChangeKind.ADD, view, line, None, None, {})
        else:
            old.remove(before)
            yield Change(ChangeKind.REPLACE, view, _stem(line, stems) or line, LINE, before, line)
    for line in old:
        if line in unwanted or not _keeps(view, keep):
            yield Change(ChangeKind.REMOVE, view, line, None, {}, None)


def _keeps(view: str, keep: bool) -> bool:
    """Whether lines that nobody asked for stay: others may own those of the top view."""
    return keep and view == TOP


def _is_removal(line: str, defaults: frozenset[str]) -> bool:
    return line.startswith(NO) and line.removeprefix(NO) not in defaults


def _stands(line: str, standing: Iterable[str]) -> bool:
    return any(line.startswith(f"{stem} ") for stem in standing)


def _stem(line: str, stems: tuple[str, ...]) -> str | None:
    return next((stem for stem in stems if line.startswith(f"{stem} ")), None)
