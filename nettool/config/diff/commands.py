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
    going = tuple(
        c.key for c in usable if c.table == TOP and c.kind is ChangeKind.REMOVE and _said(c)
    )
    inner: dict[str, list[Change]] = {}
    for change in usable:
        if change.table != TOP and change.table.split(" / ")[0] not in going:
            inner.setdefault(change.table, []).append(change)
    return tuple(_blocks(usable, inner))


def _blocks(changes: list[Change], inner: dict[str, list[Change]]) -> Iterator[Block]:
    left = dict(inner)
    for change in changes:
        if change.table != TOP:
            if lines := left.pop(change.table, None):
                yield _block(change.table, lines)
        elif change.kind is ChangeKind.ADD and change.key in left:
            yield _block(change.key, left.pop(change.key))
        else:
            yield (_said(change),)


def _block(view: str, changes: list[Change]) -> Block:
    """The way into a view and its lines, those that take something away first."""
    lines = sorted(map(_said, changes), key=lambda line: not line.startswith(NO))
    return (*view.split(" / "), *lines)


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
