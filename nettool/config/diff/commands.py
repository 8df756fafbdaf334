"""Changes of command text as the commands that make them, in blocks.

A block begins in the first configuration view and is left by `end`, so that nobody has to know
which command opens a view, or whether a view takes the commands of the one above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.diff.lines import NO, TOP, Rules, first_words, made_by

Block = tuple[str, ...]


def command_blocks(changes: ChangeSet, rules: Rules) -> tuple[Block, ...]:
    """The blocks to enter, in order; views that are always there are never removed.

    A view that is made anew gets its lines where it is made; of one that goes only that is said,
    and before it which of its lines must be gone by then. Nor is more said of an object that goes.
    """
    usable = [each for each in changes.changes if not _cannot_go(each, rules.standing)]
    removed = [each for each in usable if each.kind is ChangeKind.REMOVE]
    going = tuple(_view(each) for each in removed)
    objects = tuple(
        (f"{each.table} / ", made_by(each.key, rules))
        for each in removed
        if first_words(each.key, rules.objects)
    )
    said = [
        each
        for each in usable
        if not _goes_by_itself(each, going, objects, rules) or first_words(each.key, rules.ahead)
    ]
    return tuple(_blocks(said))


def _blocks(changes: list[Change]) -> Iterator[Block]:
    views = frozenset(each.table for each in changes)
    groups = [(view, list(some)) for view, some in groupby(changes, key=lambda each: each.table)]
    made = {c.key for c in changes if c.table == TOP and c.kind is ChangeKind.ADD} & views
    for view, some in groups:
        if view in made:
            continue
        if view != TOP:
            yield from _block(view, some, views)
            continue
        for change in some:
            if change.kind is ChangeKind.ADD and change.key in made:
                lines = [each for each in changes if each.table == change.key]
                yield from _block(change.key, lines, views)
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
    is_view_gone = change.table == TOP and change.kind is ChangeKind.REMOVE
    return is_view_gone and first_words(change.key, standing) is not None


def _goes_by_itself(
    change: Change,
    going: tuple[str, ...],
    objects: tuple[tuple[str, str | None], ...],
    rules: Rules,
) -> bool:
    """Whether a line goes with the view it stands in, or with the object it speaks of."""
    place = f"{change.table} / "
    if place.startswith(going):
        return True
    if change.kind is not ChangeKind.REMOVE or first_words(change.key, rules.objects):
        return False
    spoken = made_by(change.key, rules)
    return any(place.startswith(view) and spoken == made for view, made in objects)
