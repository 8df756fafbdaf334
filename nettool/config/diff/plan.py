"""How a change set reaches a switch: by patch or by install, what it disturbs, how long it takes.

What the updater refuses and what a change disturbs is data of the dialect (`updater.yaml`).
The way back is looked at as well: a change whose inverse would be refused needs a reload for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.diff.tables import applied
from nettool.config.nos.artifact import Tables

Way = Literal["", "patch", "install"]
_DIALECTS = Path(__file__).resolve().parent.parent / "nos" / "dialects"
SHOWN = 3


class Impact(StrEnum):
    """What a change disturbs, mildest first."""

    NONE = "none"
    BRIEF_DROP = "brief drop"
    SESSION_RESET = "session reset"
    LINK_FLAP = "link flap"
    QOS_RELOAD = "QoS reload"
    REBOOT = "reboot"


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


def plan_update(changes: ChangeSet, running: Tables, *, chip: str = "") -> UpdatePlan:
    """The way to write `changes` on a switch that runs `running`.

    `chip` is the name the updater knows (`marvell-teralynx`, `spc4`); empty is an unknown chip,
    on which only what every chip allows is planned as a patch.
    """
    if changes.is_empty:
        return UpdatePlan("", (), (), (), 0.0)
    planned = tuple(_planned(change, running, chip) for change in changes.changes)
    after = applied(changes, running)
    back = (_planned(change, after, chip) for change in changes.inverse().changes)
    reasons, undo = _reasons(planned), _reasons(back)
    seconds = _seconds(changes.changes)
    limit = _rules()["seconds"]["limit"]
    if not reasons and seconds > limit:
        reasons = (f"the updater would need about {seconds:.0f} s, more than {limit} s",)
    if reasons:
        return UpdatePlan("install", planned, reasons, (), _rules()["seconds"]["reload"])
    return UpdatePlan("patch", planned, (), undo, seconds)


def _planned(change: Change, running: Tables, chip: str) -> PlannedChange:
    impact, why = _impact(change)
    return PlannedChange(change, impact, why, _refusal(change, running, chip))


def _refusal(change: Change, running: Tables, chip: str) -> str:
    rule = _rules()["live"].get(change.table)
    if rule is None:
        return ""
    if not rule.get("create_table", True) and not running.get(change.table):
        return f"{change.table} cannot be created live"
    if change.field is None:
        return _row_refusal(change, rule)
    return "" if rule["fields"] == "any" else _field_refusal(change, rule["fields"], chip)


def _row_refusal(change: Change, rule: Mapping[str, Any]) -> str:
    fixed = change.key in rule.get("fixed_rows", ())
    fixed = fixed and str(change.kind) in rule.get("fixed_on", ("add", "remove"))
    if str(change.kind) in rule["row"] and not fixed:
        return ""
    return f"{change.table}|{change.key} cannot be {_DONE[change.kind]} live"


def _field_refusal(change: Change, fields: Mapping[str, Any], chip: str) -> str:
    field = fields.get(str(change.field))
    name = f"{change.table}|{change.key} {change.field}"
    if field is None or str(change.kind) not in field["operations"]:
        return f"{name} cannot be {_DONE[change.kind]} live"
    if field["chips"] != "all" and chip not in field["chips"]:
        return f"{name} cannot be {_DONE[change.kind]} live on {chip or 'an unknown chip'}"
    return ""


_DONE = {ChangeKind.ADD: "added", ChangeKind.REMOVE: "removed", ChangeKind.REPLACE: "replaced"}


def _impact(change: Change) -> tuple[Impact, str]:
    fields = _impacts().get(change.table, {})
    found = fields.get("row" if change.field is None else change.field) or fields.get("*")
    return found or (Impact.LINK_FLAP, "what it disturbs is not known")


def _reasons(planned: Iterable[PlannedChange]) -> tuple[str, ...]:
    found = list(dict.fromkeys(each.refused for each in planned if each.refused))
    more = len(found) - SHOWN
    return (*found[:SHOWN], f"and {more} more") if more > 0 else tuple(found)


def _seconds(changes: tuple[Change, ...]) -> float:
    rules = _rules()
    figures, down = rules["seconds"], set(rules["port_goes_down"])
    sorted_rows = len({(c.table, c.key) for c in changes if c.table in down})
    pauses = len({(c.table, c.key) for c in changes}) + 2 * sorted_rows
    squared = figures["sorted_squared"] * sorted_rows**2
    return float(figures["start"] + figures["change"] * pauses + squared)


@cache
def _rules() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(
        (_DIALECTS / "sonic" / "data" / "updater.yaml").read_text()
    )
    return data


@cache
def _impacts() -> Mapping[str, Mapping[str, tuple[Impact, str]]]:
    table_of: dict[str, dict[str, tuple[Impact, str]]] = {}
    for rule in _rules()["impacts"]:
        for table in rule["tables"]:
            own = table_of.setdefault(table, {})
            own.setdefault(rule["field"], (Impact(rule["impact"]), rule["why"]))
    return table_of
