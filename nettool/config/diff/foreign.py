"""Rows that are left alone, and named: of tables without a model, and of operators' tables.

A table that SONiC has no model of is a vendor's own, say: a switch's updater takes no patch that
names it. Rows that only the running configuration has there are no difference; what the intent has
there is written by a reload. ACLs, users and the like are whose who run the switch.
"""

from __future__ import annotations

from collections.abc import Mapping

from nettool.config.diff.meaning import meaning_of
from nettool.config.nos.artifact import Tables
from nettool.config.nos.models import modelled


def left_alone(running: Tables, intended: Tables) -> dict[str, int]:
    """How many rows only the running configuration has, of each table without a model."""
    tables = sorted(set(running) - modelled())
    counts = {t: sum(key not in intended.get(t, {}) for key in running[t]) for t in tables}
    return {table: count for table, count in counts.items() if count}


def operators_own(running: Tables, intended: Tables) -> dict[str, int]:
    """How many rows whoever runs the switch keeps there, of each table that is theirs to fill."""
    tables = meaning_of(on_switch=True).operator_tables - set(intended)
    return {table: len(running[table]) for table in sorted(tables & set(running))}


def left_alone_text(rows: Mapping[str, int]) -> str:
    """The same as a sentence; empty where nothing is left alone."""
    if not rows:
        return ""
    what = "it" if len(rows) == 1 else "them"
    return f"left alone: {_counted(rows)}, SONiC has no model of {what}"


def operators_own_text(rows: Mapping[str, int]) -> str:
    """The same of operators' rows; empty where there are none."""
    return f"left to whoever runs it, not judged: {_counted(rows)}" if rows else ""


def _counted(rows: Mapping[str, int]) -> str:
    return ", ".join(f"{t} ({n} {'row' if n == 1 else 'rows'})" for t, n in rows.items())
