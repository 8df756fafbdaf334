"""The QoS of 500 ports is planned in under two seconds: changed, brought new, or gone."""

import time

import pytest

from nettool.config.diff.plan import plan_update
from nettool.config.diff.tables import diff_tables

PORTS, SECONDS = 500, 2.0
NAMES = [f"Ethernet{4 * n}" for n in range(PORTS)]
BARE = {"PORT": {name: {"lanes": str(n), "admin_status": "up"} for n, name in enumerate(NAMES)}}


def qos(profile):
    return {
        **BARE,
        "BUFFER_POOL": {"pool": {"mode": "dynamic", "size": "1", "type": "ingress"}},
        "BUFFER_PROFILE": {each: {"pool": "pool", "size": "0", "dynamic_th": "0"} for each in "ab"},
        "BUFFER_PG": {f"{p}|{g}": {"profile": profile} for p in NAMES for g in ("0", "3-4", "7")},
        "BUFFER_QUEUE": {f"{p}|{q}": {"profile": profile} for p in NAMES for q in ("0-2", "3")},
        "QUEUE": {
            f"{p}|{q}": {"scheduler": profile, "wred_profile": profile}
            for p in NAMES
            for q in range(8)
        },
        "PORT_QOS_MAP": {p: {"pfc_enable": "3" if profile == "a" else "3,4"} for p in NAMES},
        "PFC_WD": {p: {"action": "drop", "detection_time": "200"} for p in NAMES},
        "SCHEDULER": {each: {"type": "DWRR"} for each in "ab"},
        "WRED_PROFILE": {each: {"ecn": "ecn_all"} for each in "ab"},
    }


CASES = {
    "changed": (qos("a"), qos("b")),
    "brought": (BARE, qos("b")),
    "gone": (qos("b"), BARE),
    "moved to other ports": (
        {**qos("a"), "PFC_WD": {p: {"action": "drop"} for p in NAMES[:250]}},
        {**qos("a"), "PFC_WD": {p: {"action": "drop"} for p in NAMES[250:]}},
    ),
}


@pytest.mark.bench
@pytest.mark.parametrize(("running", "intended"), CASES.values(), ids=CASES)
def test_qos_of_500_ports(running, intended):
    start = time.process_time()
    changes = diff_tables("leaf01", running, intended)
    plan = plan_update(changes, running, chip="spc4")
    steps = plan.steps
    spent = time.process_time() - start
    print(f"\n{len(changes.changes)} changes, {plan.way}, {len(steps)} steps: {spent:.3f} s CPU")  # noqa: T201  # a measurement speaks
    assert spent <= SECONDS
