"""What a running bgp container does not follow of a change: FRR goes on as it was started.

CONFIG_DB takes such a change at once, and the two part ways until the container starts again.
The rules are data (`data/routing.yaml`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from nettool.config.nos.artifact import Tables
from nettool.core.provenance import Trust

_DATA = Path(__file__).parent / "data" / "routing.yaml"
_EVERY = ("add", "remove", "replace")
BGPCFGD, FRRCFGD = "bgpcfgd", "frrcfgd"


@dataclass(frozen=True, slots=True)
class Routing:
    """Who runs FRR on a switch, and whether its configuration has an AS number."""

    daemon: str
    speaks: bool

    def waits(self, op: str, table: str, key: str, field: str | None) -> str:
        """Why a change is in force only after a restart; empty where it is at once.

        `field` None is a whole row, `op` one of add, remove, replace.
        """
        rules = _rules().get(table, ())
        rule = next((each for each in rules if self._meant(each, op, key, field)), None)
        if rule is None:
            return ""
        where = f"{table}|{key}" + (f" {field}" if field else "")
        doubt = "" if Trust(rule["trust"]).is_firm else f" ({rule['trust']})"
        return f"{where} is not followed live: {rule['why']}{doubt}"

    def _meant(self, rule: Mapping[str, Any], op: str, key: str, field: str | None) -> bool:
        if rule.get("daemon", self.daemon) != self.daemon or (
            rule.get("speaks") and not self.speaks
        ):
            return False
        if op not in rule.get("operations", _EVERY) or not re.fullmatch(rule.get("key", ".*"), key):
            return False
        if field is None:
            return bool(rule.get("rows"))
        return field in rule.get("fields", ()) or ("but" in rule and field not in rule["but"])


def routing_of(running: Tables) -> Routing:
    """The daemon that a switch with these tables runs, as its bgp container was started."""
    row = running.get("DEVICE_METADATA", {}).get("localhost", {})
    framework = str(row.get("frr_mgmt_framework_config", "")).lower() == "true"
    return Routing(FRRCFGD if framework else BGPCFGD, bool(row.get("bgp_asn")))


def written_out(table: str, field: str | None) -> str | None:
    """What is written where a field goes whose removal nothing follows; None: it just goes."""
    value: str | None = _data()["written_out"].get(table, {}).get(field)
    return value


@cache
def _rules() -> Mapping[str, tuple[Mapping[str, Any], ...]]:
    found: dict[str, tuple[Mapping[str, Any], ...]] = {}
    for rule in _data()["at_start"]:
        found[rule["table"]] = (*found.get(rule["table"], ()), rule)
    return found


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(_DATA.read_text(encoding="utf-8"))
    return data
