"""AsterNOS command text as tables: the view is the table, the line in it the key.

A line of the top view stands in the table `global`. Comments and blank lines say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from nettool.config.nos.artifact import Tables

TOP = "global"


def read_lines(text: str) -> Tables:
    """The lines of a saved configuration by view, e.g. `interface vlan 101` -> `ip address …`."""
    tables: dict[str, dict[str, Mapping[str, object]]] = {}
    views: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("!") or line in {"exit", "end"}:
            continue
        depth = len(raw) - len(raw.lstrip())
        views = [view for view in views if view[0] < depth]
        where = " / ".join(view for _, view in views) or TOP
        tables.setdefault(where, {})[line] = {}
        views.append((depth, line))
    return tables
