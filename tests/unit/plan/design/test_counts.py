"""Counts of Clos fabrics against published tables and the closed forms k, k^2/2, k^3/4."""

from __future__ import annotations

from fractions import Fraction

import pytest

from nettool.plan.design.cages import CageSet, CageUse, SwitchCages
from nettool.plan.design.clos import Clos, ClosRequest, Limit
from nettool.plan.design.solve import solve

FAMILIES = ("topo.", "hpn.table2", "hpn.rail_only_pod")


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


def rail_optimised(given, expected):
    rails = given["gpus_per_node"]
    found = solve(request(given["N"] // rails, rails, given["radix"], given["oversub"]))
    if expected["tiers"] is None:
        assert isinstance(found, Limit)
        assert found.most == expected["max_nics"]
    else:
        assert_counts(found, expected)


def superpod(given, expected):
    planes = given.get("planes", 1)
    assert_counts(solve(request(given["N"] // 8, 8, given["radix"])), expected, times=planes)


def a_clos_a_rail(given, expected):
    found = solve(request(given["N"] // given["rails"], 1, given["radix"]))
    assert_counts(found, expected, times=given["rails"])


def most_nics(tiers):
    def check(given, expected):
        fits = solve(request(expected, 1, given["k"], tiers=(tiers,)))
        beyond = solve(request(expected + 1, 1, given["k"], tiers=(tiers,)))
        assert isinstance(fits, Clos)
        assert isinstance(beyond, Limit)
        assert beyond.most == expected

    return check


def mixed_uplinks(given, expected):
    uplink = given["uplink_gbps"] * 1000
    whole = CageSet(uplink, tuple(CageUse(n, "1x800G", 1) for n in range(1, 65)))
    kinds = tuple(
        CageSet(
            speed * 1000,
            tuple(CageUse(n, "x", uplink // (speed * 1000)) for n in range(1, 65)),
        )
        for _, speed in given["downlinks"]
    )
    leaf = SwitchCages(kinds, whole)
    counts = tuple(count for count, _ in given["downlinks"])
    uplinks = leaf.needed_uplinks(counts, Fraction(given["oversub"]))
    assert uplinks == expected
    assert leaf.fits(counts, uplinks)


def hpn_leaf():
    """128 ports of 200G for NICs, and 60 of 400G above."""
    nics = CageSet(200_000, tuple(CageUse(n, "2x200G", 2) for n in range(1, 65)))
    ups = CageSet(400_000, tuple(CageUse(n, "1x400G", 1) for n in range(65, 125)))
    return SwitchCages((nics,), ups)


def hpn_leaf_ratio(_, expected):
    leaf = hpn_leaf()
    assert leaf.most(0, Fraction(str(round(expected, 6)))) == 128
    assert leaf.capacity((128,)) / (leaf.up.ports * 400_000) == pytest.approx(expected, rel=1e-3)


def hpn_spine_ratio(given, expected):
    spine = switch(given["down"] + given["up"])
    assert spine.most(0, Fraction(int(expected))) == given["down"]
    assert spine.needed_uplinks((given["down"],), Fraction(int(expected))) == given["up"]


def hpn_pod(given, expected):
    leaf, spine = hpn_leaf(), switch(256)
    nodes = expected // 8
    found = solve(ClosRequest(((0, nodes),), 1, 8, leaf, spine, spine, Fraction(16, 15)))
    assert isinstance(found, Clos)
    assert len(found.segments) == given["segments"]


def hpn_leaves_of_a_segment(given, expected):
    leaf, spine = hpn_leaf(), switch(256)
    runs = ((0, given["hosts"]),)
    plane = solve(
        ClosRequest(runs, 1, given["nics"], leaf, spine, spine, Fraction(16, 15), tiers=(2,))
    )
    assert plane.leaves * given["ports"] == expected


def most_ports(beside, radix, tiers):
    """NIC ports that fit so many tiers; one node more must not."""
    limit = solve(request(10**6, beside, radix, tiers=(tiers,)))
    assert isinstance(limit, Limit)
    nodes = limit.most // beside
    assert isinstance(solve(request(nodes, beside, radix, tiers=(tiers,))), Clos)
    assert isinstance(solve(request(nodes + 1, beside, radix, tiers=(tiers,))), Limit)
    return limit.most


def hpn_pod_ports(beside):
    """NIC ports of one pod of one plane below aggregation switches of 120 ports down and 8 up."""
    leaf, above = hpn_leaf(), switch(128)
    found = solve(
        ClosRequest(
            ((0, 20_000),), 1, beside, leaf, above, above, Fraction(16, 15), Fraction(15),
            tiers=(3,),
        )
    )  # fmt: skip
    return sum(found.segments[n].count for n in found.pods[0].segments) * beside


def hpn_table2(of):
    """One row of HPN's table of scale: GPUs of a tier 1 and of a tier 2, where it has a figure."""

    def check(_, expected):
        tiers = expected if isinstance(expected, dict) else {"tier2": expected}
        wanted = {name: gpus for name, gpus in tiers.items() if gpus}
        assert {name: of[name]() for name in wanted} == wanted

    return check


HPN_TABLE2 = {
    "hpn.table2.51.2T_clos": {
        "tier1": lambda: most_ports(1, 64, 1),
        "tier2": lambda: most_ports(1, 64, 2),
    },
    "hpn.table2.dual_tor": {
        "tier1": lambda: most_ports(1, 128, 1),
        "tier2": lambda: most_ports(2, 128, 2) // 2,
    },
    "hpn.table2.rail_optimised": {"tier1": lambda: 8 * most_ports(1, 128, 1)},
    "hpn.table2.dual_plane": {"tier2": lambda: most_ports(1, 128, 2)},
    "hpn.table2.oversub15": {"tier2": lambda: hpn_pod_ports(8)},
    "hpn.rail_only_pod": {"tier2": lambda: 8 * hpn_pod_ports(1)},
}
"""Of a 51.2T box: 64 x 800G or 128 x 400G; a GPU of two leaves takes a port of 400G on each."""


def llama3(given, expected):
    spine = switch(512)
    found = solve(
        ClosRequest(
            ((0, expected // 8),), 1, 8, switch(128), spine, spine, tiers=(3,),
            pods=given["pods"],
        )
    )  # fmt: skip
    sizes = {sum(found.segments[n].count for n in pod.segments) * 8 for pod in found.pods}
    assert sizes == {given["gpus_per_pod"]}


FAMILY = {
    "topo.800Gnic": rail_optimised,
    "topo.400Gnic": rail_optimised,
    "topo.superpod": superpod,
    "topo.rail_only": a_clos_a_rail,
    "topo.max.2tier": most_nics(2),
    "topo.max.3tier": most_nics(3),
    "topo.mixed_uplinks": mixed_uplinks,
    "topo.hpn.tor_oversub": hpn_leaf_ratio,
    "topo.hpn.agg_oversub": hpn_spine_ratio,
    "topo.hpn.pod_gpus": hpn_pod,
    "topo.hpn.tors_per_segment": hpn_leaves_of_a_segment,
    "topo.llama3": llama3,
    **{name: hpn_table2(of) for name, of in HPN_TABLE2.items()},
}


def test_a_published_or_computed_count(vector):
    check = next(each for name, each in FAMILY.items() if vector["name"].startswith(name))
    check(vector["inputs"], vector["expected"])


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
