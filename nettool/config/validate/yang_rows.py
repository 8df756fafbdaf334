"""CONFIG_DB rows as the YANG models' JSON: keys split, lists chosen, joined values divided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nettool.config.nos.artifact import Tables
from nettool.config.validate.yang_schema import Holder, TableShape
from nettool.core.finding import Finding, Severity

JOINED = {
    ("PORT", "adv_speeds"): ",",
    ("PORT", "adv_interface_types"): ",",
    ("BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list"): ",",
    ("BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list"): ",",
    ("MIRROR_SESSION", "src_ip"): ",",
    ("BGP_ALLOWED_PREFIXES", "prefixes_v4"): ",",
    ("BGP_ALLOWED_PREFIXES", "prefixes_v6"): ",",
    ("NTP", "src_intf"): ";",
}
"""Leaf-lists that CONFIG_DB keeps as one text, and what joins them."""

_PARTS = "the parts of a key are joined with |"


@dataclass(frozen=True, slots=True)
class Converted:
    """Rows as the models' JSON, and what could not be said in it."""

    data: dict[str, Any]
    findings: tuple[Finding, ...]


def convert(tables: Tables, shapes: Mapping[str, TableShape]) -> Converted:
    """All tables; a row or field that no model knows is left out and reported."""
    data: dict[str, Any] = {}
    findings: list[Finding] = []
    for name, rows in tables.items():
        shape = shapes.get(name)
        if shape is None:
            findings.append(_unmodelled(name))
            continue
        converted = _Table(shape, findings).convert(rows)
        if converted:
            top = f"{shape.module}:{shape.top}"
            data.setdefault(top, {})[shape.name] = converted
    return Converted(data, tuple(findings))


class _Table:
    """Converts one table, collecting findings."""

    def __init__(self, shape: TableShape, findings: list[Finding]) -> None:
        self._shape = shape
        self._findings = findings

    def convert(self, rows: Mapping[str, Mapping[str, object]]) -> dict[str, Any]:
        converted: dict[str, Any] = {}
        for key, row in rows.items():
            if key in self._shape.rows:
                converted[key] = dict(self._fields(self._shape.rows[key], key, row))
                continue
            holder = self._holder(key, row)
            if holder:
                names = dict(zip(holder.keys, key.split("|"), strict=True))
                entry = {**names, **dict(self._fields(holder, key, row))}
                converted.setdefault(holder.name, []).append(entry)
        return converted

    def _holder(self, key: str, row: Mapping[str, object]) -> Holder | None:
        """The first list that takes the key and knows every field; else the first with the key."""
        parts = key.split("|")
        fitting = [each for each in self._shape.lists if len(each.keys) == len(parts)]
        if not fitting:
            self._report("YANG003", key, None, self._key_problem(len(parts)), _PARTS)
            return None
        knowing = (each for each in fitting if each.inner or each.fields >= row.keys())
        return next(knowing, fitting[0])

    def _key_problem(self, parts: int) -> str:
        wanted = sorted({" | ".join(each.keys) for each in self._shape.lists})
        known = [*wanted, *sorted(self._shape.rows)]
        return f"the key has {parts} part{'s' * (parts != 1)}; a row is {' or '.join(known)}"

    def _fields(
        self, holder: Holder, key: str, row: Mapping[str, object]
    ) -> Iterator[tuple[str, object]]:
        if holder.inner and not holder.fields:
            yield holder.inner[0].name, list(_entries(holder.inner[0], row))
            return
        for field, value in row.items():
            if field in holder.lists:
                items = self._items(field, value)
                if items:
                    yield field, items
            elif field in holder.leaves and field not in holder.keys:
                yield field, _text(value)
            elif field != "NULL":
                known = ", ".join(sorted(holder.fields)) or "no field"
                self._report("YANG002", key, field, "the models do not know this field", known)

    def _items(self, field: str, value: object) -> list[str]:
        if isinstance(value, list):
            return [] if value == [""] else [_text(each) for each in value]
        joint = JOINED.get((self._shape.name, field))
        text = _text(value)
        return text.split(joint) if joint else [text]

    def _report(self, rule: str, key: str, field: str | None, message: str, hint: str) -> None:
        self._findings.append(
            Finding(
                rule=rule,
                severity=Severity.ERROR,
                message=message,
                hint=f"known are: {hint}" if rule == "YANG002" else hint,
                table=self._shape.name,
                key=key,
                field=field,
            )
        )


def _entries(holder: Holder, row: Mapping[str, object]) -> Iterable[dict[str, str]]:
    """A map row: each field is an entry of the inner list, its key and its one value."""
    name = holder.keys[0]
    value = next(iter(sorted(holder.fields)), name)
    return ({name: field, value: _text(each)} for field, each in row.items())


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(value)


def _unmodelled(table: str) -> Finding:
    return Finding(
        rule="YANG004",
        severity=Severity.INFO,
        message=f"table {table} has no model here, so nothing of it was checked",
        hint="a vendor's own table; the switch refuses to patch it",
        table=table,
    )
