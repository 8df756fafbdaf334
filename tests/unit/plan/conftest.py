"""Test vectors of the traffic model: a test that takes `vector` runs once for each.

A module names its families in FAMILIES (beginnings of vector names). Vectors that are marked
recalled, or measured and not derivable, are shown as skipped, never asserted.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SHEET = Path(__file__).parents[3] / "../shared/facts/traffic_vectors.json"
SHOWN_ONLY = ("recalled", "not derivable")


def pytest_generate_tests(metafunc):
    families = getattr(metafunc.module, "FAMILIES", ())
    if "vector" not in metafunc.fixturenames or not families:
        return
    if not SHEET.is_file():
        absent = pytest.param(None, marks=pytest.mark.skip("traffic_vectors.json is absent"))
        metafunc.parametrize("vector", [absent])
        return
    rows = [row for row in json.loads(SHEET.read_text()) if row["name"].startswith(families)]
    metafunc.parametrize("vector", [_case(row) for row in rows])


def _case(row):
    shown = next((mark for mark in SHOWN_ONLY if mark in row["kind"]), None)
    reason = f"shown only ({row['kind']}): {row['expected']} {row['unit']}"
    return pytest.param(row, id=row["name"], marks=[pytest.mark.skip(reason)] if shown else [])


@pytest.fixture
def agrees():
    """Asserts that a computed value is a vector's, exactly where its tolerance is 0."""

    def check(vector, value):
        expected, tolerance = vector["expected"], vector["tolerance"]
        assert float(value) == pytest.approx(expected, rel=tolerance or 1e-15, abs=0), vector

    return check
