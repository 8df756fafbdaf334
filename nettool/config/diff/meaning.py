"""What makes two values, rows or tables mean the same: defaults, spellings, and who owns a row.

The figures are data of the dialect (`meaning.yaml`); nothing here knows a table by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from nettool.config.nos.artifact import Tables
from nettool.config.nos.models import modelled

Row = Mapping[str, object]
_REFERENCE = re.compile(r"\[[A-Z][A-Z0-9_]*\|([^\[\]]+)\]")
_DIALECTS = Path(__file__).resolve().parent.parent / "nos" / "dialects"
NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class DaemonRow:
    """Rows of one table that a daemon writes: by a pattern of the key, or of one field.

    `used_by` names the field of another table that refers to such a row; `refers` the row's own
    field and the table of the row that it names, without which the daemon's row cannot stand; `of`
    the table of the rows that its key begins with, with which it goes.
    """

    pattern: re.Pattern[str]
    field: str | None = None
    used_by: tuple[str, str] | None = None
    refers: tuple[str, str] | None = None
    of: str = ""

    def matches(self, key: str, row: Row) -> bool:
        """Whether the daemon may have written this row."""
        text = key if self.field is None else spelled(row.get(self.field, ""))
        return self.pattern.match(text) is not None


@dataclass(frozen=True, slots=True)
class Meaning:
    """One dialect's rules of meaning and ownership."""

    defaults: Mapping[str, Mapping[str, str]]
    unordered: frozenset[str]
    switch_tables: frozenset[str]
    operator_tables: frozenset[str]
    daemon_rows: Mapping[str, DaemonRow]
    switch_fields: Mapping[str, frozenset[str]]
    secret_fields: frozenset[str]
    secret_keys: frozenset[str]
    secret_rows: Mapping[str, frozenset[str]]
    modelled: frozenset[str] = frozenset()
    """Tables that can be written live; empty where that is not asked."""

    def same(self, table: str, field: str, have: object, want: object) -> bool:
        """Whether two values of a field mean the same; None is an absent field."""
        if have == want:
            return True
        default = self.defaults.get(table, NOTHING).get(field)
        have, want = _or(have, default), _or(want, default)
        if have is None or want is None:
            return False
        one, other = spelled(have), spelled(want)
        if one == other or one.lower() == other.lower() in {"true", "false"}:
            return True
        if field in self.unordered or isinstance(have, list) or isinstance(want, list):
            return sorted(_parts(one)) == sorted(_parts(other))
        return False

    def is_switch_field(self, table: str, field: str) -> bool:
        """Whether a field that only the running row has is the switch's own."""
        fields = self.switch_fields.get(table, frozenset())
        return field in fields or "*" in fields

    def is_secret(self, table: str, field: str) -> bool:
        """Whether the value of a field must never be shown."""
        return field in self.secret_fields or field in self.secret_rows.get(table, frozenset())

    def keeps_table(self, table: str, intended: Tables) -> bool:
        """Whether rows of a table that only the running configuration has are left alone."""
        if table in self.switch_tables or (self.modelled and table not in self.modelled):
            return True
        return table in self.operator_tables and table not in intended

    def keeps_row(self, table: str, key: str, running: Tables, intended: Tables) -> bool:
        """Whether a daemon owns this row, which only the running configuration has."""
        rule = self.daemon_rows.get(table)
        if rule is None or not rule.matches(key, running[table][key]):
            return False
        if not self._stands(table, key, running, intended):
            return False
        owner = key.rpartition("|")[0]
        if not any(
            other.rpartition("|")[0] == owner and rule.matches(other, row)
            for other, row in intended.get(table, {}).items()
        ):
            return True
        return rule.used_by is not None and self._is_used(key, *rule.used_by, running, intended)

    def _stands(self, table: str, key: str, running: Tables, intended: Tables) -> bool:
        """Whether what a daemon's row is of and refers to will be there, once `intended` is."""
        rule = self.daemon_rows.get(table)
        if rule is not None and rule.of in intended:
            owners = key.partition("|")[0].split(",")
            if any(each not in intended[rule.of] for each in owners):
                return False
        if rule is None or rule.refers is None:
            return rule is not None or self.keeps_table(table, intended)
        field, target = rule.refers
        name = spelled(running[table][key].get(field, ""))
        if not name or name in intended.get(target, {}):
            return True
        return name in running.get(target, {}) and self._stands(target, name, running, intended)

    def _is_used(self, key: str, table: str, field: str, running: Tables, intended: Tables) -> bool:
        wanted = intended.get(table, {})
        return any(
            other not in wanted
            and spelled(row.get(field, "")) == key
            and self.keeps_row(table, other, running, intended)
            for other, row in running.get(table, {}).items()
        )


def spelled(value: object) -> str:
    """A value in one spelling: comma text for lists, references without brackets."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, (list, tuple)):
        text = ",".join(map(str, value))
    else:
        text = str(value)
    return _REFERENCE.sub(r"\1", text).strip() if "[" in text else text.strip()


def clean(row: Row) -> dict[str, object]:
    """A row as it is written: no NULL placeholder, numbers and booleans as text."""
    return {
        field: list(map(str, value)) if isinstance(value, (list, tuple)) else _text(value)
        for field, value in row.items()
        if field != "NULL"
    }


@cache
def meaning_of(nos: str = "sonic", *, on_switch: bool = False) -> Meaning:
    """The rules of one dialect, read once.

    `on_switch`: tables of whoever runs the switch (AAA, SNMP, ACLs) are left alone where the
    intent has nothing of them, as a push must, and so are tables that no release models.
    Otherwise the intended side is the whole truth.
    """
    path = _DIALECTS / nos / "data" / "meaning.yaml"
    data: dict[str, Any] = yaml.safe_load(path.read_text())
    return Meaning(
        defaults=data["defaults"],
        unordered=frozenset(data["unordered"]),
        switch_tables=frozenset(data["switch_tables"]),
        operator_tables=frozenset(data["operator_tables"] if on_switch else ()),
        daemon_rows={table: _daemon_row(each) for table, each in data["daemon_rows"].items()},
        switch_fields={t: frozenset(fields) for t, fields in data["switch_fields"].items()},
        secret_fields=frozenset(data["secret_fields"]),
        secret_keys=frozenset(data["secret_keys"]),
        secret_rows={t: frozenset(fields) for t, fields in data["secret_rows"].items()},
        modelled=modelled() if on_switch else frozenset(),
    )


def _daemon_row(data: dict[str, Any]) -> DaemonRow:
    used_by, refers = (next(iter(data.get(n, {}).items()), None) for n in ("used_by", "refers"))
    return DaemonRow(
        re.compile(data["pattern"]), data.get("field"), used_by, refers, data.get("of", "")
    )


def _or(value: object, default: str | None) -> object:
    return default if value is None else value


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _text(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)
