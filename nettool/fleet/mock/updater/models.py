"""What the models say of a whole CONFIG_DB, as far as the mock checks it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nettool.fleet.mock.updater.rules import model_rules

Db = Mapping[str, Mapping[str, Any]]


def violation(config: Db) -> str | None:
    """The first thing the models refuse in this CONFIG_DB, or None."""
    return next(_violations(config), None)


def unmodelled(config: Db) -> list[str]:
    """Tables that no model knows."""
    known = set(model_rules()["modelled"])
    return sorted(table for table in config if table not in known)


def _violations(config: Db) -> Iterator[str]:
    rules = model_rules()
    yield from _keys(config, rules["keys"])
    yield from _mandatory(config, rules["mandatory"])
    yield from _values(config, rules["values"])
    yield from _base_rows(config, rules["base_rows"])
    for rule in rules["references"]:
        yield from _reference(config, rule)
    yield from _wred(config)
    yield from _watchdog(config)
    yield from _lanes(config)


def _keys(config: Db, patterns: Mapping[str, str]) -> Iterator[str]:
    for table, pattern in patterns.items():
        for key in config.get(table, {}):
            if not re.match(pattern, key):
                yield f"Data Loading Failed: {table}: key {key!r} does not match {pattern}"


def _mandatory(config: Db, fields: Mapping[str, list[str]]) -> Iterator[str]:
    for table, names in fields.items():
        for key, row in config.get(table, {}).items():
            for name in names:
                if name not in row:
                    yield f'Data Loading Failed: Missing required element "{name}" in {table}|{key}'


def _values(config: Db, tables: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for table, fields in tables.items():
        for key, row in config.get(table, {}).items():
            for name, allowed in fields.items():
                if name in row and not _fits(row[name], allowed):
                    yield (
                        f'Data Loading Failed: Invalid value "{row[name]}" in "{name}" '
                        f"element of {table}|{key}"
                    )


def _fits(value: Any, allowed: Any) -> bool:
    if isinstance(allowed, list):
        return value in allowed
    if not re.fullmatch(r"-?\d+", str(value)):
        return False
    return bool(allowed["min"] <= int(value) <= allowed["max"])


def _base_rows(config: Db, tables: list[str]) -> Iterator[str]:
    for table in tables:
        rows = config.get(table, {})
        for key in rows:
            base = key.partition("|")[0]
            if base not in rows:
                yield f"Data Loading Failed: Must condition not satisfied: {table}|{key}"


def _reference(config: Db, rule: Mapping[str, Any]) -> Iterator[str]:
    targets = set(config.get(rule["to"], {})) | set(config.get(rule.get("or", ""), {}))
    allowed = targets | set(rule.get("except", ()))
    for key, row in config.get(rule["table"], {}).items():
        for name in _names(key, row, rule):
            if name not in allowed:
                place = rule.get("field", "key")
                yield (
                    f'Data Loading Failed: Leafref "{rule["to"]}" of value "{name}" points to a '
                    f"non-existing leaf: {rule['table']}|{key} {place}"
                )


def _names(key: str, row: Mapping[str, Any], rule: Mapping[str, Any]) -> list[str]:
    key_parts = key.split("|")
    if "parts" in rule and len(key_parts) != rule["parts"]:
        return []
    if "key" in rule:
        return [key_parts[rule["key"]]] if len(key_parts) > rule["key"] else []
    value = row.get(rule["field"])
    if value is None:
        return []
    return str(value).split(",") if rule.get("list") else [str(value)]


def _wred(config: Db) -> Iterator[str]:
    for key, row in config.get("WRED_PROFILE", {}).items():
        for colour in ("green", "yellow", "red"):
            low, high = row.get(f"{colour}_min_threshold"), row.get(f"{colour}_max_threshold")
            if high is not None and (low is None or int(high) < int(low)):
                yield (
                    "Data Loading Failed: Must condition not satisfied: "
                    f"WRED_PROFILE|{key} {colour}_max_threshold"
                )


def _watchdog(config: Db) -> Iterator[str]:
    rows = config.get("PFC_WD", {})
    poll = int(rows.get("GLOBAL", {}).get("POLL_INTERVAL", 0))
    for key, row in rows.items():
        for name in ("detection_time", "restoration_time"):
            if name in row and int(row[name]) < poll:
                yield f"Data Loading Failed: Must condition not satisfied: PFC_WD|{key} {name}"


def _lanes(config: Db) -> Iterator[str]:
    used: dict[str, str] = {}
    for port, row in config.get("PORT", {}).items():
        for lane in (part.strip() for part in str(row.get("lanes", "")).split(",")):
            if not lane.isdigit():
                yield f"PORT '{port}' has an invalid lane '{lane}'"
            elif lane in used:
                yield f"'{lane}' lane is used multiple times in PORT: {{'{port}', '{used[lane]}'}}"
            used[lane] = port
