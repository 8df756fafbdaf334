"""What the updater of a switch would say of changes, what they disturb, and how long it needs.

What it refuses and what a change disturbs is data of the dialect (`updater.yaml`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialects.sonic.routing import routing_of
from nettool.config.nos.dialects.sonic.updater import Edit, Impact, Updater, goes_down, pace

SHOWN = 3
_RANK = list(Impact)


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """One change with what it disturbs and why; `refused` says why the updater will not have it."""

    change: Change
    impact: Impact
    why: str
    refused: str = ""

    @property
    def label(self) -> str:
        """What it is called in a plan: its impact, or `refused`."""
        return "refused" if self.refused else str(self.impact)


def worst(impacts: Iterable[Impact]) -> Impact:
    """The worst of several; nothing disturbs nothing."""
    return max(impacts, key=_RANK.index, default=Impact.NONE)


def planned(changes: ChangeSet, running: Tables, updater: Updater) -> Iterator[PlannedChange]:
    """Each change as the updater of a switch that runs `running` takes it, in the same order."""
    edits = _edits(changes.changes, running)
    for change, edit in zip(changes.changes, edits, strict=True):
        impact, why = updater.disturbs(change.table, change.field)
        yield PlannedChange(change, impact, why, updater.refusal(edit))


def followed(found: Iterable[PlannedChange], running: Tables) -> Iterator[PlannedChange]:
    """The same, with what the routing of the switch does not follow live refused as well.

    Of a way forward: on the way back FRR still is what it was, and need follow nothing.
    """
    routing = routing_of(running)
    for each in found:
        change = each.change
        waits = routing.waits(str(change.kind), change.table, change.key, change.field)
        yield replace(each, refused=each.refused or waits)


def reasons(found: Iterable[PlannedChange]) -> tuple[str, ...]:
    """Why the updater refuses, each once; the first ones and how many more."""
    said = list(dict.fromkeys(each.refused for each in found if each.refused))
    more = len(said) - SHOWN
    return (*said[:SHOWN], f"and {more} more") if more > 0 else tuple(said)


def seconds(changes: tuple[Change, ...]) -> float:
    """About how long the updater needs for one patch."""
    figures, down = pace(), goes_down()
    sorted_rows = len({(c.table, c.key) for c in changes if c.table in down})
    pauses = len({(c.table, c.key) for c in changes}) + 2 * sorted_rows
    squared = figures["sorted_squared"] * sorted_rows**2
    return float(figures["start"] + figures["change"] * pauses + squared)


def _edits(changes: tuple[Change, ...], running: Tables) -> Iterator[Edit]:
    """Each change as the updater sees it: a table that is new, or goes, counts as one edit.

    An addition equal to something that goes is one move, wherever both are.
    """
    tables = dict.fromkeys(each.table for each in changes)
    whole = {table: _whole(changes, table, running.get(table, {})) for table in tables}
    gone = Counter(_frozen(each.before) for each in changes if each.kind is ChangeKind.REMOVE)
    for change in changes:
        path = (change.table, change.key, *filter(None, (change.field,)))
        edit = (change.field is None and whole[change.table].get(change.kind)) or Edit(
            str(change.kind), path, change.after
        )
        if gone and change.kind is ChangeKind.ADD and len(edit.path) > 1:
            value = _frozen(change.after)
            if gone[value] > 0:
                gone[value] -= 1
                edit = replace(edit, op="move", value=None)
        yield edit


def _frozen(value: object) -> object:
    """A row or a value in a form that can be counted."""
    if isinstance(value, Mapping):
        return tuple(sorted((name, _frozen(each)) for name, each in value.items()))
    return tuple(value) if isinstance(value, list) else value


def _whole(
    changes: tuple[Change, ...], table: str, running: Mapping[str, object]
) -> Mapping[ChangeKind, Edit]:
    """The edit of a whole table that its rows come down to, where it is new or goes."""
    rows = [each for each in changes if each.table == table and each.field is None]
    if not running:
        added = {each.key: each.after for each in rows if each.kind is ChangeKind.ADD}
        return {ChangeKind.ADD: Edit("add", (table,), added)}
    removed = {each.key for each in rows if each.kind is ChangeKind.REMOVE}
    if len(rows) == len(removed) == len(running) and removed == set(running):
        return {ChangeKind.REMOVE: Edit("remove", (table,))}
    return {}
