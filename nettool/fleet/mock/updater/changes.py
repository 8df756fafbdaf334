"""The difference between two CONFIG_DBs as an updater sees it: the shortest JSON Patch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Db = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Op:
    """One operation: `add`, `remove` or `replace` at a path of names."""

    op: str
    path: tuple[str, ...]
    value: Any = None


def difference(old: Any, new: Any, path: tuple[str, ...] = ()) -> Iterator[Op]:
    """Operations from `old` to `new`: whole tables, whole rows or single fields."""
    if old == new:
        return
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        yield Op("replace", path, new)
        return
    for name in sorted(set(old) - set(new)):
        yield Op("remove", (*path, name))
    for name in sorted(set(new) - set(old)):
        yield Op("add", (*path, name), new[name])
    for name in sorted(set(old) & set(new)):
        yield from difference(old[name], new[name], (*path, name))


def changed_rows(old: Db, new: Db) -> list[tuple[str, str]]:
    """Table and key of every row that is not the same in both."""
    rows = []
    for table in sorted(set(old) | set(new)):
        before, after = old.get(table, {}), new.get(table, {})
        rows += [
            (table, key)
            for key in sorted(set(before) | set(after))
            if before.get(key) != after.get(key)
        ]
    return rows
