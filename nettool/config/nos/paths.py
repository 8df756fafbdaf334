"""What stands near a path that has no value: the tables, keys or fields that were meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from nettool.config.nos.artifact import Tables

_SHOWN = 8


def near(tables: Tables, path: str) -> str:
    """The next words of `TABLE|key|field` that the tables hold, or the names closest to it."""
    name, _, rest = path.partition("|")
    if name not in tables:
        return f"tables: {_some(tables, name)}"
    rows = tables[name]
    key, _, field = rest.rpartition("|")
    if rest in rows:
        return f"fields of {path}: {_some(rows[rest], '')}"
    if key in rows:
        return f"fields of {name}|{key}: {_some(rows[key], field)}"
    return f"keys of {name}: {_some(rows, rest)}"


def _some(names: Iterable[str], wanted: str) -> str:
    known = list(names)
    shown = get_close_matches(wanted, known, _SHOWN, 0.6) or known[:_SHOWN]
    return ", ".join(shown) + (", …" if len(known) > len(shown) else "")
