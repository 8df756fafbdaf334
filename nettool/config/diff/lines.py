"""Differences between two command texts: lines added, taken away, and overwritten.

A command that overwrites an earlier one (`ip address`, `maximum-paths`) is one replacement, not
a removal and an addition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.nos.artifact import Tables


def diff_lines(
    device: str, running: Tables, intended: Tables, overwriting: Iterable[str]
) -> ChangeSet:
    """What turns the running lines into the intended ones, by view.

    Both are tables of views (`{view: {line: {}}}`). `overwriting` are the first words of commands
    of which a view holds one at most. Lines that only the running text has are removed only in
    views that the intended text has: what nettool does not write it leaves alone.
    """
    stems = tuple(sorted(overwriting, key=len, reverse=True))
    changes = [
        change
        for view in intended
        for change in _view(view, running.get(view, {}), intended[view], stems)
    ]
    return ChangeSet(device, tuple(changes))


def _view(
    view: str, running: Mapping[str, object], intended: Mapping[str, object], stems: tuple[str, ...]
) -> Iterator[Change]:
    new = [line for line in intended if line not in running]
    old = [] if view == "global" else [line for line in running if line not in intended]
    by_stem = {stem: line for line in old if (stem := _stem(line, stems))}
    for line in new:
        before = by_stem.get(_stem(line, stems) or "")
        if before is None:
            yield Change(ChangeKind.ADD, view, line, None, None, {})
        else:
            old.remove(before)
            yield Change(ChangeKind.REPLACE, view, _stem(line, stems) or line, "line", before, line)
    for line in old:
        yield Change(ChangeKind.REMOVE, view, line, None, {}, None)


def _stem(line: str, stems: tuple[str, ...]) -> str | None:
    return next((stem for stem in stems if line.startswith(f"{stem} ")), None)
