"""131,072 NICs on 5,120 switches: time, memory, and how both grow."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.bench

MEASURED = """
import json, resource, sys, time
from nettool.catalog.catalog import load_catalog
from nettool.intent.load import find_fabric, load_intent
from nettool.plan.design.design import design
intent = load_intent(find_fabric("scale-131072"))[0]
cluster = intent.cluster.model_copy(update={"nodes": int(sys.argv[1])})
intent = intent.model_copy(update={"cluster": cluster})
start = time.perf_counter()
fabric, _ = design(intent, None, load_catalog())
seconds = time.perf_counter() - start
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([len(fabric.devices), seconds, memory]))
"""


def measured(nodes):
    """Switches, seconds and MiB of designing so many nodes, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(nodes)], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def test_design_of_131072_nics():
    small, large = measured(1024), measured(16_384)
    rows = [
        f"{switches:>10} {seconds:>8.2f} {memory:>8.0f}"
        for switches, seconds, memory in (small, large)
    ]
    sys.stdout.write("\n".join(["", f"{'switches':>10} {'s':>8} {'MiB':>8}", *rows, ""]))
    assert large[0] == 5120
    assert large[1] < 15
    assert large[2] < 900
