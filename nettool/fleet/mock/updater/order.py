"""The updater's order: which changes it makes, one after the other.

A table at a time, what others point to first on the way in and last on the way out. Ports go
down before their QoS rows change and up afterwards; create-only fields cost a removal.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from nettool.fleet.mock.updater.changes import changed_rows
from nettool.fleet.mock.updater.rules import model_rules, updater_rules

if TYPE_CHECKING:
    from nettool.fleet.mock.spec import ConfigDb


def steps(old: ConfigDb, target: ConfigDb) -> Iterator[ConfigDb]:
    """Each intermediate CONFIG_DB from `old` to `target`; the last one equals `target`."""
    state = old
    for rows in _batches(old, target):
        state = _with_rows(state, target, rows)
        yield state
    if state != target:
        yield target


Rows = dict[tuple[str, str], dict[str, Any] | None]


def _batches(old: ConfigDb, target: ConfigDb) -> Iterator[Rows]:
    rows = changed_rows(old, target)
    gated = _gated_ports(old, target, rows)
    yield from _recreated(old, target, rows)
    for port, port_rows in gated.items():
        running = old["PORT"][port]
        yield {("PORT", port): {**running, "admin_status": "down"}}
        yield {row: target.get(row[0], {}).get(row[1]) for row in port_rows}
        yield {("PORT", port): running}
    done = {row for port_rows in gated.values() for row in port_rows}
    rest = [row for row in rows if row not in done]
    removed = [row for row in rest if row[1] not in target.get(row[0], {})]
    kept = [row for row in rest if row not in set(removed)]
    for table in sorted({t for t, _ in removed}, key=_depth, reverse=True):
        yield {row: None for row in removed if row[0] == table}
    for table in sorted({t for t, _ in kept}, key=_depth):
        yield {row: target[table][row[1]] for row in kept if row[0] == table}


def _gated_ports(
    old: ConfigDb, target: ConfigDb, rows: list[tuple[str, str]]
) -> dict[str, list[tuple[str, str]]]:
    """Rows that need their port down, by port, where the port stays and is up now."""
    tables = updater_rules()["needs_admin_down"]
    gated: dict[str, list[tuple[str, str]]] = {}
    for table, key in rows:
        port = key.partition("|")[0]
        before = old.get("PORT", {}).get(port, {})
        stays = port in target.get("PORT", {})
        ready = _references_exist(old, target, table, key)
        if table in tables and stays and ready and before.get("admin_status") == "up":
            gated.setdefault(port, []).append((table, key))
    return gated


def _references_exist(old: ConfigDb, target: ConfigDb, table: str, key: str) -> bool:
    """False where the new row points to something the same patch brings: then it comes later."""
    row = target.get(table, {}).get(key, {})
    for rule in model_rules()["references"]:
        name = row.get(rule.get("field", "")) if rule["table"] == table else None
        if name is not None and name not in {*old.get(rule["to"], {}), *rule.get("except", ())}:
            return False
    return True


def _recreated(old: ConfigDb, target: ConfigDb, rows: list[tuple[str, str]]) -> Iterator[Rows]:
    for table, key in rows:
        before, after = old.get(table, {}).get(key), target.get(table, {}).get(key)
        names = updater_rules()["create_only"].get(table, ())
        if before is None or after is None or not names:
            continue
        fields = set(before) | set(after) if "*" in names else set(names)
        if any(before.get(f) != after.get(f) for f in fields):
            yield {(table, key): None}


def _with_rows(state: ConfigDb, target: ConfigDb, rows: Rows) -> ConfigDb:
    new = dict(state)
    for (table, key), row in rows.items():
        new[table] = dict(new.get(table, {}))
        if row is None:
            new[table].pop(key, None)
        else:
            new[table][key] = copy.deepcopy(row)
        if not new[table] and table not in target:
            del new[table]
    return new


def _depth(table: str, seen: frozenset[str] = frozenset()) -> int:
    """How many tables stand between this one and one that points nowhere."""
    if table in seen:
        return 0
    below = [r["to"] for r in model_rules()["references"] if r["table"] == table]
    return 1 + max((_depth(t, seen | {table}) for t in below), default=0)
