"""REST servers for the AsterNOS switches of a running mock fleet, with one authority for all."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from nettool.fleet.mock.certificates import Authority
from nettool.fleet.mock.rest import MockRest


def start_rest(
    listening: Mapping[str, Any], folder: Path, until: ExitStack
) -> dict[str, dict[str, object]]:
    """Start one server beside each AsterNOS switch; they stop with `until`.

    `listening` is what a mock fleet says of itself. Returns the inventory variables by which
    each is reached; empty where the fleet has no AsterNOS.
    """
    rows = {name: row for name, row in listening["switches"].items() if row["nos"] == "asternos"}
    if not rows:
        return {}
    authority = Authority(folder)
    reached: dict[str, dict[str, object]] = {}
    for name, row in rows.items():
        server = until.enter_context(MockRest(authority.server(row["address"]), row["address"]))
        reached[name] = {
            "nettool_rest_port": server.port,
            "nettool_rest_ca": str(authority.ca.resolve()),
        }
    return reached
