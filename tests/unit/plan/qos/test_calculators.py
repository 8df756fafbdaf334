"""The four QoS calculators, asked as the command line asks them."""

from __future__ import annotations

import pytest

from nettool.core.errors import UsageError
from nettool.plan.calculators.calculator import calculate

DCQCN = {"buffer": "12MB", "ports": "32", "lossless": "8", "headroom": "22400", "alpha": "8"}
PRESETS = ["cisco", "derived", "hpcc", "nvidia", "simai", "sonic"]


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("headroom", {"asic": "spectrum4", "variant": "sonic", "speed": "400G", "cable": "300"},
         {"xoff": 677_888, "xon": 19_456, "size": 697_344, "cable_used": 300}),
        ("headroom", {"asic": "spectrum4", "variant": "sonic", "speed": "800G", "cable": "5"},
         {"xoff": 257_024, "xon": 38_912, "size": 305_152}),
        ("headroom", {"asic": "teralynx10", "variant": "table", "speed": "800G", "cable": "30"},
         {"xoff": 285_312, "xon": 0, "size": 1518, "xon_offset": 13_824, "cable_used": 40}),
        ("headroom", {"variant": "quanta", "speed": "400G", "cable": "40"},
         {"xoff": 96_436, "xon": None, "size": None}),
        ("headroom", {"asic": "th5", "variant": "table", "table": "th5_nokia", "speed": "800G"},
         {"xoff": 614_172}),
        ("buffer", {"asic": "th5", "ports": "64x800G", "cable": "300", "lossless": "2"},
         {"headroom": 207_556_608, "fits": False, "short": 41_689_528}),
        ("buffer", {"ports": "64x400G+32x800G", "cable": "40"},
         {"headroom": 64 * 147_072 + 32 * 285_312, "fits": True, "shared": 86_905_088}),
        ("ecn", {}, {"kmin": 400_000, "kmax": 1_600_000, "pmax": 10, "ecn_first": True}),
        ("ecn", {"speed": "800G"}, {"kmin": 800_000, "kmax": 3_200_000}),
        ("ecn", {}, {"dcqcn_t_pfc": 24_475, "dcqcn_t_ecn": 21_756}),
        ("ecn", {"preset": "sonic"}, {"kmin": 1_048_576, "kmax": 2_097_152, "pmax": 5}),
        ("watchdog", {"ports": "66"}, {"detection_ms": 600, "restoration_ms": 600, "poll_ms": 600}),
        ("watchdog", {"ports": "256"}, {"detection_ms": 1600, "poll_ms": 1000}),
    ],
)  # fmt: skip
def test_results(name, given, expected):
    result = calculate(name, given).result
    assert {key: result[key] for key in expected} == expected


def test_ecn_repeats_the_paper_from_flags():
    """The dynamic bound is alpha/(1 + alpha) of the static one, over 32 ports x 8 priorities."""
    result = calculate("ecn", DCQCN).result
    assert result["pfc_static"] == 24_475
    assert result["kmax_limit_certain"] == pytest.approx(8 / 9 * 24_475)
    assert round(result["kmax_limit_certain"]) == result["dcqcn_t_ecn"]
    assert result["ecn_static"] == pytest.approx(764.84375)


def test_ecn_lists_every_preset_with_its_trust():
    rows = calculate("ecn", {"speed": "400G"}).result["presets"]
    assert [row["preset"] for row in rows] == PRESETS
    assert {row["preset"]: row["trust"] for row in rows}["hpcc"] == "recalled"
    assert min(row["kmin"] for row in rows) == 150_000
    assert max(row["kmin"] for row in rows) == 1_600_000


@pytest.mark.parametrize(
    ("alpha", "queues", "each", "left"),
    [("0.125", "8", 6_981_250, 55_850_000), ("1", "64", 1_718_461.54, 1_718_461.54)],
)
def test_buffer_divides_what_headroom_leaves(alpha, queues, each, left):
    result = calculate("buffer", {"asic": "th5", "alpha": alpha, "queues": queues}).result
    scale = result["shared"] / 111_700_000
    assert result["threshold_per_queue"] == pytest.approx(each * scale, rel=1e-6)
    assert result["free"] == pytest.approx(left * scale, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("buffer", {"ports": "64"}, "ports such as 64x800G or 64x400G\\+32x800G"),
        ("buffer", {"ports": "0x800G"}, "ports such as 64x800G"),
        ("buffer", {"asic": "spectrum2"}, "packet buffer of spectrum2 is not public"),
        ("headroom", {"asic": "teralynx11"}, "unknown ASIC 'teralynx11'.*teralynx10"),
        ("ecn", {"preset": "mine"}, "mine is not one of derived, sonic"),
        ("watchdog", {"ports": "0"}, "whole number of at least 1"),
    ],
)
def test_mistakes_are_named(name, given, message):
    with pytest.raises(UsageError, match=message):
        calculate(name, given)
