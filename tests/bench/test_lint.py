"""Lint takes 30 ms for a switch of 256 ports and starts in a tenth of a second."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from nettool.config.validate.engine import lint

pytestmark = pytest.mark.bench
PORTS = [f"Ethernet{number * 4}" for number in range(256)]


def _port(number: int) -> dict[str, str]:
    lanes = ",".join(str(number * 4 + each) for each in range(4))
    return {
        "admin_status": "up", "alias": f"etp{number + 1}", "autoneg": "off", "fec": "rs",
        "index": str(number + 1), "lanes": lanes, "mtu": "9100", "speed": "400000",
        "subport": "0", "tpid": "0x8100", "pfc_asym": "off",
    }  # fmt: skip


def _file() -> dict[str, Any]:
    identity = {str(tc): str(tc) for tc in range(8)}
    maps = {"tc_to_queue_map": "ROCE", "tc_to_pg_map": "ROCE", "dscp_to_tc_map": "ROCE"}
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf01", "bgp_asn": "64601"}},
        "PORT": {name: _port(number) for number, name in enumerate(PORTS)},
        "INTERFACE": {
            key: {}
            for number, name in enumerate(PORTS)
            for key in (name, f"{name}|10.0.{number}.0/31")
        },
        "CABLE_LENGTH": {"AZURE": dict.fromkeys(PORTS, "5m")},
        "DSCP_TO_TC_MAP": {"ROCE": {str(d): "3" if d == 26 else "0" for d in range(64)}},
        "TC_TO_QUEUE_MAP": {"ROCE": identity},
        "TC_TO_PRIORITY_GROUP_MAP": {"ROCE": identity},
        "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "15"}},
        "QUEUE": {f"{p}|{q}": {"scheduler": "scheduler.0"} for p in PORTS for q in range(8)},
        "PORT_QOS_MAP": {port: {**maps, "pfc_enable": ""} for port in PORTS},
    }


def test_a_switch_of_256_ports_takes_under_150_ms(tmp_path: Path) -> None:
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(_file(), indent=2))
    lint([path])
    start = time.process_time()

    report = lint([path])

    assert time.process_time() - start < 0.150
    assert not report.has_errors


def test_a_megabyte_of_faults_takes_under_two_seconds(tmp_path: Path) -> None:
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps({"PORT": {f"E{number}": {} for number in range(70_000)}}))
    start = time.process_time()

    report = lint([path])

    assert time.process_time() - start < 2.0
    assert any("the rest is not shown" in each.message for each in report.findings)


def test_lint_starts_in_under_400_ms() -> None:
    code = "import time; import nettool.config.validate.engine; print(time.process_time())"

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert float(done.stdout) < 0.4
