"""Exact messages of a sheet with many faults: all at once, each with its cell."""

from pathlib import Path

from nettool.plan.cabling.compare import differences
from nettool.plan.cabling.grid import read_grids
from nettool.plan.cabling.reading import read_rows

CASES = Path(__file__).parent / "cabling"


def test_dirty_sheet_says_everything(shipped_fabric):
    fabric = shipped_fabric("rail-optimized-256").fabric
    rows, findings = read_rows(read_grids(CASES / "dirty.csv"), fabric, "dirty.csv")
    other = [each for each in differences(rows, fabric, "dirty.csv") if each.rule != "CAB021"]
    said = [f"{each.key} {each.rule} {each.message}" for each in (*findings, *other)]
    assert "\n".join(said) + "\n" == (CASES / "dirty.txt").read_text()
