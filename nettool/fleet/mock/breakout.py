"""A cage's ports by breakout mode, and which rows hold a port: the switch's own side of it.

Names, lanes and index of children: sonic-config-engine portconfig.py (BreakoutCfg); admin_status,
mtu and FEC are nobody's there, so children come without them.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nettool.fleet.mock.updater.rules import model_rules

if TYPE_CHECKING:
    from nettool.fleet.mock.spec import ConfigDb, SwitchSpec

_ENTRY = re.compile(r"(\d+)x(\d+)G?(?:\[[^\]]*\])?(?:\((\d+)\))?")


def children(spec: SwitchSpec, parent: str, mode: str) -> dict[str, dict[str, str]]:
    """The PORT rows of a cage in one of its modes."""
    facts, aliases = spec.own_ports()[parent], spec.breakouts[parent][mode]
    lanes, base = facts.lanes.split(","), int(parent.removeprefix("Ethernet"))
    entries = [_ENTRY.fullmatch(part) for part in mode.split("+")]
    rows: dict[str, dict[str, str]] = {}
    lane = 0
    for entry in entries:
        if entry is None:
            raise ValueError(f"breakout mode {mode} cannot be read")
        count, speed = int(entry[1]), int(entry[2]) * 1000
        each = int(entry[3] or len(lanes)) // count
        for _ in range(count):
            rows[f"Ethernet{base + lane}"] = {
                "alias": aliases[len(rows)],
                "lanes": ",".join(lanes[lane : lane + each]),
                "speed": str(speed),
                "index": facts.index or "0",
            }
            lane += each
    return rows


def holding(config: ConfigDb, ports: set[str]) -> Iterator[tuple[str, str]]:
    """Table and key of every row that refers to one of these ports; of CABLE_LENGTH, the field."""
    for rule in model_rules()["references"]:
        if rule["to"] != "PORT" and rule.get("or") != "PORT":
            continue
        for key in config.get(rule["table"], {}):
            parts = key.split("|")
            if "key" in rule and len(parts) > rule["key"] and parts[rule["key"]] in ports:
                yield rule["table"], key
    for key, row in config.get("CABLE_LENGTH", {}).items():
        yield from (("CABLE_LENGTH", f"{key}|{port}") for port in sorted(ports & set(row)))


def without(config: ConfigDb, ports: set[str], held: list[tuple[str, str]]) -> ConfigDb:
    """The configuration without these ports and the rows and fields that hold them."""
    gone = {*held, *(("PORT", port) for port in ports)}
    kept = {
        table: {key: row for key, row in rows.items() if (table, key) not in gone}
        for table, rows in config.items()
    }
    for key, row in kept.get("CABLE_LENGTH", {}).items():
        kept["CABLE_LENGTH"][key] = {
            port: length
            for port, length in row.items()
            if ("CABLE_LENGTH", f"{key}|{port}") not in gone
        }
    return {table: copy.deepcopy(rows) for table, rows in kept.items() if rows}
