"""The device stage of both shipped fabrics: neutral state and CONFIG_DB, one switch a role.

After a change that is meant, `NETTOOL_GOLDEN=write pytest tests/golden` writes the files anew;
the diff then shows which stage moved.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from nettool.config.nos.dialects.sonic.tables import parse_config_db
from nettool.config.render.render import render

HERE = Path(__file__).parent
SHOWN = (
    ("rail-only-128", "leaf01"),
    ("rail-optimized-256", "leaf01"),
    ("rail-optimized-256", "spine01"),
)


@pytest.mark.parametrize(("fabric", "device"), SHOWN)
@pytest.mark.parametrize("file", ["config_db.json", "device.json"])
def test_device(shipped_fabric: Any, fabric: str, device: str, file: str) -> None:
    artifacts = render(shipped_fabric(fabric).configs)
    text = next(a.text for a in artifacts if (a.device, a.path) == (device, file))
    golden = HERE / fabric / "devices" / device / file
    if os.environ.get("NETTOOL_GOLDEN") == "write":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    kept = golden.read_text(encoding="utf-8")
    assert text == kept, f"{golden} differs; run `NETTOOL_GOLDEN=write pytest tests/golden`"


@pytest.mark.parametrize(("fabric", "device"), SHOWN)
def test_what_stands_in_a_golden_file_is_complete(fabric: str, device: str) -> None:
    tables = parse_config_db((HERE / fabric / "devices" / device / "config_db.json").read_text())
    wanted = {
        "DEVICE_METADATA", "MGMT_PORT", "MGMT_INTERFACE", "PORT", "BREAKOUT_CFG",
        "LOOPBACK_INTERFACE", "DEVICE_NEIGHBOR", "DEVICE_NEIGHBOR_METADATA", "DSCP_TO_TC_MAP",
        "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE", "SCHEDULER",
        "QUEUE", "WRED_PROFILE", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE",
        "CABLE_LENGTH", "PORT_QOS_MAP", "PFC_WD", "FLEX_COUNTER_TABLE", "NTP", "NTP_SERVER",
        "LLDP", "SYSLOG_SERVER", "SWITCH_HASH", "CRM",
    }  # fmt: skip
    if fabric == "rail-optimized-256":
        wanted |= {"INTERFACE", "BGP_NEIGHBOR", "BGP_DEVICE_GLOBAL"}
    if device == "leaf01":
        wanted |= {"VLAN", "VLAN_MEMBER", "VLAN_INTERFACE"}
    assert wanted <= tables.keys()
