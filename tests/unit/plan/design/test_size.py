"""Sizing without a file: the contract's fields, published counts, and what would fit instead."""

from __future__ import annotations

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.core.errors import UsageError
from nettool.plan.design.size import SizeRequest, size

CATALOG = load_catalog()
FAMILIES = ("topo.800G", "topo.400G", "topo.rail_only")
CONTRACT = {
    "feasible", "tiers", "leaf", "spine", "core", "nic_links", "leaf_spine_links",
    "spine_core_links", "leaf_spine_cables", "spine_core_cables", "optics",
    "oversubscription_reached", "alternatives", "switches", "why", "limit", "max_nics",
}  # fmt: skip


def asked(gpus, nic=400_000, **changes):
    """A request on CX864E-N with eight GPUs a node."""
    return size(SizeRequest(**({"gpus": gpus, "nic": nic} | changes)), CATALOG)


def test_published_counts(vector):
    given, expected = vector["inputs"], vector["expected"]
    sizing = asked(
        given["N"],
        {64: 800_000, 128: 400_000}[given["radix"]],
        topology="rail-clos" if "rails" in given else "rail-optimized",
        oversubscription=given.get("oversub", 1),
    ).as_json()
    assert sizing["feasible"] is expected.get("feasible", True)
    names = ("tiers", "leaf", "spine", "core", "nic_links", "leaf_spine_links",
             "spine_core_links", "max_nics")  # fmt: skip
    wanted = {key: expected[key] for key in names if key in expected}
    assert {key: sizing[key] for key in wanted} == wanted


def test_the_fields_of_the_contract():
    sizing = asked(1024).as_json()
    assert sizing.keys() >= CONTRACT
    alternatives = sizing["alternatives"]
    assert alternatives
    assert all(each["why"] and each["switches"] for each in alternatives)
    ranks = [(each["switches"], each["optics"], each["cable_m"]) for each in alternatives]
    assert ranks == sorted(ranks)


def test_cables_carry_two_legs_and_optics_stand_at_both_ends():
    sizing = asked(131_072)
    assert (sizing.leaf_spine_links, sizing.leaf_spine_cables) == (131_072, 65_536)
    assert sizing.optics == 2 * (65_536 + 65_536)


@pytest.mark.parametrize("topology", ["rail-optimized", "rail-only"])
def test_a_leaf_without_uplinks_has_no_other_oversubscription(topology):
    sizing = asked(128, topology=topology)
    assert sizing.tiers == 1
    assert "at the leaf" not in " ".join(each.why for each in sizing.alternatives)
    assert "2:1 at the leaf" in " ".join(each.why for each in asked(1024).alternatives)


def test_an_alternative_tells_the_ratio_that_its_column_has():
    rows = asked(384, topology="dual-plane").alternatives
    why = {each.oversubscription: each.why for each in rows if each.oversubscription > 1}
    assert why[3].startswith("3:1 at the leaf at most: whole links give 1.5:1; ")
    exact = [each.why for each in asked(1024).alternatives if each.oversubscription == 2]
    assert [each.startswith("2:1 at the leaf; ") for each in exact] == [True]


@pytest.mark.parametrize(
    "changes",
    [
        {"gpus": 10**20}, {"gpus": 8_000_008}, {"gpus": 0}, {"gpus_per_node": 0},
        {"gpus_per_node": 1025}, {"oversubscription": 0}, {"oversubscription": float("nan")},
        {"oversubscription": float("inf")},
    ],
)  # fmt: skip
def test_sizes_beyond_reason_are_refused_at_once(changes):
    with pytest.raises(UsageError, match="must be"):
        asked(**({"gpus": 128} | changes))


def test_fibre_to_the_nics_costs_optics():
    assert asked(1024, nic_cable=3.0).nic_optics == 0
    assert asked(1024, nic_cable=10.0).nic_optics == 2 * 1024
    assert asked(1024, nic_cable=3.0).optics == 1024
    assert asked(1024, nic_cable=10.0).optics == 1024 + 2 * 1024


@pytest.mark.parametrize(
    ("gpus", "nic", "ratio", "reached"),
    [(128, 800_000, 3, 1.0), (128, 400_000, 3, 1.0), (1024, 800_000, 3, 3.0), (80, 800_000, 1, 1)],
)
def test_the_ratio_that_is_reached(gpus, nic, ratio, reached):
    assert asked(gpus, nic, oversubscription=ratio).oversubscription_reached == reached


def test_two_planes_count_twice():
    sizing = asked(512, topology="dual-plane")
    assert (sizing.leaf, sizing.spine, sizing.nic_links) == (16, 8, 1024)
    assert sizing.leaf_spine_cables == 512


def test_an_infeasible_request_says_what_would_fit():
    sizing = asked(131_072, 800_000)
    assert not sizing.feasible
    assert (sizing.tiers, sizing.leaf, sizing.switches) == (None, None, None)
    assert sizing.limit == "128 pods, and a core has 64 ports: one a pod at least"
    assert sizing.max_nics == 65_536
    assert [(each.topology, each.switches) for each in sizing.alternatives] == [
        ("rail-clos", 10_240),
        ("dual-plane", 10_240),
    ]
    assert sizing.alternatives[1].why.startswith("each NIC as 2 ports of 400G; planes never meet")


def test_rail_only_ends_at_a_leaf_a_rail():
    sizing = asked(8192, topology="rail-only")
    assert sizing.limit == "one switch has 128 ports of this speed, 1024 are needed"
    assert sizing.max_nics == 8 * 128


def test_a_switch_without_such_ports():
    sizing = asked(64, 800_000, switch="CX732Q-N")
    assert sizing.limit == "CX732Q-N has no port at 800G"
    assert sizing.max_nics == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"topology": "rail-optimised"}, "did you mean rail-optimized"),
        ({"switch": "CX864"}, "did you mean CX864E-N"),
        ({"oversubscription": 0}, "must be above 0"),
    ],
)
def test_nonsense_is_a_usage_error(changes, message):
    with pytest.raises(UsageError, match=message):
        asked(64, **changes)
