"""The error budget against published limits and worked vectors."""

import json
from pathlib import Path

import pytest

from nettool.core.errors import UsageError
from nettool.plan.calculators.calculator import calculate
from nettool.plan.timing.budget import NS_PER_METRE
from nettool.plan.timing.profiles import CLOCK_CLASSES

VECTORS = Path(__file__).parents[5] / "shared" / "facts" / "traffic_vectors.json"
KEYS = {"cTE": "cte_ns", "total": "total_ns", "linear": "total_ns"}


def _chains():
    if not VECTORS.is_file():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"{VECTORS.name} not here"))]
    rows = json.loads(VECTORS.read_text())
    return [pytest.param(r, id=r["name"]) for r in rows if r["name"].startswith("ptp.chain")]


@pytest.mark.parametrize("row", _chains())
def test_vectors(row):
    _, _, name, _, what = row["name"].split(".")
    given = {"clocks": row["inputs"]["n"], "class": name.removeprefix("class")}
    result = calculate("ptp", given).result
    assert result[KEYS[what]] == pytest.approx(row["expected"], rel=1e-9)


def test_a_metre_of_asymmetry_is_half_its_delay():
    assert NS_PER_METRE / 2 == 2.5
    near = calculate("ptp", {"clocks": 2, "class": "C"}).result["total_ns"]
    far = calculate("ptp", {"clocks": 2, "class": "C", "asymmetry": 1}).result["total_ns"]
    assert far - near == pytest.approx(2.5)


def test_half_of_mtie_is_given_beside_the_whole():
    result = calculate("ptp", {"clocks": 3, "class": "C"}).result
    assert result["total_ns"] == pytest.approx(47.32, abs=0.01)
    assert result["total_half_ns"] == pytest.approx(38.66, abs=0.01)


def test_class_d_has_no_constant_part():
    result = calculate("ptp", {"clocks": 4, "class": "D"}).result
    assert (result["cte_ns"], result["total_ns"], result["total_rss_ns"]) == (None, 20.0, 10.0)


def test_an_unknown_class_lists_the_legal_ones():
    with pytest.raises(UsageError, match=", ".join(CLOCK_CLASSES)):
        calculate("ptp", {"clocks": 1, "class": "E"})
