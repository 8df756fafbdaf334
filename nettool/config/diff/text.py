"""Change sets for people and programs: grouped text, JSON, and shown RFC 6902 patches.

Equal changes on many switches are said once; equal changes of many rows, or of many fields of a
row, are one line. Every form masks secrets first.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.diff.masking import masked
from nettool.config.diff.patch import Operation, to_patch
from nettool.config.diff.words import shown
from nettool.config.nos.artifact import Tables
from nettool.core.finding import SCHEMA_VERSION
from nettool.core.order import natural
from nettool.core.spans import named, spans

_SIGN = {ChangeKind.ADD: "+", ChangeKind.REMOVE: "-", ChangeKind.REPLACE: "~"}
_FIELDS = ("table", "key", "field", "before", "after")


class _Line(NamedTuple):
    """One line of text but for its rows: `fields` is empty where whole rows come or go."""

    table: str
    sign: str
    fields: tuple[str, ...]
    value: str

    def told(self, rows: Sequence[str]) -> str:
        """Its rows, their fields and the value, many names in few words."""
        if not self.fields:
            return f"{self.sign} {named(rows, 'rows')}{self.value}"
        ports = all(each.startswith("Ethernet") for each in self.fields)
        fields = named(self.fields, "ports" if ports else "fields")
        return f"{self.sign} {named(rows, 'rows')} {fields} {self.value}"

    def each(self, rows: Sequence[str]) -> Iterator[str]:
        """The same, a line for each field of each row."""
        for row in rows:
            if not self.fields:
                yield f"{self.sign} {row}{self.value}"
            for name in self.fields:
                yield f"{self.sign} {row} {name} {self.value}"


def as_text(change_sets: Iterable[ChangeSet], *, every: bool = False) -> str:
    """All changes as text: once for all switches that share them, then by table and row.

    With `every` each row and field is a line of its own, and each switch is named.
    """
    by_line: dict[_Line, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for changes in map(masked, change_sets):
        for line, keys in _lines(changes.changes).items():
            by_line[line][changes.device] = tuple(sorted(keys, key=natural))
    if not by_line:
        return "no differences\n"
    return "\n".join(_sections(by_line, every=every))


def as_json(change_sets: Iterable[ChangeSet]) -> dict[str, object]:
    """The JSON form: `devices`, each with its `changes`, in order."""
    return {
        "schema_version": SCHEMA_VERSION,
        "devices": [
            {"device": each.device, "changes": [_change_json(c) for c in each.changes]}
            for each in map(masked, change_sets)
        ],
    }


def changes_of(told: Iterable[Mapping[str, Any]]) -> tuple[Change, ...]:
    """The changes of one device from their JSON form."""
    return tuple(Change(ChangeKind(each["op"]), *(each[name] for name in _FIELDS)) for each in told)


def as_patch(changes: ChangeSet, running: Tables) -> list[Operation]:
    """The RFC 6902 form for the eye: secrets masked, so not fit to be applied."""
    return to_patch(masked(changes), running)


def _lines(changes: Iterable[Change]) -> dict[_Line, list[str]]:
    """The lines of one device with their rows: equal changes of a row's fields together."""
    fields: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for change in changes:
        said = (change.table, _SIGN[change.kind], _value(change), change.key)
        fields[said] += [change.field] if change.field is not None else []
    lines: dict[_Line, list[str]] = defaultdict(list)
    for (table, sign, value, key), names in fields.items():
        lines[_Line(table, sign, tuple(sorted(names, key=natural)), value)].append(key)
    return lines


def _sections(by_line: dict[_Line, dict[str, tuple[str, ...]]], *, every: bool) -> Iterator[str]:
    by_place: dict[tuple[str, ...], list[tuple[_Line, tuple[str, ...]]]] = defaultdict(list)
    for line, keys_of in by_line.items():
        alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for device, keys in keys_of.items():
            alike[keys].append(device)
        for rows, sharing in alike.items():
            by_place[tuple(sorted(sharing, key=natural))].append((line, rows))
    told: set[str] = set()
    for devices in sorted(by_place, key=lambda each: (-len(each), [natural(d) for d in each])):
        more = "more " if told.issuperset(devices) else ""
        yield _section(devices, by_place[devices], more, every=every)
        told.update(devices)


def _section(
    devices: Sequence[str], lines: list[tuple[_Line, tuple[str, ...]]], more: str, *, every: bool
) -> str:
    """The changes of switches that share them; `more`: they have others above."""
    count = sum(len(keys) * max(len(line.fields), 1) for line, keys in lines)
    noun = "change" if count == 1 else "changes"
    apiece = " each" if len(devices) > 1 else ""
    who = ", ".join(spans(devices)) if every else named(devices, "switches")
    text = [f"{who}: {count} {more}{noun}{apiece}"]
    shown = ""
    for line, keys in sorted(lines, key=lambda pair: (pair[0].table, natural(pair[1][0]))):
        if line.table != shown:
            text.append(f"  {line.table}")
            shown = line.table
        told = line.each(keys) if every else (line.told(keys),)
        text.extend(f"    {each}" for each in told)
    return "\n".join(text) + "\n"


def _value(change: Change) -> str:
    """What a change says of its field, or of the row that comes or goes."""
    if change.field is None:
        row = change.after if change.after is not None else change.before
        return _row(row) if isinstance(row, dict) else ""
    before, after = shown(change.before), shown(change.after)
    if change.kind is ChangeKind.REPLACE:
        return f"{before} -> {after}"
    return after if change.before is None else before


def _row(row: Mapping[str, object]) -> str:
    """A row's fields; those that differ in a number and hold the same are told as a span."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name, value in row.items():
        alike[shown(value)].append(name)
    folded = {value: spans(names) for value, names in alike.items()}
    told = {
        span: value
        for value, names in folded.items()
        for span in (names if len(names) < len(alike[value]) else alike[value])
    }
    return "".join(f" {name}={told[name]}" for name in sorted(told, key=natural))


def _change_json(change: Change) -> dict[str, object]:
    return {
        "op": str(change.kind),
        "table": change.table,
        "key": change.key,
        "field": change.field,
        "before": json.loads(json.dumps(change.before)),
        "after": json.loads(json.dumps(change.after)),
    }
