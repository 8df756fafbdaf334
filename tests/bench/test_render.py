"""What rendering costs: milliseconds a device beside dumping the finished rows, and at scale.

Run with `make bench`. The limits are the project's: planning, rendering and validating a device
takes at most 60 times what `orjson.dumps` (sorted) of its finished rows takes in the same run (the
aim is 25), and at most 15 ms of CPU a device on a fabric of 131,072 GPUs (the aim is 6).
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import orjson
import pytest

from nettool.config.render.render import render
from nettool.intent.load import find_fabric
from nettool.pipeline import artifacts, plan_fabric, validate

ROUNDS = 5
pytestmark = pytest.mark.bench


def least(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of the fastest of several rounds, and the last result."""
    times, result = [], None
    for _ in range(ROUNDS):
        start = process_time()
        result = work()
        times.append(process_time() - start)
    return min(times), result


def test_a_device_costs_little_beside_dumping_it(capsys: pytest.CaptureFixture[str]) -> None:
    path = find_fabric("rail-optimized-256")
    spent, report = least(lambda: validate(plan_fabric(path)))
    assert not report.has_errors
    rows = [each.tables for each in artifacts(plan_fabric(path)) if each.tables is not None]
    sort = orjson.OPT_SORT_KEYS
    dumped, _ = least(lambda: [orjson.dumps(each, option=sort) for each in rows])
    with capsys.disabled():
        shown = f"{spent / len(rows) * 1e3:.2f} ms a device, {spent / dumped:.1f} times its dump"
        print(f"\n{shown}")  # noqa: T201 - a measurement speaks
    assert spent / dumped <= 60


def large(nodes: int) -> dict[str, Any]:
    """A three-tier fabric of 8 GPUs a node: 16,384 nodes are 131,072 GPUs and 5,120 switches."""
    return {
        "name": "large",
        "cluster": {"nodes": nodes, "gpus_per_node": 8},
        "networks": {
            "compute": {
                "topology": "rail-optimized",
                "nic": {"model": "connectx-7-400g", "per_node": 8},
                "leaf": {"model": "CX864E-N"},
                "cables": {"nic": "5m", "leaf_spine": "40m", "spine_core": "100m"},
                "subnets": {"pool": "10.0.0.0/9"},
                "pools": {"loopbacks": "10.240.0.0/19", "links": "100.64.0.0/10"},
            }
        },
        "management": {"pool": "192.168.0.0/18", "ntp": ["192.168.0.2"]},
    }


def test_a_very_large_fabric_renders_in_minutes(
    plan_intent: Callable[[Any], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    start = process_time()
    configs = plan_intent(large(16_384)).configs
    planned = process_time() - start
    size = sum(len(each.text) for each in render(configs))
    spent = process_time() - start
    with capsys.disabled():
        shown = f"{spent / len(configs) * 1e3:.2f} ms a device, {size / 1e9:.2f} GB of text"
        plans = f"of which planning {planned / len(configs) * 1e3:.2f}"
        print(f"\n{len(configs)} switches: {shown}, {plans}")  # noqa: T201 - a measurement speaks
    assert len(configs) == 5120
    assert spent / len(configs) <= 0.015
