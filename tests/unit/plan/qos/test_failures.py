"""Pairs of failures: each kind once, none forgotten, counted as often as there are such pairs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.core.source import parse_yaml
from nettool.intent.load import find_fabric
from nettool.pipeline import plan_fabric
from nettool.plan.qos.failures import Failure, degrade, double_failures, single_failures
from nettool.plan.qos.whatif import cut_off, what_if

CLOS = "clos3-1024"
TWO_PLANES = "dual-plane-512"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Shipped fabrics with few nodes, so that every pair can be tried."""

    def make(name, nodes, jobs=""):
        text = find_fabric(name).read_text()
        data = parse_yaml(text, "fabric.yaml").data
        text = text.replace(f"nodes: {data['cluster']['nodes']}", f"nodes: {nodes}", 1)
        text = text.partition("\njobs:")[0] + "\n" + jobs
        path = tmp_path_factory.mktemp(name) / "fabric.yaml"
        path.write_text(text)
        return plan_fabric(path)

    return make


def everything(fabric):
    """Every single switch, node and link, one by one."""
    for device in fabric.devices:
        yield Failure(device.role, device.name, 1, frozenset({device.name}))
    for node in fabric.nodes:
        yield Failure("node", node.name, 1, nodes=frozenset({node.name}))
    for link in fabric.links:
        yield Failure("link", f"{link.a}-{link.b}", 1, links=frozenset({(link.a, link.b)}))


def left(fabric, rest):
    """What can be told apart of what is left: NICs cut off, and the uplinks of each switch."""
    ups = sorted(
        (device.role, sum(n.role != "node" for n in device.neighbors.values()),
         sum(n.role == "node" for n in device.neighbors.values()))
        for device in rest.devices
    )  # fmt: skip
    return cut_off(rest, fabric), tuple(ups), len(rest.links)


def overlapping(one, other, fabric):
    """A link that the other failure takes with it is no second failure."""
    gone = one.switches | one.nodes | other.switches | other.nodes
    ends = {end.device for pair in one.links | other.links for end in pair}
    return bool(ends & gone)


@pytest.mark.parametrize(("name", "nodes"), [(CLOS, 4), ("rail-optimized-256", 4)])
def test_pairs_are_what_trying_every_pair_gives(small, name, nodes):
    fabric = small(name, nodes).fabric
    rest = {one: degrade(fabric, one) for one in everything(fabric)}
    tried = Counter(
        left(fabric, degrade(rest[one], other))
        for one, other in combinations(everything(fabric), 2)
        if not overlapping(one, other, fabric)
    )
    found = Counter()
    for pair in double_failures(fabric):
        if "plane" not in pair.kind:
            found[left(fabric, degrade(fabric, pair))] += pair.count
    assert found == tried


def test_a_pair_in_one_plane_and_a_plane_with_one_more_are_both_met(small):
    fabric = small(TWO_PLANES, 8).fabric
    kinds = Counter(each.kind for each in double_failures(fabric))
    assert kinds["plane, plane"] == 1
    assert kinds["plane, node"] >= 1
    assert "node, plane" not in kinds
    both = next(each for each in double_failures(fabric) if each.kind == "plane, plane")
    assert (both.planes, both.lost) == (2, 2)
    assert cut_off(degrade(fabric, both), fabric) == sum(len(each.nics) for each in fabric.nodes)


def test_single_failures_tell_nodes_of_a_fuller_leaf_apart(small):
    fabric = small(CLOS, 4).fabric
    counts = Counter()
    for each in single_failures(fabric):
        counts[each.kind] += each.count
    assert counts["node"] == 4
    assert counts["link"] == len(fabric.links)
    assert counts["leaf"] + counts["spine"] + counts.get("core", 0) == len(fabric.devices)


def test_the_worst_pair_is_listed_first():
    plan = plan_fabric(find_fabric("rail-optimized-256"))
    own = (plan.intent, plan.fabric, plan.matrix, load_catalog())
    result, report = what_if(*own, pairs=True)
    worst = result.worst_first[0]
    assert (worst.failure.kind, worst.cut_off) == ("spine, spine", 192)
    assert report.summary["worst_failure"] == worst.text
    assert [each.severity for each in result.worst_first] == sorted(
        (each.severity for each in result.outcomes), reverse=True
    )


def test_what_is_alike_stays_alike_under_other_names():
    plan = plan_fabric(find_fabric("rail-only-128"))
    turned = replace(plan.fabric, devices=tuple(reversed(plan.fabric.devices)))
    counts = [Counter((e.kind, e.count) for e in double_failures(f)) for f in (plan.fabric, turned)]
    assert counts[0] == counts[1]
