"""What validating a whole fabric costs beside rendering it, and how that grows.

At 5,120 switches (131,072 GPUs) the rules take about as long as planning and rendering.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from nettool.config.render.render import render
from nettool.config.validate.engine import validate_tables
from nettool.config.validate.planned import planned_links

pytestmark = pytest.mark.bench


def clos3(nodes: int) -> dict[str, Any]:
    """A three-tier fabric of 8 GPUs a node."""
    return {
        "name": "large",
        "cluster": {"nodes": nodes, "gpus_per_node": 8},
        "networks": {
            "compute": {
                "topology": "clos3",
                "nic": {"model": "connectx-7-400g", "per_node": 8},
                "leaf": {"model": "CX864E-N"},
                "uplink": "400G",
                "cables": {"nic": "5m", "leaf_spine": "40m", "spine_core": "100m"},
                "subnets": {"pool": "10.0.0.0/9"},
                "pools": {"loopbacks": "10.240.0.0/19", "links": "100.64.0.0/10"},
            }
        },
        "management": {"pool": "192.168.0.0/18", "ntp": ["192.168.0.2"]},
    }


def _spent(plan_intent: Callable[[Any], Any], nodes: int) -> tuple[int, float, float]:
    """Switches, and CPU seconds of rendering them from the intent, and of every rule."""
    start = process_time()
    planned = plan_intent(clos3(nodes))
    tables = {each.device: each.tables for each in render(planned.configs) if each.tables}
    rendered = process_time() - start
    start = process_time()
    report = validate_tables(tables, planned_links(planned.fabric))
    assert not report.has_errors
    return len(tables), rendered, process_time() - start


def test_rules_take_at_most_twice_the_rendering_and_grow_in_line(
    plan_intent: Callable[[Any], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    few, _, small = _spent(plan_intent, 1_024)
    many, rendered, large = _spent(plan_intent, 4_096)
    with capsys.disabled():
        shown = (
            f"{large / many * 1e3:.1f} ms a switch of {many}, {large / rendered:.1f} x rendering"
        )
        print(f"\n{shown}")  # noqa: T201 - a measurement speaks
    assert large <= 2 * rendered
    assert large / many <= 1.6 * small / few
