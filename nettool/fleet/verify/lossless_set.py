"""Which priorities of which ports must lose nothing."""

from __future__ import annotations

from nettool.config.nos.artifact import Tables


def lossless_places(tables: Tables) -> frozenset[str]:
    """`port|priority` of everything that PORT_QOS_MAP pauses."""
    return frozenset(
        f"{port}|{priority.strip()}"
        for port, row in tables.get("PORT_QOS_MAP", {}).items()
        for priority in str(row.get("pfc_enable", "")).split(",")
        if priority.strip() and port != "global"
    )
