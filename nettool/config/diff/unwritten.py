"""Values that are intended and that no command line can write: counted, named, compared.

A switch's lines say nothing of them, so two texts without a difference may hide one. What is known
is the intent: that of now, and that of the last push.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from nettool.core.errors import UsageError
from nettool.core.order import natural

UNWRITTEN_FILE = "unwritten.json"
SHOWN_VALUES = 3
SHOWN_TABLES = 4
Values = Mapping[str, str]
"""Each value by its path `TABLE|key|field`; of a row without fields it is empty."""


@dataclass(frozen=True, slots=True)
class Unwritten:
    """What no line can write on one switch.

    `preset` are the tables of which the Easy RoCE preset has objects with numbers of its own,
    `unsaid` the features of the grammar that are missing, where somebody may have written lines.
    """

    values: Values = field(default_factory=dict)
    preset: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()

    def said(self, before: Values | None = None) -> tuple[str, ...]:
        """What is to be told: how many, of which tables, and what is not as intended before."""
        if not self.values and not before:
            return ()
        text = (
            f"{_count(self.values)} cannot be written on AsterNOS by lines, and whether the switch "
            f"has them is not known: {_tables(self.values)}"
        )
        if self.preset:
            text += (
                f". playbooks/roce.yml sends the Easy RoCE preset, which brings numbers of its own "
                f"for {', '.join(self.preset)}"
            )
        changed = {} if before is None else changed_values(before, self.values)
        return (text, f"of these {differing(changed)}") if changed else (text,)

    def unseen(self) -> str:
        """How many values were held against nothing; empty where there are none."""
        text = f"{_count(self.values)} that no line can write: not held against the switch"
        return text if self.values else ""

    def as_json(self, before: Values | None = None) -> dict[str, object]:
        """The JSON form: how many, by table, and what is not as intended before."""
        changed = {} if before is None else changed_values(before, self.values)
        return {
            "count": len(self.values),
            "tables": _by_table(self.values),
            "preset": list(self.preset),
            "changed": [
                {"path": path, "before": old, "after": new} for path, (old, new) in changed.items()
            ],
        }


NOTHING_UNWRITTEN = Unwritten()


def read_unwritten(text: str, where: str) -> Unwritten:
    """What unwritten.json of a build says. Raises UsageError where it cannot be read."""
    try:
        data = json.loads(text)
        values = {
            "|".join(filter(None, (table, key, name))): str(value)
            for table, rows in data["tables"].items()
            for key, row in rows.items()
            for name, value in (row or {"": ""}).items()
        }
        return Unwritten(values, tuple(data["preset"]), tuple(data["unsaid"]))
    except (ValueError, KeyError, TypeError, AttributeError) as exc:
        raise UsageError(f"{where}: not what `nettool render` writes ({exc})") from exc


def changed_values(before: Values, after: Values) -> dict[str, tuple[str | None, str | None]]:
    """The values that differ, each with the old and the new one; None where there is none."""
    paths = (path for path in sorted({*before, *after}) if before.get(path) != after.get(path))
    return {path: (before.get(path), after.get(path)) for path in paths}


def differing(changed: Mapping[str, tuple[str | None, str | None]]) -> str:
    """Changed values in words, some of many."""
    shown = [
        f"{path} {'none' if old is None else old or 'there'} -> "
        f"{'none' if new is None else new or 'there'}"
        for path, (old, new) in list(changed.items())[:SHOWN_VALUES]
    ]
    more = f" and {len(changed) - SHOWN_VALUES} more" if len(changed) > SHOWN_VALUES else ""
    verb = "is" if len(changed) == 1 else "are"
    return f"{len(changed)} {verb} not as intended before: {', '.join(shown)}{more}"


def packed(values: Values) -> str:
    """Values as one short word, to be kept on a switch: alike ones on many rows are one entry."""
    rows: dict[str, list[str]] = {}
    for path in sorted(values, key=natural):
        table, _, rest = path.partition("|")
        row, _, name = rest.rpartition("|") if values[path] else (rest, "", "")
        rows.setdefault("|".join((table, name, values[path])), []).append(row)
    return base64.b64encode(zlib.compress(json.dumps(rows).encode(), 9)).decode()


def unpacked(word: object) -> Values | None:
    """Values that were packed; None where nobody has, or they cannot be read."""
    try:
        data = json.loads(zlib.decompress(base64.b64decode(str(word), validate=True)))
        entries = [(*entry.split("|", 2), rows) for entry, rows in data.items()]
        return {
            "|".join(filter(None, (table, row, name))): value
            for table, name, value, rows in entries
            for row in rows
        }
    except (ValueError, TypeError, AttributeError, zlib.error):
        return None


def _count(values: Values) -> str:
    return "1 value" if len(values) == 1 else f"{len(values)} values"


def _by_table(values: Values) -> dict[str, int]:
    return dict(Counter(path.partition("|")[0] for path in values))


def _tables(values: Values) -> str:
    """One value of each of the first tables, with how many more there are."""
    counts = _by_table(values)
    first: dict[str, str] = {}
    for path in values:
        first.setdefault(path.partition("|")[0], path)
    said = [
        first[table] + (f" and {number - 1} more" if number > 1 else "")
        for table, number in list(counts.items())[:SHOWN_TABLES]
    ]
    rest = [f"{table} ({number})" for table, number in list(counts.items())[SHOWN_TABLES:]]
    return ", ".join((*said, *rest))
