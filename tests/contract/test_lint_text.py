"""Faults of a file's text, at random places: lint names the line, whatever stands around it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from nettool.config.validate.engine import lint
from nettool.config.validate.waivers import Waiver

HERE = Path(__file__).parent / "lint"
GOLDEN = Path(__file__).parents[1] / "golden"
BASES = (
    GOLDEN / "rail-optimized-256/devices/leaf01/config_db.json",
    GOLDEN / "rail-optimized-256/devices/spine01/config_db.json",
    GOLDEN / "rail-only-128/devices/leaf01/config_db.json",
)
WHOLE_FILE = frozenset({"JSN007", "JSN009", "JSN010"})
"""Rules that speak of the file as a whole."""
ROWS = yaml.safe_load((HERE / "text.yaml").read_text(encoding="utf-8"))
CASES = [
    pytest.param(row, base, id=f"{row['rule']}-{number}-{base.parent.name}-{seed}")
    for number, row in enumerate(ROWS)
    if "text" in row
    for seed, base in enumerate(BASES)
]


@pytest.mark.parametrize(("row", "base"), CASES)
def test_a_fault_of_the_text_is_found_on_its_line(
    row: dict[str, Any], base: Path, tmp_path: Path
) -> None:
    text = base.read_text(encoding="utf-8")
    pattern, replacement = row["text"]
    chosen = Random(str(row["text"])).choice(list(re.finditer(pattern, text)))
    new = chosen.expand(replacement) if "\\" in replacement else replacement
    new = (new * row.get("times", 1)).replace("DEEP", "[" * 2000 + "]" * 2000)
    changed = text[: chosen.start()] + new + text[chosen.end() :]
    path = tmp_path / "config_db.json"
    path.write_bytes(changed.encode("utf-8", "surrogateescape"))

    lines = [each.line or 0 for each in lint([path]).findings if each.rule == row["rule"]]

    line = text.count("\n", 0, chosen.start()) + 1
    first = 1 if row["rule"] in WHOLE_FILE else line
    assert any(first <= each <= line + 1 + new.count("\n") for each in lines), lines


@pytest.mark.parametrize("row", [each for each in ROWS if "waiver" in each])
def test_a_waiver_without_a_finding_is_told(row: dict[str, Any]) -> None:
    found = lint([BASES[0]], waivers=[Waiver(row["waiver"], "accepted")]).findings
    assert [each.rule for each in found] == [row["rule"]]
