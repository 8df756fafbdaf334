"""Differences of two CONFIG_DBs by meaning, not by text.

Order, types, defaults, bracket references, NULL rows and list spellings are no difference. Rows
that only the running configuration has and that a daemon or the switch owns are left alone; a
row the intent has is always compared, whoever else writes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.diff.meaning import Meaning, Row, clean, meaning_of
from nettool.config.nos.artifact import Tables
from nettool.core.order import natural

_NO_ROWS: Mapping[str, Row] = {}


def diff_tables(
    device: str, running: Tables, intended: Tables, *, owned: Meaning | None = None
) -> ChangeSet:
    """The changes that turn `running` into what `intended` means, in a stable order.

    `owned` says what equals what and whose rows are whose; default: SONiC's.
    """
    meaning = owned or meaning_of()
    changes: list[Change] = []
    for table in sorted({*running, *intended}):
        if running.get(table, _NO_ROWS) != intended.get(table, _NO_ROWS):
            changes.extend(_table(table, running, intended, meaning))
    return ChangeSet(device, tuple(changes))


def differs(running: Tables, intended: Tables) -> bool:
    """Whether the two mean something different."""
    return not diff_tables("", running, intended).is_empty


def applied(changes: ChangeSet, running: Tables) -> dict[str, dict[str, dict[str, object]]]:
    """The configuration that `running` becomes once all changes are made."""
    result = {table: {k: clean(row) for k, row in rows.items()} for table, rows in running.items()}
    for change in changes.changes:
        _apply(change, result)
    return {table: rows for table, rows in result.items() if rows}


def _table(table: str, running: Tables, intended: Tables, meaning: Meaning) -> list[Change]:
    have, want = running.get(table, _NO_ROWS), intended.get(table, _NO_ROWS)
    changes: list[Change] = []
    for key in sorted(want, key=natural):
        if key not in have:
            changes.append(Change(ChangeKind.ADD, table, key, None, None, clean(want[key])))
        elif have[key] != want[key]:
            changes.extend(_fields(table, key, have[key], want[key], meaning))
    only_running = [key for key in have if key not in want]
    if only_running and not meaning.keeps_table(table, intended):
        changes.extend(
            Change(ChangeKind.REMOVE, table, key, None, clean(have[key]), None)
            for key in sorted(only_running, key=natural)
            if not meaning.keeps_row(table, key, running, intended)
        )
    return changes


def _fields(table: str, key: str, have: Row, want: Row, meaning: Meaning) -> Iterator[Change]:
    have, want = clean(have), clean(want)
    for field in sorted({*have, *want}):
        before, after = have.get(field), want.get(field)
        if meaning.same(table, field, before, after):
            continue
        if after is None and meaning.is_switch_field(table, field):
            continue
        yield Change(_kind(before, after), table, key, field, before, after)


def _kind(before: object, after: object) -> ChangeKind:
    if before is None:
        return ChangeKind.ADD
    return ChangeKind.REMOVE if after is None else ChangeKind.REPLACE


def _apply(change: Change, result: dict[str, dict[str, dict[str, object]]]) -> None:
    rows = result.setdefault(change.table, {})
    if change.field is not None:
        row = rows.setdefault(change.key, {})
        if change.after is None:
            row.pop(change.field, None)
        else:
            row[change.field] = change.after
    elif isinstance(change.after, Mapping):
        rows[change.key] = dict(change.after)
    else:
        rows.pop(change.key, None)
