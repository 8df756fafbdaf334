"""Cycles of waiting buffers: rings are found, up-down Clos fabrics are clean."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nettool.plan.qos.cycle import dependencies, find_cycle
from nettool.plan.qos.deadlock import check_deadlock, examine, ring, single_failures
from nettool.plan.qos.routes import graph_of, next_hops, waiting

UP_DOWN = [("l1", "s1", "l2"), ("l2", "s1", "l1"), ("l1", "s2", "l2"), ("l2", "s2", "l1")]
RING = [("a", "b", "c"), ("b", "c", "d"), ("c", "d", "a"), ("d", "a", "b")]
BOUNCED = [("l1", "s1", "l3", "s2", "l2"), ("l2", "s2", "l4", "s1", "l1"),
           ("l3", "s2", "l4"), ("l4", "s1", "l3")]  # fmt: skip


def clos(leaves, spines):
    return [(f"leaf{a}", f"spine{b}") for a in range(1, leaves + 1) for b in range(1, spines + 1)]


def two_tier(draw, *, shared, leaves=4, spines=2, pairs=None):
    roles = {f"leaf{each}": "leaf" for each in range(1, leaves + 1)}
    roles |= {f"spine{each}": "spine" for each in range(1, spines + 1)}
    numbers = {name: 65_000 + index for index, name in enumerate(roles)}
    if shared:
        numbers |= dict.fromkeys((each for each in roles if each.startswith("spine")), 64_512)
    return draw(roles, numbers, pairs or clos(leaves, spines))


@pytest.mark.parametrize(
    ("routes", "cycle"),
    [
        (UP_DOWN, None),
        (RING, "a -> b -> c -> d -> a"),
        (BOUNCED, "l3 -> s2 -> l4 -> s1 -> l3"),
        (BOUNCED[:1], None),
        ([], None),
    ],
    ids=["up-down", "ring", "bounces both ways", "one bounce", "none"],
)
def test_routes(routes, cycle):
    found = find_cycle(dependencies(routes))
    assert (ring(found) if found else None) == cycle


@pytest.mark.parametrize("spines", [1, 2, 8])
def test_a_clos_whose_spines_share_an_as_is_clean_whatever_fails(draw, spines):
    (verdict,) = examine(two_tier(draw, shared=True, spines=spines))
    assert (verdict.possible, verdict.actual) == (None, None)
    assert verdict.text.endswith("whatever fails")
    assert list(check_deadlock((verdict,), (3,))) == []


def test_spines_apart_permit_a_bounce_but_no_single_failure_closes_a_cycle(draw):
    (verdict,) = examine(two_tier(draw, shared=False))
    assert verdict.actual is None
    assert verdict.examined == 1 + 6 + 8
    (finding,) = check_deadlock((verdict,), (3,))
    assert (finding.rule, str(finding.severity)) == ("QOS011", "warning")
    assert "spine" in finding.message
    assert "one AS number" in finding.hint


def test_a_double_failure_closes_the_cycle_that_was_warned_of(draw):
    graph = graph_of(two_tier(draw, shared=False), "compute")
    down = [frozenset(("leaf1", "spine1")), frozenset(("leaf2", "spine2"))]
    assert [find_cycle(waiting(graph.without(each))) for each in down] == [None, None]
    cycle = find_cycle(waiting(graph.without(*down)))
    assert ring(cycle) == "leaf3 -> spine1 -> leaf4 -> spine2 -> leaf3"


def test_a_ring_of_leaves_is_an_error_with_the_cycle(draw):
    roles = {f"leaf{each}": "leaf" for each in range(1, 6)}
    numbers = {name: 65_000 + index for index, name in enumerate(roles)}
    pairs = [(f"leaf{each}", f"leaf{each % 5 + 1}") for each in range(1, 6)]
    (verdict,) = examine(draw(roles, numbers, pairs))
    (finding,) = check_deadlock((verdict,), (3, 4))
    assert str(finding.severity) == "error"
    assert finding.message == (
        "compute: with nothing failed, buffers of priority 3, 4 wait in a cycle: "
        "leaf1 -> leaf2 -> leaf3 -> leaf4 -> leaf5 -> leaf1"
    )


def test_a_bounce_after_one_failure_is_found(draw):
    """A cable short already, the fabric is one failure away from buffers that wait in a ring."""
    lame = [each for each in clos(4, 2) if each != ("leaf1", "spine1")]
    fabric = two_tier(draw, shared=False, pairs=lame)
    assert find_cycle(waiting(graph_of(fabric, "compute"))) is None
    (finding,) = check_deadlock(examine(fabric), (3,))
    assert str(finding.severity) == "error"
    assert finding.message == (
        "compute: after leaf2-spine2 fails, buffers of priority 3 wait in a cycle: "
        "leaf3 -> spine1 -> leaf4 -> spine2 -> leaf3"
    )
    assert list(check_deadlock(examine(two_tier(draw, shared=True, pairs=lame)), (3,))) == []


def test_rails_that_never_meet_are_judged_apart(draw):
    """Spines of two rails have two AS numbers; no leaf joins both, so nothing can bounce."""
    pairs = [*clos(2, 1), ("leaf3", "spine2"), ("leaf4", "spine2")]
    fabric = two_tier(draw, shared=False, pairs=pairs)
    railed = replace(fabric, devices=tuple(
        replace(each, rails=(1 if each.name in ("leaf1", "leaf2", "spine1") else 2,))
        for each in fabric.devices
    ))  # fmt: skip
    (verdict,) = examine(railed)
    assert verdict.possible is None


def test_no_lossless_priority_no_deadlock(draw):
    (verdict,) = examine(two_tier(draw, shared=False))
    assert list(check_deadlock((verdict,), ())) == []


def test_routes_refuse_a_path_with_their_own_as(draw):
    lame = [each for each in clos(4, 2) if each != ("leaf1", "spine1")]
    shared = graph_of(two_tier(draw, shared=True, pairs=lame), "compute")
    apart = graph_of(two_tier(draw, shared=False, pairs=lame), "compute")
    assert "spine1" not in next_hops(shared, "leaf1")
    assert next_hops(apart, "leaf1")["spine1"] == ("leaf2", "leaf3", "leaf4")
    assert next_hops(apart, "leaf1")["leaf2"] == ("spine2",)


def test_a_bundle_survives_the_loss_of_one_link(draw):
    bundled = graph_of(two_tier(draw, shared=True, pairs=clos(4, 2) * 2), "compute")
    names = [failed for failed, _ in single_failures(bundled)]
    assert names == ["", "leaf1", "leaf2", "leaf3", "leaf4", "spine1", "spine2"]
