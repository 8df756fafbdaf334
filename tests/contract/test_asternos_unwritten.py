"""What SONiC is told and AsterNOS is not by lines is named: no intended table is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import yaml

from nettool.config.diff.unwritten import Values, read_unwritten
from nettool.config.render.render import render
from nettool.intent.load import find_fabric

FABRICS = ("rail-only-128", "rail-optimized-256")
MODES = ("easy", "manual")
ROCE = {"DSCP_TO_TC_MAP", "SCHEDULER", "WRED_PROFILE", "BUFFER_PG", "QUEUE"}
"""By lines where the numbers are the plan's, else by the preset."""
LINES = {
    "BGP_NEIGHBOR", "BREAKOUT_CFG", "INTERFACE", "LOOPBACK_INTERFACE", "MGMT_INTERFACE",
    "PORT_QOS_MAP", "VLAN", "VLAN_INTERFACE", "VLAN_MEMBER",
}  # fmt: skip
OWN = {
    "BGP_DEVICE_GLOBAL": "FRR's own defaults",
    "BUFFER_QUEUE": "SONiC's way to bind the profiles of egress, which are named",
    "CABLE_LENGTH": "what SONiC computes headroom from, which is named",
    "CRM": "SONiC's own thresholds",
    "DEVICE_NEIGHBOR": "says what is cabled, configures nothing",
    "DEVICE_NEIGHBOR_METADATA": "says what is cabled, configures nothing",
    "MAP_PFC_PRIORITY_TO_QUEUE": "one to one, as lines enable queues",
    "MGMT_PORT": "up, or nobody could ask",
    "NTP": "how SONiC's own client is set",
    "TC_TO_PRIORITY_GROUP_MAP": "how SONiC names what classes do",
    "TC_TO_QUEUE_MAP": "how SONiC names what classes do",
}

Values_ = Callable[[str, str], tuple[Values, set[str]]]


@pytest.fixture(scope="module")
def told(plan_intent: Any) -> Values_:
    """What no line writes on leaf01 of a fabric and mode, and the tables that SONiC is told."""

    @cache
    def found(fabric: str, mode: str) -> tuple[Values, set[str]]:
        data = yaml.safe_load(find_fabric(fabric).read_text())
        data["nos"] = {"name": "asternos", "roce": mode}
        text = _file(plan_intent(data).configs, "unwritten.json").text
        data["nos"] = {"name": "sonic"}
        tables = _file(plan_intent(data).configs, "config_db.json").tables
        return read_unwritten(text, "unwritten.json").values, {t for t in tables if tables[t]}

    return found


def _file(configs: Any, path: str) -> Any:
    return next(each for each in render(configs[:1]) if each.path == path)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fabric", FABRICS)
def test_every_intended_table_is_in_lines_or_named(told: Values_, fabric: str, mode: str) -> None:
    values, tables = told(fabric, mode)
    named = {path.partition("|")[0] for path in values}
    by_lines = LINES | (ROCE if mode == "manual" else set())
    assert tables - named - by_lines - set(OWN) == set()
    assert {*LINES, *ROCE} & set(OWN) == set()


@pytest.mark.parametrize("fabric", FABRICS)
def test_a_value_that_lines_write_is_not_named(told: Values_, fabric: str) -> None:
    easy, manual = (told(fabric, mode)[0] for mode in MODES)
    assert {path.partition("|")[0] for path in easy} - {p.partition("|")[0] for p in manual} == ROCE
    xoff = next(p for p in easy if p.startswith("BUFFER_PROFILE|pg_lossless") and "xoff" in p)
    assert xoff not in manual
