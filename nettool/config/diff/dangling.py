"""Rows of others that would be left naming a port, a port channel or a VLAN that goes.

What nettool writes itself goes with it. What is left alone (rows of operators, tables without a
model) is nobody's to change here: the plan is blocked, whatever was consented to, until it is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nettool.config.diff.meaning import Row, spelled
from nettool.config.diff.steps import names
from nettool.config.nos.artifact import Tables
from nettool.config.nos.models import modelled
from nettool.core.order import natural

NAMING = frozenset({"ports", "IN_PORTS", "OUT_PORTS", "src_port", "dst_port", "members", "src_intf",
                    "interface_list", "agent_id"})  # fmt: skip
"""Fields that name ports (sonic-acl, -mirror-session, -vlan, -portchannel, -ntp, -pbh, -sflow)."""
_NAMED = ("PORT", "PORTCHANNEL", "VLAN")
_NO_ROWS: Mapping[str, Row] = {}


def dangling(running: Tables, target: Tables) -> tuple[str, ...]:
    """A sentence for each row of `target` that names what only `running` has."""
    gone = {
        name
        for table in _NAMED
        for name in running.get(table, _NO_ROWS)
        if name not in target.get(table, _NO_ROWS)
    }
    return tuple(_told(running, target, gone)) if gone else ()


def named_in(table: str, row: Row) -> Iterator[tuple[str, set[str]]]:
    """What each field of a row names: lists of ports, and anything in a table without a model."""
    fields = NAMING & set(row) if table in modelled() else set(row)
    for field in sorted(fields):
        yield field, {part.strip() for part in spelled(row[field]).split(",")}


def _told(running: Tables, target: Tables, gone: set[str]) -> Iterator[str]:
    for table, rows in target.items():
        kept = running.get(table, _NO_ROWS)
        for key in rows if table not in _NAMED else ():
            if key not in kept:
                continue
            if found := gone & {part for each in key.split("|") for part in each.split(",")}:
                yield f"{table}|{key} is of {_going(found)}: remove that row first"
                continue
            for field, named in named_in(table, rows[key]):
                if found := gone & named:
                    yield (f"{table}|{key} {field} names {_going(found)}: take it out there first")


def _going(found: set[str]) -> str:
    goes = "goes" if len(found) == 1 else "go"
    return f"{names(sorted(found, key=natural))}, which {goes}"
