"""Change sets for people and programs: grouped text, JSON, and shown RFC 6902 patches.

Equal changes on many switches are said once, equal changes on many rows on one line. Every
form masks secrets first.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.diff.masking import masked
from nettool.config.diff.patch import Operation, to_patch
from nettool.config.nos.artifact import Tables
from nettool.core.finding import SCHEMA_VERSION
from nettool.core.order import natural

_SIGN = {ChangeKind.ADD: "+", ChangeKind.REMOVE: "-", ChangeKind.REPLACE: "~"}
_Line = tuple[str, str, str]
_FIELDS = ("table", "key", "field", "before", "after")
SHOWN_KEYS = 3


def as_text(change_sets: Iterable[ChangeSet]) -> str:
    """All changes as text: once for all switches that share them, then by table and row."""
    by_line: dict[_Line, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    quiet = True
    for changes in map(masked, change_sets):
        for change in changes.changes:
            by_line[_line(change)][changes.device].append(change.key)
            quiet = False
    if quiet:
        return "no differences\n"
    return "\n".join(_sections(by_line))


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


def _sections(by_line: dict[_Line, dict[str, list[str]]]) -> Iterator[str]:
    by_place: dict[tuple[str, ...], list[tuple[_Line, tuple[str, ...]]]] = defaultdict(list)
    for line, keys_of in by_line.items():
        alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for device, keys in keys_of.items():
            alike[tuple(sorted(keys, key=natural))].append(device)
        for rows, sharing in alike.items():
            by_place[tuple(sorted(sharing, key=natural))].append((line, rows))
    for devices in sorted(by_place, key=lambda each: (-len(each), [natural(d) for d in each])):
        yield _section(devices, by_place[devices])


def _section(devices: Sequence[str], lines: list[tuple[_Line, tuple[str, ...]]]) -> str:
    count = sum(len(keys) for _, keys in lines)
    noun = "change" if count == 1 else "changes"
    each = " each" if len(devices) > 1 else ""
    text = [f"{_names(devices, 'switches')}: {count} {noun}{each}"]
    shown = ""
    for (table, sign, rest), keys in sorted(
        lines, key=lambda line: (line[0][0], natural(line[1][0]))
    ):
        if table != shown:
            text.append(f"  {table}")
            shown = table
        text.append(f"    {sign} {_names(keys, 'rows')}{rest}")
    return "\n".join(text) + "\n"


def _line(change: Change) -> _Line:
    sign = _SIGN[change.kind]
    if change.field is None:
        row = change.after if change.after is not None else change.before
        fields = row.items() if isinstance(row, dict) else ()
        text = "".join(f" {name}={_shown(value)}" for name, value in fields)
        return change.table, sign, text
    before, after = _shown(change.before), _shown(change.after)
    if change.kind is ChangeKind.REPLACE:
        return change.table, sign, f" {change.field} {before} -> {after}"
    return change.table, sign, f" {change.field} {after if change.before is None else before}"


def _names(names: Sequence[str], noun: str) -> str:
    if len(names) <= SHOWN_KEYS:
        return ", ".join(names)
    return f"{names[0]}, {names[1]} … {names[-1]} ({len(names)} {noun})"


def _shown(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _change_json(change: Change) -> dict[str, object]:
    return {
        "op": str(change.kind),
        "table": change.table,
        "key": change.key,
        "field": change.field,
        "before": json.loads(json.dumps(change.before)),
        "after": json.loads(json.dumps(change.after)),
    }
