"""A user's CONFIG_DB file as tables: whole files, fragments and Redis dumps, broken or not.

Every problem is a finding with line and column; nothing raises for the content of a file. Values
come out as CONFIG_DB holds them: str, or a list of str.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from json import loads
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from nettool.config.validate.broken import diagnose
from nettool.config.validate.constraints import constraints
from nettool.config.validate.places import Packed, Text
from nettool.config.validate.places import Path as KeyPath
from nettool.core.errors import UsageError
from nettool.core.finding import Finding, Severity

MAX_BYTES = 32 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_SHOWN_DUPLICATES = 20
Rows = dict[str, dict[str, Any]]
_TEXT = frozenset({str})
_ROWS = 1 << 16
"""Rows that are remembered to be used again: those of some hundred switches at once."""


@dataclass(frozen=True)
class ConfigFile:
    """One file as it was read. `tables` is None where nothing could be made of it.

    `is_dump` tells the Redis form (`TABLE|key` at the top, values under `value`).
    """

    file: str
    packed: Packed
    tables: dict[str, Rows] | None
    findings: tuple[Finding, ...]
    is_dump: bool = False

    def places(self, findings: list[Finding]) -> list[tuple[int, int]]:
        """Line and column for findings that name a table, key and field of this file."""
        paths = [self._path(each) for each in findings]
        found = self.packed.text.find(paths) if paths else {}
        return [found[path] for path in paths]

    def _path(self, finding: Finding) -> KeyPath:
        parts = [each for each in (finding.table, finding.key, finding.field) if each is not None]
        if not self.is_dump or len(parts) < 2:
            return tuple(parts)
        top = f"{finding.table}|{finding.key}"
        return (top, "value", *parts[2:]) if len(parts) > 2 else (top,)


class Problem(NamedTuple):
    """Something the reader found: its rule, what, what to do, and where in the tables."""

    rule: str
    message: str
    hint: str
    table: str | None = None
    key: str | None = None
    field: str | None = None


def read(path: Path) -> ConfigFile:
    """One file from disk. Raises UsageError where it is missing or unreadable."""
    shown = str(path)
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            return _refused(shown, "JSN007", f"{size} bytes; up to {MAX_BYTES} are read")
        data = path.read_bytes()
    except OSError as exc:
        raise UsageError(f"{shown}: {exc.strerror or exc}") from exc
    return parse(data, shown)


def parse(data: bytes, file: str) -> ConfigFile:
    """One file's bytes; `file` is the name shown in findings."""
    findings: list[Finding] = []
    if data.startswith(_BOM):
        data = data[len(_BOM) :]
        message = "the file begins with a byte-order mark, on which JSON readers of a switch stop"
        problem = Problem("JSN004", message, "save it as UTF-8 without BOM")
        findings.append(_finding(file, problem, (1, 1)))
    try:
        text = Text(data.decode("utf-8"))
    except UnicodeDecodeError as exc:
        return _refused(file, "JSN009", f"not UTF-8 text: byte {exc.start} is {data[exc.start]:#x}")
    try:
        content = orjson.loads(data)
    except orjson.JSONDecodeError:
        broken = diagnose(text.text)
        problem = Problem(broken.rule, broken.message, broken.hint)
        findings.append(_finding(file, problem, text.position(broken.offset)))
        return ConfigFile(file, Packed.of(data), None, tuple(findings))
    if not isinstance(content, dict):
        message = f"the file holds {_kind(content)} where an object of tables is expected"
        findings.append(_finding(file, Problem("JSN008", message, _SHAPE), (1, 1)))
        return ConfigFile(file, Packed.of(data), None, tuple(findings))
    try:
        return _tables(file, text, Packed.of(data), content, findings)
    except RecursionError:
        return _refused(file, "JSN010", "nested hundreds of levels deep; a CONFIG_DB has 3 or 4")


_SHAPE = 'write {"TABLE": {"key": {"field": "value"}}}'


def _refused(file: str, rule: str, message: str) -> ConfigFile:
    hints = {
        "JSN007": "this is no CONFIG_DB of a switch: give its config_db.json",
        "JSN009": "save it as UTF-8",
        "JSN010": "give tables, rows and fields",
    }
    problem = Problem(rule, message, hints[rule])
    return ConfigFile(file, Packed.of(b""), None, (_finding(file, problem, (1, 1)),))


def _tables(
    file: str, text: Text, packed: Packed, content: dict[str, Any], found: list[Finding]
) -> ConfigFile:
    is_dump = _is_dump(content)
    tables = _from_dump(content) if is_dump else content
    sound, faults = normalised(tables)
    reading = ConfigFile(file, packed, sound, (), is_dump)
    bare = [_finding(file, each, (1, 1)) for each in faults]
    placed = [
        _finding(file, fault, place)
        for fault, place in zip(faults, reading.places(bare), strict=True)
    ]
    findings = (*found, *_duplicates(file, text), *placed)
    return ConfigFile(file, packed, sound, findings, is_dump)


def _is_dump(content: Mapping[str, Any]) -> bool:
    rows = sum("|" in key for key in content)
    return rows > 0 and rows * 2 > len(content)


def _from_dump(content: Mapping[str, Any]) -> dict[str, Any]:
    tables: dict[str, Any] = {}
    for name, held in content.items():
        table, _, key = name.partition("|")
        row = held.get("value", held) if isinstance(held, dict) else held
        if not key:
            tables[table] = held
            continue
        if isinstance(row, dict):
            row = {k: v for k, v in row.items() if not (k == "NULL" and v == "NULL")}
            row = {
                k.removesuffix("@"): v.split(",") if k.endswith("@") and isinstance(v, str) else v
                for k, v in row.items()
            }
        rows = tables.setdefault(table, {})
        if isinstance(rows, dict):
            rows[key] = row
    return tables


def normalised(tables: Mapping[str, Any]) -> tuple[dict[str, Rows], list[Problem]]:
    """Tables with every value as CONFIG_DB holds it, and what was not so.

    Rows that are sound are not copied; equal ones of flat text are one object, in every file read.
    """
    sound: dict[str, Rows] = {}
    faults: list[Problem] = []
    for table, rows in tables.items():
        if not isinstance(rows, dict):
            faults.append(_shape("table", rows, table, None))
            continue
        sound[table] = {}
        for key, row in rows.items():
            if not isinstance(row, dict):
                faults.append(_shape("row", row, table, key))
                continue
            if set(map(type, row.values())) <= _TEXT:
                sound[table][key] = _same(tuple(row.items()))
                continue
            kept = row if _is_sound(row) else _mended(row, table, key, faults)
            sound[table][key] = _flattened(kept, table, key, faults)
    return sound, faults


@lru_cache(maxsize=_ROWS)
def _same(items: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The one row with these fields: ports and their queues are alike by the thousand."""
    return dict(items)


def _flattened(row: dict[str, Any], table: str, key: str, faults: list[Problem]) -> dict[str, Any]:
    """The row with text where a table that we know holds a list in a field that has none."""
    known = constraints().get(table)
    if known is None or list not in set(map(type, row.values())):
        return row
    flat = dict(row)
    for field, value in row.items():
        if not isinstance(value, list) or field in known.lists:
            continue
        flat[field] = ",".join(value)
        if known.is_text(field):
            message = f"{field} is a list; text is expected, and its daemon reads no list"
            hint = f'write "{flat[field]}"'[:80]
            faults.append(Problem("JSN013", message, hint, table, key, field))
    return flat


def with_text(tables: Mapping[str, Rows]) -> dict[str, Rows]:
    """The tables with text for the lists of tables that no constraints are known of."""
    return {
        name: rows if name in constraints() else {key: _as_text(row) for key, row in rows.items()}
        for name, rows in tables.items()
    }


def _as_text(row: dict[str, Any]) -> dict[str, Any]:
    if list not in set(map(type, row.values())):
        return row
    return {k: ",".join(v) if isinstance(v, list) else v for k, v in row.items()}


def _shape(what: str, value: object, table: str, key: str | None) -> Problem:
    message = f"the {what} is {_kind(value)}; an object is expected"
    return Problem("JSN008", message, _SHAPE, table, key)


def _is_sound(row: dict[str, Any]) -> bool:
    return all(
        type(value) is str or (type(value) is list and set(map(type, value)) <= {str})
        for value in row.values()
    )


def _mended(row: dict[str, Any], table: str, key: str, faults: list[Problem]) -> dict[str, Any]:
    mended: dict[str, Any] = {}
    for field, value in row.items():
        if isinstance(value, str) or (
            isinstance(value, list) and all(isinstance(each, str) for each in value)
        ):
            mended[field] = value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            mended[field] = str(value)
            hint = f'write "{value}": CONFIG_DB holds text'
            faults.append(Problem("JSN012", f"{value} is a JSON number", hint, table, key, field))
        elif isinstance(value, list) and not any(isinstance(e, dict | list) for e in value):
            mended[field] = [str(each) for each in value]
            message = "the list holds values that are no text"
            faults.append(Problem("JSN012", message, "quote each of them", table, key, field))
        else:
            hint = 'write text such as "true", or leave the field out'
            message = f"the value is {_kind(value)}; CONFIG_DB holds text or lists of text"
            faults.append(Problem("JSN011", message, hint, table, key, field))
            if isinstance(value, bool):
                mended[field] = str(value)
    return mended


def _duplicates(file: str, text: Text) -> Iterator[Finding]:
    doubled: list[str] = []

    def pairs(members: list[tuple[str, Any]]) -> Any:
        row = dict(members)
        if len(row) != len(members):
            doubled.append("")
        return row

    loads(text.text, object_pairs_hook=pairs, parse_int=str, parse_float=str)
    if not doubled:
        return
    for count, (path, first, second) in enumerate(text.duplicates()):
        if count == _SHOWN_DUPLICATES:
            break
        message = f"key {path[-1]!r} stands twice; the one on line {first[0]} is silently dropped"
        yield _finding(file, Problem("JSN002", message, "keep one of the two"), second)


def _finding(file: str, problem: Problem, place: tuple[int, int]) -> Finding:
    severity = Severity.INFO if problem.rule == "JSN012" else Severity.ERROR
    line, column = place
    return Finding(severity=severity, file=file, line=line, column=column, **problem._asdict())


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return f"the JSON word {str(value).lower()}"
    names = {type(None): "null", dict: "an object", list: "a list", str: "text"}
    return names.get(type(value), "a number")
