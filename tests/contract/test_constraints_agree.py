"""Our constraints and SONiC's own YANG models agree on a good file and on faults put into it."""

from __future__ import annotations

import json
import os
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from nettool.config.validate.engine import validate_tables

MODELS = os.environ.get("NETTOOL_YANG_MODELS")
GOOD = Path(__file__).parents[2] / "../shared/cases/hand/good-02/config_db.json"

pytestmark = [
    pytest.mark.skipif(not MODELS, reason="NETTOOL_YANG_MODELS names no directory of models"),
    pytest.mark.skipif(not GOOD.is_file(), reason="the cases are not beside this checkout"),
]

WRONG = [
    ("DEVICE_METADATA", "localhost", {
        "bgp_asn": ["None", "-1", "4294967296"], "type": ["LeafSwitch", ""],
        "mac": ["00:00:5e:00:53", "leaf"], "buffer_model": ["static"],
        "synchronous_mode": ["on"], "default_bgp_status": ["enable"],
        "docker_routing_config_mode": ["integrated"], "frr_mgmt_framework_config": ["True"],
        "default_pfcwd_status": ["up"], "bgp_router_id": ["leaf01"],
    }),
    ("PORT", "Ethernet0", {
        "speed": ["400G", "0", "1600001"], "mtu": ["10", "9217", "jumbo"],
        "fec": ["kp4", "RS"], "admin_status": ["Up", "enabled"], "autoneg": ["true"],
        "subport": ["9"], "index": ["65536"], "tpid": ["0x1234"], "pfc_asym": ["yes"],
        "role": ["ext"],
    }),
    ("BUFFER_POOL", "ingress_lossless_pool", {
        "type": ["Ingress", "in"], "mode": ["auto"], "size": ["64MB", "-1"],
    }),
    ("BUFFER_PROFILE", "ingress_lossy_profile", {
        "pool": ["lossy_pool", "[BUFFER_POOL|ingress_lossy_pool]"], "size": ["-1", "9k"],
        "dynamic_th": ["8", "-9", "0.5"],
    }),
    ("BUFFER_PG", "Ethernet0|3-4", {"profile": ["no_such_profile"]}),
    ("BUFFER_QUEUE", "Ethernet0|3-4", {"profile": ["none"]}),
    ("QUEUE", "Ethernet0|3", {"scheduler": ["scheduler.9"], "wred_profile": ["AZURE"]}),
    ("PORT_QOS_MAP", "Ethernet0", {
        "pfc_enable": ["3-4", "3, 4", "8"], "pfcwd_sw_enable": ["3-4"],
        "dscp_to_tc_map": ["ROCE"], "tc_to_pg_map": ["ROCE"],
    }),
    ("SCHEDULER", "scheduler.0", {"type": ["PRIORITY", "dwrr"], "weight": ["0", "101", "x"]}),
    ("WRED_PROFILE", "AZURE_LOSSLESS", {
        "ecn": ["all", "ecn"], "wred_green_enable": ["True", "1"],
        "green_drop_probability": ["101"], "green_max_threshold": ["2MB", "1"],
    }),
    ("CABLE_LENGTH", "AZURE", {"Ethernet0": ["5", "5 m", "0.5m"]}),
    ("DSCP_TO_TC_MAP", "AZURE", {"26": ["16", "x"], "64": ["1"]}),
    ("TC_TO_QUEUE_MAP", "AZURE", {"3": ["10"]}),
    ("TC_TO_PRIORITY_GROUP_MAP", "AZURE", {"3": ["8"]}),
    ("PFC_WD", "Ethernet0", {
        "action": ["shut"], "detection_time": ["99", "5001"], "restoration_time": ["60001"],
    }),
]  # fmt: skip
ROWS = [
    (table, key, field, value)
    for table, key, fields in WRONG
    for field, values in fields.items()
    for value in values
]


def _good() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(GOOD.read_text())
    return loaded


def _verdicts(tables: dict[str, Any]) -> tuple[bool, bool]:
    from nettool.config.validate.yang import check  # noqa: PLC0415 - only where models are given

    return validate_tables({"leaf01": tables}).has_errors, check(
        tables, Path(MODELS or "")
    ).has_errors


def test_there_are_sixty_faults() -> None:
    assert len(ROWS) >= 60


def test_both_accept_the_good_file() -> None:
    assert _verdicts(_good()) == (False, False)


@pytest.mark.parametrize(("table", "key", "field", "value"), ROWS)
def test_both_refuse_a_wrong_value(table: str, key: str, field: str, value: str) -> None:
    tables = deepcopy(_good())
    tables[table][key][field] = value

    assert _verdicts(tables) == (True, True)
