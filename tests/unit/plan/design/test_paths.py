"""Latency, failures and hash seeds of a design."""

from __future__ import annotations

import pytest

from nettool.config.nos.dialects.sonic.names import DEVICE_TYPES
from nettool.core.provenance import Trust
from nettool.plan.design.failure import outages
from nettool.plan.design.hashing import TYPE_OF_ROLE, check_seeds, seed_of_type, tier_seeds
from nettool.plan.design.latency import pair_latencies

PACKET_400G = 4178 * 8 / 400
"""Nanoseconds of one packet on 400G."""


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # one switch of 560 ns, 2 x 3 m, one packet at the NIC
        ({"nodes": 16}, {"same-leaf": 560 + 30 + PACKET_400G}),
        # 400G into 800G is stored at the first leaf: a second packet time
        (
            {},
            {
                "same-leaf": 560 + 30 + PACKET_400G,
                "same-pod": 3 * 560 + 66 * 5 + 2 * PACKET_400G,
            },
        ),
        # all links at 400G: cut through everywhere
        (
            {"topology": "clos3", "uplink": "400G", "nodes": 128, "options": {"pods": 2}},
            {
                "same-leaf": 560 + 30 + PACKET_400G,
                "same-pod": 3 * 560 + 66 * 5 + PACKET_400G,
                "across-core": 5 * 560 + 266 * 5 + PACKET_400G,
            },
        ),
    ],
)
def test_latency_by_pair_class(fabric_of, catalog, changes, expected):
    found = {each.pair: each for each in pair_latencies(fabric_of(**changes), catalog)}
    got = {pair: each.latency.value for pair, each in found.items()}
    assert got == pytest.approx(expected, abs=0.01)
    assert found["same-leaf"].latency.why.inputs[0].why.trust is Trust.PUBLISHED


def test_latency_is_unknown_where_the_switch_has_no_public_figure(fabric_of, catalog):
    fabric = fabric_of(leaf={"model": "CX664D-N"}, nic="connectx-6-200g", nodes=16)
    known = catalog.switch("CX664D-N").latency_of(None)
    latencies = [each.latency for each in pair_latencies(fabric, catalog)]
    assert all((each is None) == (known is None) for each in latencies)


def left(fabric, *failed, tier="leaf-spine", rail=1):
    """The share that is left after failures of these kinds."""
    return next(
        each.share
        for each in outages(fabric)
        if (each.failed, each.tier, each.rail) == (failed, tier, rail)
    )


@pytest.mark.parametrize(
    ("failed", "share"),
    [
        (("leaf-spine link",), 31 / 32),
        (("leaf-spine link", "leaf-spine link"), 30 / 32),
        (("spine",), 1 / 2),
        (("leaf-spine link", "spine"), 15 / 32),
        (("spine", "spine"), 0),
        (("leaf",), 0),
    ],
)
def test_capacity_left_of_a_rail(fabric_of, failed, share):
    assert left(fabric_of(), *failed) == share


def test_a_failed_plane_leaves_the_other(fabric_of):
    fabric = fabric_of(topology="dual-plane", nic="connectx-8-2x400g")
    assert left(fabric, "plane", tier="nic-leaf") == 0.5
    assert left(fabric, "plane", "spine") == 0.25
    assert left(fabric, "plane", "plane", tier="nic-leaf") == 0


def test_a_failed_leaf_cuts_its_nics_off(fabric_of):
    found = {each.failed: each for each in outages(fabric_of()) if each.tier == "nic-leaf"}
    assert (found["leaf",].cut_off, found["leaf", "leaf"].cut_off) == (64, 128)


def test_each_tier_has_a_seed_of_its_own(fabric_of):
    fabric = fabric_of(topology="clos3", nodes=128, options={"pods": 2})
    seeds = {role: each.seed.value for role, each in tier_seeds(fabric).items()}
    assert seeds == {"leaf": 0, "spine": 10, "core": 25}
    assert list(check_seeds(fabric)) == []


def test_spine_routers_of_every_kind_share_a_seed(fabric_of):
    fabric = fabric_of(topology="clos3", nodes=128, options={"pods": 2})
    types = {"leaf": "LeafRouter", "spine": "LowerSpineRouter", "core": "UpperSpineRouter"}
    (finding,) = check_seeds(fabric, types)
    assert finding.rule == "DSN014"
    assert finding.message == (
        "spine (LowerSpineRouter) and core (UpperSpineRouter) hash with the same seed 25: flows "
        "that a spine puts on one link stay together on every core"
    )


def test_the_sonic_dialect_writes_these_types():
    assert {role: DEVICE_TYPES[role] for role in TYPE_OF_ROLE} == TYPE_OF_ROLE


def test_a_type_without_a_seed():
    assert seed_of_type("MgmtAccessRouter") is None
