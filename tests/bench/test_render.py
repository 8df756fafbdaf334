"""What rendering costs: milliseconds a device beside dumping the finished rows, and at scale.

Run with `make bench`. The limits are the project's: planning, rendering and validating a device
takes at most 60 times what `orjson.dumps` (sorted) of its finished rows takes in the same run (the
aim is 25), and at most 15 ms of CPU a device on a fabric of 131,072 GPUs (the aim is 6).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from statistics import median
from time import process_time
from typing import Any

import orjson
import pytest

from nettool.cli.main import COLLECT
from nettool.config.render.render import render
from nettool.intent.load import find_fabric
from nettool.pipeline import artifacts, plan_fabric, validate

ROUNDS = 25
WARM = 3
pytestmark = pytest.mark.bench
Large = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def _collected_as_in_the_command() -> Iterator[None]:
    """The command collects garbage less often than the interpreter does by default."""
    before = gc.get_threshold()
    gc.set_threshold(*COLLECT)
    yield
    gc.set_threshold(*before)


def measured(name: str) -> tuple[int, list[tuple[float, float]]]:
    """Devices, and CPU seconds of the work and of dumping its rows, round by round."""
    path = find_fabric(name)
    rounds = []
    for _ in range(WARM + ROUNDS):
        start = process_time()
        plan = plan_fabric(path)
        assert not validate(plan).has_errors
        spent = process_time() - start
        rows = [each.tables for each in artifacts(plan) if each.tables is not None]
        start = process_time()
        for each in rows:
            orjson.dumps(each, option=orjson.OPT_SORT_KEYS)
        rounds.append((spent, process_time() - start))
    return len(rows), rounds[WARM:]


@pytest.mark.parametrize(
    "name", ["rail-only-128", "rail-optimized-256", "dual-plane-512", "clos3-1024"]
)
def test_a_device_costs_little_beside_dumping_it(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _told(name, capsys) <= 60


def _told(name: str, capsys: pytest.CaptureFixture[str]) -> float:
    devices, rounds = measured(name)
    ratio = median(work / dump for work, dump in rounds)
    best = min(work for work, _ in rounds) / min(dump for _, dump in rounds)
    spent = median(work for work, _ in rounds) / devices * 1e3
    shown = f"{spent:.2f} ms a device, {ratio:.1f} times its dump (best beside best {best:.1f})"
    with capsys.disabled():
        print(f"\n{name}: {shown}")  # noqa: T201 - a measurement speaks
    return ratio


def test_a_very_large_fabric_renders_in_minutes(
    plan_intent: Callable[[Any], Any], large: Large, capsys: pytest.CaptureFixture[str]
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
