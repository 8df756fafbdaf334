"""References: rows that other rows name must be there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nettool.config.validate.constraints import Constraints, constraints
from nettool.config.validate.rule import Context, Fault, device_rule, table_rule
from nettool.config.validate.spelling import items_of, nearest, unbracketed
from nettool.config.validate.tables import Config, Table
from nettool.core.finding import Severity

_MADE_BY_THE_SWITCH = re.compile(r"pg_lossless_[0-9]+_[0-9]+m_profile")
Named = tuple[str, str | None, str, tuple[str, ...]]
"""Key, field (None where the key itself refers), the name, the tables it may stand in."""


@device_rule(
    "REF001",
    "a reference to a row that is not there",
    Severity.ERROR,
    reads=(),
    why="orchagent waits for the row for ever: the setting is not applied, and nothing says so. "
    "A schema check refuses the file.",
    fix="Add the row, or name one that is there.",
    source="sonic-buildimage 086b03bd src/sonic-yang-models (leafrefs); sonic-swss orch.cpp "
    "resolveFieldRefValue",
)
def referent_is_there(config: Config, _context: Context) -> Iterator[Fault]:
    """Fields and key parts that name a missing row.

    In a fragment, tables that are not in the file are taken as present on the switch.
    """
    for name, table in config.tables.items():
        for targets, texts in table.briefly("referents", _referents):
            if texts.difference(*map(config.rows, targets)):
                break
        else:
            continue
        for key, field, text, targets in table.briefly("references", _named):
            if any(text in config.rows(each) for each in targets):
                continue
            if config.is_whole or any(each in config for each in targets):
                yield _missing(config, name, key, field, text, targets)


@table_rule(
    "REF002",
    "a reference in brackets",
    Severity.ERROR,
    why="Since the 202111 release references are plain names; the old form [TABLE|name] is "
    "refused by the schema and not resolved by orchagent.",
    fix="Write the name alone.",
    source="sonic-net/sonic-buildimage pull request 10663",
)
def reference_is_plain(table: Table) -> tuple[Fault, ...]:
    """Values such as `[BUFFER_PROFILE|x]`."""
    if not table.may_be_old:
        return ()
    return tuple(
        Fault(table.name, key, field, f"{value} is the old form; {plain[1]} is expected",
              f'write "{plain[1]}"')
        for key, row in table.rows.items()
        for field, value in row.items()
        if isinstance(value, str) and value.startswith("[") and (plain := unbracketed(value))
    )  # fmt: skip


def _referents(table: Table) -> tuple[tuple[tuple[str, ...], frozenset[str]], ...]:
    """The names that a table refers to, by the tables they may stand in."""
    known = constraints().get(table.name)
    texts: dict[tuple[str, ...], set[str]] = {}
    if table.name == "CABLE_LENGTH":
        texts["PORT",] = {port for row in table.rows.values() for port in row}
    elif known is not None:
        for found, targets in (*_in_keys(table, known), *_in_fields(table, known)):
            named = found.difference(known.words)
            if named:
                texts.setdefault(targets, set()).update(named)
    return tuple((targets, frozenset(each)) for targets, each in texts.items())


def _in_keys(table: Table, known: Constraints) -> Iterator[tuple[set[str], tuple[str, ...]]]:
    most = len(known.keys)
    keys = table.split.values() if any(known.keys) else ()
    for place, targets in enumerate(known.keys):
        if targets:
            parts = {each[place] for each in keys if place < len(each) <= most}
            lists = [each for each in parts if "," in each]
            yield parts.difference(lists).union(*(each.split(",") for each in lists)), targets


def _in_fields(table: Table, known: Constraints) -> Iterator[tuple[set[str], tuple[str, ...]]]:
    for field, targets in known.refs.items():
        values = [row[field] for row in table.different if field in row]
        items = {item for value in values for item in items_of(value)}
        yield {each for each in items if each and not each.startswith("[")}, targets


def _named(table: Table) -> tuple[Named, ...]:
    known = constraints().get(table.name)
    if table.name == "CABLE_LENGTH":
        return tuple(
            (key, port, port, ("PORT",)) for key, row in table.rows.items() for port in row
        )
    if known is None:
        return ()
    return (*_from_keys(table, known), *_from_fields(table, known))


def _from_keys(table: Table, known: Constraints) -> Iterator[Named]:
    if not known.keys:
        return
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for key, parts in table.split.items():
        if len(parts) > len(known.keys):
            continue
        for part, targets in zip(parts, known.keys, strict=False):
            for text in part.split(",") if targets else ():
                if text not in known.words and (text, targets) not in seen:
                    seen.add((text, targets))
                    yield key, None, text, targets


def _from_fields(table: Table, known: Constraints) -> Iterator[Named]:
    for key, row in table.rows.items():
        for field, targets in known.refs.items():
            if field in row:
                for text in items_of(row[field]):
                    if text and text not in known.words and not text.startswith("["):
                        yield key, field, text, targets


def _missing(
    config: Config, table: str, key: str, field: str | None, text: str, targets: tuple[str, ...]
) -> Fault:
    where = " or ".join(targets)
    near = nearest(text, (row for each in targets for row in config.rows(each)))
    message = f"{field or table} names {text}; {where} must have that row and has not"
    if table == "BUFFER_PG" and _MADE_BY_THE_SWITCH.fullmatch(text):
        made = (
            "; the switch makes it once the port has this speed and cable, a schema check does not "
            "wait for that"
        )
        return Fault(
            table, key, field, message + made, f"add {targets[0]}|{text}", Severity.WARNING
        )
    other = f"write {near}, or " if near else ""
    gone = "" if field else f"remove the row if {text} is gone, "
    hint = f"{gone}{other}add {targets[0]}|{text}"
    return Fault(table, key, field, message, hint)
