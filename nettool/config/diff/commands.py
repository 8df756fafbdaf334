"""Changes of command text as the commands that make them, in blocks.

A block begins in the first configuration view and is left by `end`, so that nobody has to know
which command opens a view, or whether a view takes the commands of the one above it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.diff.lines import NO, TOP

Block = tuple[str, ...]


def command_blocks(changes: ChangeSet, standing: Iterable[str] = ()) -> tuple[Block, ...]:
    """The blocks to enter, in order; views that are always there are never removed.

    A view that is made anew gets its lines where it is made; of one that goes only that is said.
    """
    stands = tuple(standing)
    usable = [each for each in changes.changes if not _cannot_go(each, stands)]
    going = tuple(_view(c) for c in usable if c.kind is ChangeKind.REMOVE)
    inner: dict[str, list[Change]] = {}
    for change in usable:
        if change.table != TOP and not f"{change.table} / ".startswith(going):
            inner.setdefault(change.table, []).append(change)
    return tuple(_blocks(usable, inner))


def _blocks(changes: list[Change], inner: dict[str, list[Change]]) -> Iterator[Block]:
    views = frozenset(inner)
    left = dict(inner)
    for change in changes:
        if change.table != TOP:
            if lines := left.pop(change.table, None):
                yield from _block(change.table, lines, views)
        elif change.kind is ChangeKind.ADD and change.key in left:
            yield from _block(change.key, left.pop(change.key), views)
        else:
            yield (_said(change),)


def _block(view: str, changes: list[Change], views: frozenset[str]) -> Iterator[Block]:
    """The way into a view and its lines, those that take something away first.

    A line that opens an inner view is left to that view's own block: others would end up in it.
    """
    said = [_said(each) for each in changes if _view(each).removesuffix(" / ") not in views]
    if said:
        yield (*view.split(" / "), *sorted(said, key=lambda line: not line.startswith(NO)))


def _view(change: Change) -> str:
    """The view that a line opens, if it opens one, with a mark at its end."""
    return f"{change.key} / " if change.table == TOP else f"{change.table} / {change.key} / "


def _said(change: Change) -> str:
    if change.kind is ChangeKind.REPLACE:
        return str(change.after)
    if change.kind is ChangeKind.ADD:
        return change.key
    return change.key.removeprefix(NO) if change.key.startswith(NO) else f"{NO}{change.key}"


def _cannot_go(change: Change, standing: tuple[str, ...]) -> bool:
    return (
        change.table == TOP
        and change.kind is ChangeKind.REMOVE
        and any(change.key.startswith(f"{stem} ") for stem in standing)
    )
