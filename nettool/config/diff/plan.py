"""How a change set reaches a switch: by patch or by install, what it disturbs, how long it takes.

What the updater refuses and what a change disturbs is data of the dialect (`updater.yaml`).
The way back is looked at as well: a change whose inverse would be refused needs a reload for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.diff.tables import applied
from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialects.sonic.updater import Edit, Impact, Updater, goes_down, pace

Way = Literal["", "patch", "install"]
SHOWN = 3
_RANK = list(Impact)


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """One change with what it disturbs and why; `refused` says why the updater will not have it."""

    change: Change
    impact: Impact
    why: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """How the changes of one switch are written."""

    way: Way
    changes: tuple[PlannedChange, ...]
    reasons: tuple[str, ...]
    """Why a patch will not do; empty where it will."""
    undo_reasons: tuple[str, ...]
    """Why the way back by checkpoint will be refused; empty where it will do."""
    seconds: float

    @property
    def impact(self) -> Impact:
        """The worst that happens; an install restarts everything."""
        if self.way == "install":
            return Impact.QOS_RELOAD
        return max((each.impact for each in self.changes), key=_RANK.index, default=Impact.NONE)


def plan_update(
    changes: ChangeSet, running: Tables, *, chip: str = "", version: str = ""
) -> UpdatePlan:
    """The way to write `changes` on a switch that runs `running`.

    `chip` is the name the updater knows (`marvell-teralynx`, `spc4`); empty is an unknown chip,
    on which only what every chip allows is planned as a patch. `version` is the release or the
    image's version (`202405`, `20240510.12`); empty is taken for the newest known branch.
    """
    if changes.is_empty:
        return UpdatePlan("", (), (), (), 0.0)
    updater = Updater.of(chip, version)
    planned = tuple(_planned(changes, running, updater))
    back = _planned(changes.inverse(), applied(changes, running), updater)
    reasons, undo = _reasons(planned), _reasons(back)
    seconds = _seconds(changes.changes)
    limit = pace()["limit"]
    if not reasons and seconds > limit:
        reasons = (f"the updater would need about {seconds:.0f} s, more than {limit} s",)
    if reasons:
        return UpdatePlan("install", planned, reasons, (), pace()["reload"])
    return UpdatePlan("patch", planned, (), undo, seconds)


def _planned(changes: ChangeSet, running: Tables, updater: Updater) -> Iterator[PlannedChange]:
    edits = _edits(changes.changes, running)
    for change, edit in zip(changes.changes, edits, strict=True):
        impact, why = updater.disturbs(change.table, change.field)
        yield PlannedChange(change, impact, why, updater.refusal(edit))


def _edits(changes: tuple[Change, ...], running: Tables) -> Iterator[Edit]:
    """Each change as the updater sees it: a table that is new, or goes, counts as one edit.

    An addition equal to something that goes is one move, wherever both are.
    """
    rows = {table: _rows(changes, table) for table in {each.table for each in changes}}
    gone = [each.before for each in changes if each.kind is ChangeKind.REMOVE]
    for change in changes:
        edit = _edit(change, rows[change.table], running.get(change.table, {}))
        if change.kind is ChangeKind.ADD and len(edit.path) > 1 and change.after in gone:
            gone.remove(change.after)
            edit = replace(edit, op="move", value=None)
        yield edit


def _rows(changes: tuple[Change, ...], table: str) -> Mapping[str, Change]:
    return {each.key: each for each in changes if each.table == table and each.field is None}


def _edit(change: Change, rows: Mapping[str, Change], running: Mapping[str, object]) -> Edit:
    if change.field is not None:
        return Edit(str(change.kind), (change.table, change.key, change.field), change.after)
    if change.kind is ChangeKind.ADD and not running:
        return Edit("add", (change.table,), {key: each.after for key, each in rows.items()})
    stays = set(running) - {key for key, each in rows.items() if each.kind is ChangeKind.REMOVE}
    if change.kind is ChangeKind.REMOVE and not stays and len(rows) == len(running):
        return Edit("remove", (change.table,))
    return Edit(str(change.kind), (change.table, change.key), change.after)


def _reasons(planned: Iterable[PlannedChange]) -> tuple[str, ...]:
    found = list(dict.fromkeys(each.refused for each in planned if each.refused))
    more = len(found) - SHOWN
    return (*found[:SHOWN], f"and {more} more") if more > 0 else tuple(found)


def _seconds(changes: tuple[Change, ...]) -> float:
    figures, down = pace(), goes_down()
    sorted_rows = len({(c.table, c.key) for c in changes if c.table in down})
    pauses = len({(c.table, c.key) for c in changes}) + 2 * sorted_rows
    squared = figures["sorted_squared"] * sorted_rows**2
    return float(figures["start"] + figures["change"] * pauses + squared)
