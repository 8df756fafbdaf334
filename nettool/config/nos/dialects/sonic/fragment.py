"""Tables of one template, parsed back from its text; equal devices share one fragment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import orjson

from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialects.sonic.tables import (
    by_name,
    format_table,
    in_order,
    ordered,
    parse_once,
    refuse_repeats,
)
from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Report, Severity

Row = dict[str, object]
Rows = Mapping[str, Mapping[str, object]]
_NOTHING: Row = {}
_WORDS: dict[str, str] = {}
"""Short words that stand in many rows: names, numbers, switches. Addresses are mostly longer."""
_SHORT = 11
_MOST_WORDS = 1 << 16


class Table(NamedTuple):
    """One table: its rows, and its text as it stands in the file."""

    name: str
    rows: Rows
    text: str
    origin: str
    """The template that says it."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """What one template says: its tables without the empty ones, and notes for the user."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, text: str, template: str, notes: Iterable[str] = (), *, shared: bool = False
    ) -> Fragment:
        """A rendered template, parsed back; `shared` where many devices hold it.

        Raises FindingsError where it is not CONFIG_DB.
        """
        parsed = parse_once(text, template)
        fit = _once if shared else _compact
        tables = tuple(_table(parsed, name, template, fit) for name in parsed if parsed[name])
        empty = sum(orjson.dumps(name).count(b'"') for name in parsed if not parsed[name])
        refuse_repeats(text, empty + sum(each.text.count('"') for each in tables), template)
        return cls(tables, (*notes,))


def merge(fragments: Iterable[Fragment], device: str) -> list[Table]:
    """All tables by name. Raises FindingsError where two templates set one field (TPL001)."""
    merged: dict[str, Table] = {}
    repeated: list[Finding] = []
    for fragment in fragments:
        for table in fragment.tables:
            first = merged.get(table.name)
            merged[table.name] = _joined(first, table, device, repeated) if first else table
    if repeated:
        raise FindingsError(Report.of(repeated))
    return [merged[name] for name in sorted(merged)]


def _table(parsed: Tables, name: str, template: str, fit: Callable[[Rows], Rows]) -> Table:
    """Views come sorted, so the rows keep the order that the template gives them."""
    rows: Rows = parsed[name]
    if not all(map(in_order, set(map(tuple, rows.values())))):
        rows = {key: by_name(row) for key, row in rows.items()}
    return Table(name, fit(rows), format_table(name, rows), template)


def _once(rows: Rows) -> Rows:
    """The rows with equal ones as one object: ports of a switch have few kinds of them."""
    known: dict[tuple[tuple[str, object], ...], Mapping[str, object]] = {}
    try:
        return {key: known.setdefault(tuple(row.items()), row) for key, row in rows.items()}
    except TypeError:  # a list in a row, which has no hash
        return rows


def _compact(rows: Rows) -> Rows:
    """The rows with equal short words, and empty rows, held once: devices have millions."""
    known = _WORDS
    for row in rows.values():
        for field, value in row.items():
            if type(value) is str and len(value) <= _SHORT:
                word = known.get(value)
                if word is not None:
                    row[field] = word  # type: ignore[index] # it was parsed a moment ago
                elif len(known) < _MOST_WORDS:
                    known[value] = value
    return {key: row or _NOTHING for key, row in rows.items()}


def _joined(first: Table, second: Table, device: str, repeated: list[Finding]) -> Table:
    rows: dict[str, Mapping[str, object]] = dict(first.rows)
    for key, row in second.rows.items():
        mine = rows.get(key, {})
        repeated += [_twice(first, second, device, key, field) for field in row if field in mine]
        rows[key] = {**row, **mine}
    joined = ordered(rows)
    origin = f"{first.origin}, {second.origin}"
    return Table(first.name, joined, format_table(first.name, joined), origin)


def _twice(first: Table, second: Table, device: str, key: str, field: str) -> Finding:
    mine, theirs = first.rows[key][field], second.rows[key][field]
    return Finding(
        rule="TPL001",
        severity=Severity.ERROR,
        message=f"{first.name}|{key}|{field} is set twice: {mine!r} by {first.origin}, "
        f"{theirs!r} by {second.origin}",
        hint="an extra template adds rows and fields; to change one, replace the template",
        file=second.origin,
        device=device,
        table=first.name,
        key=key,
        field=field,
    )
