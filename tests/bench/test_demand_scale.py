"""A job with five dimensions on 131,072 GPUs: under 2 s and 300 MB on one core, near-linear.

The memory is that of a whole process that has estimated, designed and placed. Run with
`make bench`.
"""

from __future__ import annotations

import math
import resource
import subprocess
import sys
import time

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.intent.intent import FabricIntent
from nettool.plan.demand.estimate import estimate
from nettool.plan.design.design import design
from nettool.plan.placement.place import place

LARGEST = 131_072
SIZES = (1_024, 8_192, 32_768, LARGEST)
SECONDS, MEGABYTES, EXPONENT = 2.0, 300, 1.1
AT_THE_END = 1.2
"""The last step outgrows the processor's caches."""


def intent(gpus):
    """Nodes of eight, a Clos a rail, and one MoE job that fills them."""
    job = {
        "name": "moe", "model": "mixtral-8x22b", "tp": 8, "cp": 2, "pp": 8, "dp": gpus // 128,
        "ep": 8, "batch": gpus // 8,
    }  # fmt: skip
    compute = {
        "topology": "rail-clos",
        "nic": {"model": "connectx-7-400g", "per_node": 8},
        "leaf": {"model": "CX864E-N", "sku": "CX864E-N_64X400G_32X800G"},
        "spine": {"model": "CX864E-N"},
        "subnets": {"pool": "10.0.0.0/9"},
        "pools": {"links": "10.128.0.0/9", "loopbacks": "100.64.0.0/16"},
    }
    return FabricIntent.model_validate(
        {
            "name": "big", "cluster": {"nodes": gpus // 8}, "networks": {"compute": compute},
            "management": {"pool": "172.16.0.0/16"}, "jobs": [job],
        }
    )  # fmt: skip


def measured(gpus):
    """CPU seconds of estimate and place, without the design between them."""
    catalog, wanted = load_catalog(), intent(gpus)
    start = time.process_time()
    demand, _ = estimate(wanted, catalog)
    estimated = time.process_time() - start
    fabric, _ = design(wanted, demand, catalog)
    start = time.process_time()
    matrix, _ = place(demand, fabric)
    spent = estimated + time.process_time() - start
    assert {dimension for _, dimension, _ in matrix.edges} == {"tp", "cp", "ep", "dp", "pp"}
    return spent


@pytest.mark.bench
@pytest.mark.slow
def test_largest_cluster():
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True)
    seconds, megabytes = map(float, done.stdout.split())
    print(f"\n{LARGEST:,} GPUs: {seconds:.2f} s of CPU, {megabytes:.0f} MB with the design")  # noqa: T201  # a measurement speaks
    assert seconds < SECONDS
    assert megabytes < MEGABYTES


@pytest.mark.bench
@pytest.mark.slow
def test_growth_is_near_linear():
    """One table from 1,024 GPUs on; the exponent holds over the whole range and over its end."""
    seconds = {gpus: min(measured(gpus) for _ in range(3)) for gpus in SIZES}
    rows = [f"{gpus:>9,} {spent:>9.3f}" for gpus, spent in seconds.items()]
    whole, end = (exponent(seconds, low, LARGEST) for low in (SIZES[0], SIZES[-2]))
    said = f"exponent {whole:.2f} over all, {end:.2f} at the end"
    print("\n".join(["", f"{'GPUs':>9} {'CPU s':>9}", *rows, said]))  # noqa: T201  # a measurement speaks
    assert whole <= EXPONENT
    assert end <= AT_THE_END


def exponent(seconds, low, high):
    return math.log(seconds[high] / seconds[low]) / math.log(high / low)


if __name__ == "__main__":
    spent = measured(LARGEST)
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(spent, kilobytes / 1000)  # noqa: T201  # a measurement speaks
