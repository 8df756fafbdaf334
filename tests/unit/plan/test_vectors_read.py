"""Every vector of the traffic model is read by some module's tests."""

import ast
import json
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SHEET = HERE.parents[2] / "../shared/facts/traffic_vectors.json"
TIMED = ("ptp.chain.", "ptp.asymmetry_per_m")
"""The timing budget's own tests: chains read without the fixture, half of 5 ns a metre written."""


def families():
    """Beginnings of vector names that the modules beside this one claim."""
    claimed = list(TIMED)
    for path in HERE.rglob("test_*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FAMILIES":
                claimed += ast.literal_eval(node.value)
    return tuple(claimed)


@pytest.mark.skipif(not SHEET.is_file(), reason="traffic_vectors.json is absent")
def test_no_vector_is_left_out():
    names = [row["name"] for row in json.loads(SHEET.read_text())]
    claimed = families()
    assert [name for name in names if not name.startswith(claimed)] == []
