"""A change set as RFC 6902 operations that the switch's updater takes.

The updater refuses a table that becomes empty: its last key goes with `remove /TABLE`, its
first comes with `add /TABLE {...}`. In a pointer `~` is written `~0` and `/` is written `~1`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialects.sonic.routing import written_out

Operation = dict[str, object]


def to_patch(changes: ChangeSet, running: Tables) -> list[Operation]:
    """The operations that make `changes` on `running`; additions before removals in a table."""
    by_table: dict[str, list[Change]] = defaultdict(list)
    for change in changes.changes:
        by_table[change.table].append(change)
    return [
        operation
        for table, own in by_table.items()
        for operation in _table(table, own, set(running.get(table, {})))
    ]


def pointer(*parts: str) -> str:
    """A JSON pointer to nested keys."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in parts)


def _table(table: str, changes: list[Change], keys: set[str]) -> Iterator[Operation]:
    rows = [each for each in changes if each.field is None]
    removed = {each.key for each in rows if each.kind is ChangeKind.REMOVE}
    added = {each.key: each.after for each in rows if each.kind is ChangeKind.ADD}
    if not keys:
        yield _operation("add", pointer(table), added)
    elif removed >= keys and not added:
        yield {"op": "remove", "path": pointer(table)}
    else:
        for change in sorted(changes, key=lambda each: each.kind is ChangeKind.REMOVE):
            yield _change(change)


def _change(change: Change) -> Operation:
    parts = (
        (change.table, change.key)
        if change.field is None
        else (change.table, change.key, change.field)
    )
    if change.kind is ChangeKind.REMOVE:
        stands = written_out(change.table, change.field)
        if stands is not None:
            return _operation("replace", pointer(*parts), stands)
        return {"op": "remove", "path": pointer(*parts)}
    return _operation(str(change.kind), pointer(*parts), change.after)


def _operation(op: str, path: str, value: object) -> Operation:
    return {"op": op, "path": path, "value": value}
