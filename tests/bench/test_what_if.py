"""What-if on the shipped fabrics: single failures of 256 GPUs in 10 s, all pairs in 60 s."""

from __future__ import annotations

import time

import pytest

from nettool.intent.load import find_fabric
from nettool.pipeline import plan_fabric

pytestmark = pytest.mark.bench

SINGLE_SECONDS, PAIR_SECONDS = 10, 60


@pytest.mark.parametrize(
    "name", ["rail-only-128", "rail-optimized-256", "dual-plane-512", "clos3-1024"]
)
def test_failures_are_planned_again_in_time(name, record_property):
    plan = plan_fabric(find_fabric(name))
    start = time.process_time()
    singles, _ = plan.failures
    middle = time.process_time()
    pairs, _ = plan.pair_failures
    end = time.process_time()
    record_property("single", f"{len(singles.outcomes)} kinds in {middle - start:.2f} s")
    record_property("pairs", f"{len(pairs.outcomes)} kinds in {end - middle:.2f} s")
    assert middle - start < SINGLE_SECONDS
    assert end - middle < PAIR_SECONDS
    assert pairs.worst is not None
