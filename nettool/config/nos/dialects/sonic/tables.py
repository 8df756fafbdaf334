"""CONFIG_DB as text and as tables: parse with duplicates found, natural order, stable bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import orjson

from nettool.config.nos.artifact import Tables
from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Report, Severity
from nettool.core.order import natural

_OBJECT = {dict}


def parse_config_db(text: str, file: str | None = None) -> Tables:
    """The tables of a config_db.json.

    Raises FindingsError where it is broken (CDB001), has one key twice in an object (CDB002), or
    is not of that shape (CDB003).
    """
    data = parse_once(text, file)
    refuse_repeats(text, orjson.dumps(data).count(b'"'), file)
    return data


def parse_once(text: str, file: str | None = None) -> Tables:
    """As `parse_config_db`, but of keys that stand twice the last one: see `refuse_repeats`."""
    try:
        data = orjson.loads(text)
    except orjson.JSONDecodeError as exc:
        raise _broken(file, exc.lineno, exc.colno, exc.msg) from exc
    problem = _shape(data)
    if problem:
        raise _error("CDB003", problem, "tables hold rows, rows hold fields", file=file)
    return data  # type: ignore[no-any-return] # its shape was just checked


def refuse_repeats(text: str, quotes: int, file: str | None = None) -> None:
    """Raises FindingsError where an object of the text has one key twice (CDB002).

    `quotes` are those of what was parsed, written again: a pair that was dropped takes its own
    along, so equal numbers are proof.
    """
    if "\\u0022" in text or text.count('"') != quotes:
        _refuse_duplicates(text, file)


def ordered(rows: Mapping[str, Mapping[str, object]]) -> dict[str, dict[str, object]]:
    """Rows and their fields in the natural order of their names."""
    return {key: by_name(rows[key]) for key in sorted(rows, key=natural)}


def format_table(name: str, rows: Mapping[str, Mapping[str, object]]) -> str:
    """One table as it stands inside a config_db.json, without the comma after it."""
    return orjson.dumps({name: rows}, option=orjson.OPT_INDENT_2).decode()[2:-2]


def format_file(tables: Iterable[str]) -> str:
    """A whole config_db.json of formatted tables, which come in their order."""
    return "{\n" + ",\n".join(tables) + "\n}\n"


def by_name(row: Mapping[str, object]) -> dict[str, object]:
    """A row with its fields in the natural order of their names."""
    order = _field_order(tuple(row))
    return {field: row[field] for field in order} if order else dict(row)


def in_order(fields: tuple[str, ...]) -> bool:
    """True for fields that stand in the natural order of their names."""
    return not _field_order(fields)


@lru_cache(maxsize=4096)
def _field_order(fields: tuple[str, ...]) -> tuple[str, ...]:
    """The order of these fields, empty where they have it: found once for the rows of a table."""
    order = tuple(sorted(fields, key=natural))
    return () if order == fields else order


def _refuse_duplicates(text: str, file: str | None) -> None:
    repeated: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        for key, value in pairs:
            if key in seen:
                repeated.append(key)
            seen[key] = value
        return seen

    json.loads(text, object_pairs_hook=collect)
    if repeated:
        names = ", ".join(dict.fromkeys(repr(each) for each in repeated))
        raise _error("CDB002", f"set twice in one object: {names}", "keep one of them", file=file)


def _shape(data: object) -> str | None:
    if not isinstance(data, dict):
        return f"a CONFIG_DB is an object of tables, not {_kind(data)}"
    for table, rows in data.items():
        if not isinstance(rows, dict):
            return f"table {table} is an object of rows, not {_kind(rows)}"
        if not _OBJECT.issuperset(map(type, rows.values())):
            key, row = next(each for each in rows.items() if not isinstance(each[1], dict))
            return f"row {table}|{key} is an object of fields, not {_kind(row)}"
    return None


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", int: "a number", float: "a number", bool: "a boolean"}
    return names.get(type(value), "null")


def _broken(file: str | None, line: int, column: int, problem: str) -> FindingsError:
    hint = "mend the syntax at this place"
    return _error("CDB001", f"not valid JSON: {problem}", hint, file=file, line=line, column=column)


def _error(rule: str, message: str, hint: str, **place: Any) -> FindingsError:
    finding = Finding(rule=rule, severity=Severity.ERROR, message=message, hint=hint, **place)
    return FindingsError(Report.of([finding]))
