"""Cable sheets and LLDP of 8,192 and 131,072 GPUs: written, read back, held against the plan.

Each size runs in a process of its own; a leg is a row. Run with `make bench`.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from functools import cache

import pytest

pytestmark = pytest.mark.bench

SMALL, LARGE = 8_192, 131_072
EXPONENT, SECONDS_OF_CHECK = 1.1, 60
MEASURED = """
import json, resource, sys, time
from pathlib import Path
from tempfile import TemporaryDirectory
from nettool.catalog.catalog import load_catalog
from nettool.intent.load import find_fabric, load_intent
from nettool.plan.cabling.compare import differences
from nettool.plan.cabling.grid import read_grids
from nettool.plan.cabling.reading import read_rows
from nettool.plan.cabling.seen import check_seen
from nettool.plan.cabling.sheet import HEAD, cable_rows, cells, csv_text
from nettool.plan.cabling.workbook import workbook
from nettool.plan.design.design import design
intent = load_intent(find_fabric("scale-131072"))[0]
cluster = intent.cluster.model_copy(update={"nodes": int(sys.argv[1]) // 8})
fabric, _ = design(intent.model_copy(update={"cluster": cluster}), None, load_catalog())
spent = {}

def timed(name, work):
    start = time.process_time()
    found = work()
    spent[name] = time.process_time() - start
    return found

with TemporaryDirectory() as folder:
    text, book = Path(folder) / "c.csv", Path(folder) / "c.xlsx"
    sheet = timed("rows", lambda: [cells(each) for each in cable_rows(fabric)])
    timed("csv out", lambda: text.write_text(csv_text(HEAD, sheet)))
    timed("xlsx out", lambda: book.write_bytes(workbook("cabling", HEAD, sheet)))
    legs = len(sheet)
    del sheet
    rows, wrong = timed("csv in", lambda: read_rows(read_grids(text), fabric, "c.csv"))
    assert not wrong and len(rows) == legs
    differ = timed("compare", lambda: list(differences(rows, fabric, "c.csv")))
    assert not differ
    del rows
    if len(sys.argv) > 2:
        again, _ = timed("xlsx in", lambda: read_rows(read_grids(book), fabric, "c.xlsx"))
        assert len(again) == legs
seen = {
    each.name: {port: (far.device, far.port) for port, far in each.neighbors.items()}
    for each in fabric.devices
}
leaf = seen[fabric.devices[0].name]
one, two = list(leaf)[:2]
leaf[one], leaf[two] = leaf[two], leaf[one]
verdict = timed("check", lambda: check_seen(fabric, seen))
assert verdict.report.summary["wrong"] == 2 and len(verdict.repairs) == 1
mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"legs": legs, "mib": mib, "spent": spent}))
"""


@cache
def measured(gpus, *xlsx):
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(gpus), *xlsx],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def speak(*found):
    names = list(found[0]["spent"])
    lines = ["", f"{'legs':>9}{'MiB':>7}" + "".join(f"{name:>10}" for name in names) + "  (CPU s)"]
    for each in found:
        seconds = "".join(f"{each['spent'].get(name, 0):>10.2f}" for name in names)
        lines.append(f"{each['legs']:>9,}{each['mib']:>7.0f}{seconds}")
    sys.stdout.write("\n".join([*lines, ""]))


def test_a_small_plan_both_ways():
    speak(measured(SMALL, "xlsx"))


@pytest.mark.slow
def test_the_largest_plan_grows_no_faster_than_its_legs():
    small, large = measured(SMALL, "xlsx"), measured(LARGE)
    speak(small, large)
    assert large["legs"] == 3 * LARGE
    assert large["spent"]["check"] < SECONDS_OF_CHECK
    for name in ("csv in", "compare", "check"):
        grown = large["spent"][name] / small["spent"][name]
        assert math.log(grown) / math.log(large["legs"] / small["legs"]) <= EXPONENT, name
