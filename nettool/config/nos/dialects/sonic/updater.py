"""What the live updater of a SONiC switch refuses, and what an edit disturbs, by chip and branch.

The rules are data (`data/updater.yaml`). An edit is one operation of the JSON Patch that leads
from the whole running configuration to the whole target, as the updater itself computes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from nettool.config.nos.models import modelled, modelled_on, reload_refuses
from nettool.core.provenance import Trust

_DATA = Path(__file__).parent / "data" / "updater.yaml"
_DONE = {"add": "added", "remove": "removed", "replace": "replaced"}


class Impact(StrEnum):
    """What a change disturbs, mildest first."""

    NONE = "none"
    BRIEF_DROP = "brief drop"
    SESSION_RESET = "session reset"
    LINK_FLAP = "link flap"
    QOS_RELOAD = "QoS reload"
    REBOOT = "reboot"


@dataclass(frozen=True, slots=True)
class Edit:
    """One operation on `path`: a table, a table and key, or a table, key and field."""

    op: str
    path: tuple[str, ...]
    value: object = None

    @property
    def table(self) -> str:
        """The table it is about."""
        return self.path[0]

    @property
    def name(self) -> str:
        """`TABLE`, `TABLE|key` or `TABLE|key field`."""
        return "|".join(self.path[:2]) + "".join(f" {each}" for each in self.path[2:])


@dataclass(frozen=True, slots=True)
class Updater:
    """The updater of one switch: `chip` by its own name for it, and the `branch` of its image.

    An empty chip is one it does not know. `build` is a date of eight digits where the image has
    one in its version, else empty.
    """

    chip: str = ""
    branch: str = ""
    build: str = ""

    @classmethod
    def of(cls, chip: str, version: str = "") -> Updater:
        """The updater of an image by its version: 202405, 20240510.12, 202505.1-abc, master.

        Without one, the newest branch that is known.
        """
        dates = re.findall(r"(?<!\d)(20\d{4}(?:\d\d)?)(?!\d)", version)
        build = next((each for each in dates if len(each) == 8), "")
        return cls(chip, _nearest(dates[0][:6]) if dates else list(branches())[-1], build)

    def refusal(self, edit: Edit) -> str:
        """Why it will not have this edit; empty where it will."""
        if not self.models(edit.table):
            who = f"SONiC {self.branch}" if edit.table in modelled() else "SONiC"
            return f"{edit.table} cannot be changed live: {who} has no model of it"
        if edit.op == "remove" and "/" + "/".join(edit.path) in _rules()["illegal_removals"]:
            return f"{edit.name} cannot be removed live"
        if not self._guards(edit.table):
            return self._value_refusal(edit)
        return "" if self._allows(edit) else self._told(edit)

    def models(self, table: str) -> bool:
        """Whether its branch has a model of a table."""
        return table in modelled_on(self.branch)

    def takes_file(self, tables: Iterable[str]) -> bool:
        """Whether its `config reload FILE` takes a file with these tables."""
        return not reload_refuses(self.branch) or all(map(self.models, tables))

    def disturbs(self, table: str, field: str | None) -> tuple[Impact, str]:
        """What a change of a field, or of a whole row (None), disturbs, and why."""
        fields = _impacts().get(table, {})
        found = fields.get("row" if field is None else field) or fields.get("*")
        return found or (Impact.LINK_FLAP, "what it disturbs is not known")

    def _guards(self, table: str) -> bool:
        guard = _rules()["guarded"].get(table)
        on = branches()[self.branch].get("guards", True)
        return guard is not None and on and self._until(guard.get("until"))

    def _allows(self, edit: Edit) -> bool:
        whole_row = len(edit.path) == 2 and edit.op != "move"
        if whole_row and self._since(_rules()["guarded"][edit.table].get("rows_from", "")):
            return True
        return all(self._passes(edit, each) for each in self._fields(edit))

    def _passes(self, edit: Edit, field: str) -> bool:
        """Whether a listed edit allows this field on this chip, branch and build."""
        found = next((each for each in _listed(edit, field) if self._in_force(each)), None)
        return found is not None and edit.op in found["operations"] and self._serves(found["chips"])

    def _fields(self, edit: Edit) -> list[str]:
        """The fields below the table that an edit touches, as the updater spells them."""
        last = self._since(_rules()["guarded"][edit.table].get("field_from", ""))
        names = [n for n in edit.path[1:] if last or not any(c.isdigit() for c in n)]
        prefix = "/".join(names).lower()
        if not isinstance(edit.value, Mapping):
            fields = [prefix]
        else:
            fields = [f"{prefix}/{each}" if prefix else each for each in edit.value]
        return [each.rsplit("/", 1)[-1] for each in fields] if last else fields

    def _serves(self, chips: Mapping[str, tuple[str, str]]) -> bool:
        build, first = chips.get(self.chip, ("", ""))
        return self._since(first) and not (self.build and self.build < build)

    def _told(self, edit: Edit) -> str:
        """The refusal in words; chip and branch are named where others would have it."""
        if edit.op == "move":
            return f"{edit.name} cannot be added live in one patch with the removal of its equal"
        if len(edit.path) == 1 and edit.op == "add":
            return f"{edit.name} cannot be created live"
        refused = f"{edit.name} cannot be {_DONE[edit.op]} live"
        rules = [rule for each in self._fields(edit) for rule in _listed(edit, each)]
        if not any(edit.op in each["operations"] for each in rules):
            return refused
        newest = self.branch == list(branches())[-1]
        where = "" if newest else f" with {self.branch}"
        return f"{refused} on {self.chip or 'an unknown chip'}{where}"

    def _value_refusal(self, edit: Edit) -> str:
        """A value that the updater compares with what the port says it can do."""
        allowed = _rules()["values"].get(edit.table, {})
        if edit.op == "remove" or not self._since(allowed.get("from", "")):
            return ""
        for field, words in allowed.get("fields", {}).items():
            for key, value in _values(edit, field):
                if value not in words:
                    return f"{edit.table}|{key} {field} {value} cannot be set live"
        return ""

    def _in_force(self, rule: Mapping[str, Any]) -> bool:
        first = rule.get("from", next(iter(branches())))
        return self._since(first) and self._until(rule.get("until"))

    def _since(self, branch: str) -> bool:
        order = list(branches())
        return bool(branch) and order.index(self.branch) >= order.index(branch)

    def _until(self, branch: str | None) -> bool:
        order = list(branches())
        return branch is None or order.index(self.branch) <= order.index(branch)


def branches() -> Mapping[str, Mapping[str, Any]]:
    """The known branches, oldest first, each with the commit its rules were read at."""
    known: Mapping[str, Mapping[str, Any]] = _rules()["branches"]
    return known


def pace() -> Mapping[str, float]:
    """Seconds: `start`, `change`, `sorted_squared`, `limit`, `reload`."""
    figures: Mapping[str, float] = _rules()["seconds"]
    return figures


def place(table: str) -> int:
    """Where a table stands in the order of effects: behind those its rows refer to."""
    order: list[str] = _rules()["order"]
    return order.index(table) if table in order else len(order)


def goes_down() -> frozenset[str]:
    """Tables whose rows change only while their port is down."""
    return frozenset(_rules()["port_goes_down"])


def _nearest(branch: str) -> str:
    """The newest known branch that is not newer; the oldest known for one before all."""
    dated = [each for each in branches() if each.isdigit()]
    return max((each for each in dated if each <= branch), default=dated[0])


def _listed(edit: Edit, field: str) -> Iterator[Mapping[str, Any]]:
    """The edits of the data that name a field of the table."""
    for rule in _rules()["edits"]:
        if rule["table"] == edit.table and field in rule["fields"]:
            yield rule


def _values(edit: Edit, field: str) -> Iterator[tuple[str, object]]:
    """Key and value of a field wherever an edit sets it."""
    if len(edit.path) == 3:
        if edit.path[2] == field:
            yield edit.path[1], edit.value
        return
    rows = edit.value if isinstance(edit.value, Mapping) else {}
    for key, row in {edit.path[1]: rows}.items() if len(edit.path) == 2 else rows.items():
        if isinstance(row, Mapping) and field in row:
            yield key, row[field]


@cache
def _rules() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(_DATA.read_text(encoding="utf-8"))
    return data


@cache
def _impacts() -> Mapping[str, Mapping[str, tuple[Impact, str]]]:
    table_of: dict[str, dict[str, tuple[Impact, str]]] = {}
    for rule in _rules()["impacts"]:
        for table in rule["tables"]:
            own = table_of.setdefault(table, {})
            own.setdefault(rule["field"], (Impact(rule["impact"]), _why(rule)))
    return table_of


def _why(rule: Mapping[str, Any]) -> str:
    """The reason, with a mark where no source shows the effect."""
    trust = Trust(rule["trust"])
    return str(rule["why"]) if trust.is_firm else f"{rule['why']} ({trust})"
