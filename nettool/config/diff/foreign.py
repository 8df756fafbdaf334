"""Rows of tables that SONiC has no model of, a vendor's own say: left alone, and named.

A switch's updater takes no patch that names such a table. Rows that only the running
configuration has there are no difference; what the intent has there is written by a reload.
"""

from __future__ import annotations

from collections.abc import Mapping

from nettool.config.nos.artifact import Tables
from nettool.config.nos.models import modelled


def left_alone(running: Tables, intended: Tables) -> dict[str, int]:
    """How many rows only the running configuration has, of each table without a model."""
    counts = {
        table: sum(key not in intended.get(table, {}) for key in running[table])
        for table in sorted(set(running) - modelled())
    }
    return {table: count for table, count in counts.items() if count}


def left_alone_text(rows: Mapping[str, int]) -> str:
    """The same as a sentence; empty where nothing is left alone."""
    if not rows:
        return ""
    tables = ", ".join(f"{t} ({n} {'row' if n == 1 else 'rows'})" for t, n in rows.items())
    return f"left alone: {tables}, SONiC has no model of {'it' if len(rows) == 1 else 'them'}"
