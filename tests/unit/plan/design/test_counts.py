"""Counts of Clos fabrics against published tables and the closed forms k, k^2/2, k^3/4."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from nettool.plan.design.cages import CageSet, CageUse, SwitchCages
from nettool.plan.design.clos import Clos, ClosRequest, Limit
from nettool.plan.design.solve import solve

VECTORS = Path(__file__).parents[4] / "../shared/facts/traffic_vectors.json"


def vectors(*beginnings):
    """The vectors whose names begin so; one skipped case where the file is absent."""
    if not VECTORS.is_file():
        return [pytest.param(None, marks=pytest.mark.skip("traffic_vectors.json is absent"))]
    rows = json.loads(VECTORS.read_text())
    return [pytest.param(row, id=row["name"]) for row in rows if row["name"].startswith(beginnings)]


def switch(radix, speed=400_000):
    """A switch of `radix` equal ports that may face down or up."""
    ports = CageSet(speed, tuple(CageUse(n, "1x400G", 1) for n in range(1, radix + 1)))
    return SwitchCages((ports,), ports)


def request(nodes, rails, radix, ratio=1, tiers=(1, 2, 3)):
    """A rail-optimised request of equal nodes on equal switches."""
    box = switch(radix)
    return ClosRequest(((0, nodes),), 1, rails, box, box, box, Fraction(ratio), tiers=tiers)


def counted(found, times=1):
    """What a Clos has, under the vectors' names; `times` for so many equal ones."""
    return {
        "tiers": found.tiers,
        "pods": len(found.pods),
        "leaf": found.leaves * times,
        "spine": found.spines_in_all * times,
        "spine_port_minimum": found.spine_minimum,
        "core": found.cores * times,
        "leaf_spine_links": found.leaf_spine_links * times,
        "spine_core_links": found.spine_core_links * times,
        "cables_per_tier": found.leaf_spine_links * times,
        "cables_800G_per_tier": found.leaf_spine_links * times / 2,
    }


def assert_counts(found, expected, times=1):
    assert isinstance(found, Clos), found
    got = counted(found, times)
    wanted = {key: value for key, value in expected.items() if key in got}
    assert {key: got[key] for key in wanted} == wanted


@pytest.mark.parametrize("row", vectors("topo.800G", "topo.400G"))
def test_rail_optimised_counts(row):
    given, expected = row["inputs"], row["expected"]
    rails = given["gpus_per_node"]
    found = solve(request(given["N"] // rails, rails, given["radix"], given["oversub"]))
    if expected["tiers"] is None:
        assert isinstance(found, Limit)
        assert found.most == expected["max_nics"]
    else:
        assert_counts(found, expected)


@pytest.mark.parametrize("row", vectors("topo.superpod_b200"))
def test_superpod_counts(row):
    given = row["inputs"]
    assert_counts(solve(request(given["N"] // 8, 8, given["radix"])), row["expected"])


@pytest.mark.parametrize("row", vectors("topo.superpod_b300"))
def test_twin_plane_counts(row):
    given = row["inputs"]
    plane = solve(request(given["N"] // 8, 8, given["radix"]))
    assert_counts(plane, row["expected"], times=given["planes"])


@pytest.mark.parametrize("row", vectors("topo.rail_only"))
def test_a_clos_a_rail(row):
    given = row["inputs"]
    found = solve(request(given["N"] // given["rails"], 1, given["radix"]))
    assert_counts(found, row["expected"], times=given["rails"])


@pytest.mark.parametrize("row", vectors("topo.max"))
def test_the_most_nics_of_so_many_tiers(row):
    radix, tiers = row["inputs"]["k"], int(row["name"].split(".")[2][0])
    fits = solve(request(row["expected"], 1, radix, tiers=(tiers,)))
    beyond = solve(request(row["expected"] + 1, 1, radix, tiers=(tiers,)))
    assert isinstance(fits, Clos)
    assert isinstance(beyond, Limit)
    assert beyond.most == row["expected"]


@pytest.mark.parametrize("row", vectors("topo.mixed_uplinks"))
def test_uplinks_of_mixed_nics(row):
    given = row["inputs"]
    uplink = given["uplink_gbps"] * 1000
    whole = CageSet(uplink, tuple(CageUse(n, "1x800G", 1) for n in range(1, 65)))
    kinds = tuple(
        CageSet(speed * 1000, tuple(CageUse(n, "x", uplink // (speed * 1000))
                                    for n in range(1, 65)))
        for _, speed in given["downlinks"]
    )  # fmt: skip
    leaf = SwitchCages(kinds, whole)
    counts = tuple(count for count, _ in given["downlinks"])
    uplinks = leaf.needed_uplinks(counts, Fraction(given["oversub"]))
    assert uplinks == row["expected"]
    assert leaf.fits(counts, uplinks)


@pytest.mark.parametrize("row", vectors("topo.hpn.tor_oversub"))
def test_hpn_leaf(row):
    """128 x 200G down and 60 x 400G up: the ratio that a leaf reaches is reported."""
    nics = CageSet(200_000, tuple(CageUse(n, "2x200G", 2) for n in range(1, 129)))
    ups = CageSet(400_000, tuple(CageUse(n, "1x400G", 1) for n in range(1, 129)))
    leaf = SwitchCages((nics,), ups)
    uplinks = leaf.needed_uplinks((128,), Fraction(str(round(row["expected"], 6))))
    assert leaf.capacity((128,)) / (uplinks * 400_000) == pytest.approx(row["expected"], rel=1e-3)


@pytest.mark.parametrize(
    ("nodes", "spines", "per_pair"), [(33, 2, 9), (64, 2, 16), (65, 4, 8), (128, 4, 8)]
)
def test_spines_divide_a_full_leaf_so_that_leaves_can_fill_up(nodes, spines, per_pair):
    whole = CageSet(800_000, tuple(CageUse(n, "1x800G", 1) for n in range(1, 65)))
    halves = CageSet(400_000, tuple(CageUse(n, "2x400G", 2) for n in range(1, 65)))
    box, spine = SwitchCages((halves,), whole), SwitchCages((whole,), whole)
    found = solve(ClosRequest(((0, nodes),), 1, 4, box, spine, spine))
    assert isinstance(found, Clos)
    assert (found.spines, found.per_pair) == (spines, per_pair)


def test_an_infeasible_request_names_its_limit_and_what_fits():
    found = solve(request(16_384, 8, 64))
    assert found == Limit("128 pods, and a core has 64 ports: one a pod at least", 65_536)
