"""What the clock tree costs: every single failure worked through on thousands of switches.

Run with `make bench`. A switch may cost 5 ms of CPU with all failures and remedies, and four times
the switches at most six times the time.
"""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
import yaml

from nettool.catalog.catalog import load_catalog
from nettool.intent.intent import FabricIntent
from nettool.intent.load import find_fabric
from nettool.plan.demand.estimate import estimate
from nettool.plan.design.design import design
from nettool.plan.timing.plan import plan_timing

pytestmark = pytest.mark.bench

MS_A_SWITCH, GROWTH = 5, 6


def _planned(gpus: int) -> tuple[int, float]:
    """Switches of a three-tier fabric, and CPU seconds of its timing with a missed target."""
    data: dict[str, Any] = yaml.safe_load(find_fabric("scale-131072").read_text())
    data["cluster"]["nodes"] = gpus // 8
    data["jobs"][0] |= {"dp": gpus // 128, "batch": gpus // 2}
    data["timing"] = {"grandmasters": [{"name": "gm1"}, {"name": "gm2"}], "target_ns": 50}
    intent, catalog = FabricIntent.model_validate(data), load_catalog()
    fabric, _ = design(intent, estimate(intent, catalog)[0], catalog)
    start = process_time()
    plan, _ = plan_timing(intent, fabric, catalog)
    spent = process_time() - start
    assert len(plan.clocks) == len(fabric.devices)
    assert plan.failures
    assert plan.remedies
    return len(fabric.devices), spent


def test_time_grows_with_the_fabric(capsys: pytest.CaptureFixture[str]) -> None:
    small, first = _planned(8_192)
    large, second = _planned(32_768)
    per = {number: spent / number * 1e3 for number, spent in ((small, first), (large, second))}
    with capsys.disabled():
        shown = ", ".join(f"{number}: {ms:.2f} ms a switch" for number, ms in per.items())
        print(f"\ntiming of {shown}")  # noqa: T201 - a measurement speaks
    assert per[large] <= MS_A_SWITCH
    assert second / first <= GROWTH
