"""Demand laid on real designs: loads, shares, incast, and the direction theory gives them."""

from __future__ import annotations

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.core.finding import Severity
from nettool.intent.intent import FabricIntent
from nettool.intent.load import find_fabric, load_intent
from nettool.plan.demand.estimate import estimate
from nettool.plan.design.design import design
from nettool.plan.placement.place import place

LLAMA = {"name": "llama", "model": "llama-3-70b", "tp": 4, "pp": 8, "dp": 8, "batch": 1024}
MOE = {"name": "moe", "model": "mixtral-8x22b", "tp": 1, "dp": 256, "ep": 8, "batch": 1024}
SMALL = {"name": "small", "model": "llama-3-8b", "tp": 4, "dp": 16, "batch": 64}


def laid(*jobs, fabric="rail-optimized-256", storage=False, leaves=None, **network):
    """Matrix and findings of jobs on an example fabric, its compute network changed."""
    intent, _ = load_intent(find_fabric(fabric))
    given = intent.model_dump(exclude_unset=True)
    given["jobs"] = jobs
    given["networks"]["compute"].update(network)
    if storage:
        given["networks"]["storage" if storage is True else storage] = {
            "topology": "clos", "nic": {"model": "connectx-7-400g", "per_node": 1},
            "leaf": {"model": "CX864E-N"}, "subnets": {"pool": "10.9.0.0/16", "vlan": 301},
            "pools": {
                "loopbacks": "10.254.0.0/24", "links": "10.126.0.0/23", "asn_first": 4200001000,
            },
        }  # fmt: skip
    intent = FabricIntent.model_validate(given)
    catalog = load_catalog()
    demand, first = estimate(intent, catalog)
    built, second = design(intent, demand, catalog)
    assert not first.has_errors, first.findings
    assert not second.has_errors, second.findings
    matrix, report = place(demand, built)
    return demand, matrix, report


def loads(matrix, tier, traffic="training"):
    return [each for each in matrix.loads if (each.tier, each.traffic) == (tier, traffic)]


def rules(report):
    return {each.rule for each in report.findings}


@pytest.mark.parametrize("fabric", ["rail-only-128", "rail-optimized-256"])
def test_shipped_fabrics_keep_their_jobs_on_the_leaves(fabric):
    intent, _ = load_intent(find_fabric(fabric))
    catalog = load_catalog()
    demand, _ = estimate(intent, catalog)
    matrix, report = place(demand, design(intent, demand, catalog)[0])
    assert not report.findings
    assert {kind for _, _, kind in matrix.edges} == {"scale-up", "leaf-local"}
    assert [load.rail for load in loads(matrix, "nic-leaf")] == [1, 2, 3, 4]


@pytest.mark.parametrize("job", [LLAMA, MOE, {**LLAMA, "options": {"order": "pp-dp-tp"}}])
def test_bytes_are_conserved(job):
    """Rails and tiers together carry what the dimensions send, to the byte."""
    demand, matrix, _ = laid(job)
    sent = sum(
        flow.group_bytes * each.gpus // flow.members for each in demand.jobs for flow in each.flows
    )
    assert sum(matrix.edges.values()) == sent
    relayed = sum(matrix.relayed.values())
    inside = sum(int(each.bytes) for each in loads(matrix, "scale-up")) - relayed
    outside = sum(int(each.bytes) for each in loads(matrix, "nic-leaf"))
    assert inside + outside == sent
    above = sum(size for (*_, kind), size in matrix.edges.items() if kind in ABOVE_LEAF)
    assert sum(int(each.bytes) for each in loads(matrix, "leaf-spine")) == above
    roce = next(each for each in matrix.classes if each.name == "roce")
    assert int(roce.bytes) == outside


ABOVE_LEAF = ("leaf-spine", "cross-rail", "core")


SMALL_LEAVES = {"leaf": {"model": "CX732Q-N"}, "spine": {"model": "CX732Q-N"}, "spines": None}
"""Four segments of 16 nodes: 16 x 400G down and up on every leaf."""


def test_a_leaf_s_burst_gives_uplinks_and_oversubscription():
    """Scattered over the leaves, every stage has its neighbours on other leaves."""
    job = {**LLAMA, "options": {"order": "tp-pp-dp", "placement": "fragmented"}}
    _, matrix, report = laid(job, **SMALL_LEAVES)
    load = loads(matrix, "leaf-spine")[0]
    assert (float(load.burst), int(load.uplinks), load.links) == (16 * 400, 16, 16)
    assert float(load.oversubscription) == 1.0
    assert 16 < load.flows <= 32
    assert float(load.worst_link) > 2
    assert 0 < float(load.slowest_flow) < float(load.pinned_slowest_flow) <= 1
    assert float(matrix.needed_oversubscription["compute"]) == 1.0
    assert load.busiest.startswith("leaf")
    assert "PLC014" not in rules(report)


def test_contiguous_nodes_need_fewer_uplinks():
    """Rings of stride 8 nodes in segments of 16 cross at two of eight edges."""
    job = {**LLAMA, "options": {"order": "tp-pp-dp"}}
    _, matrix, _ = laid(job, **SMALL_LEAVES)
    load = loads(matrix, "leaf-spine")[0]
    assert (float(load.burst), int(load.uplinks)) == (8 * 400, 8)
    assert float(matrix.needed_oversubscription["compute"]) == 2.0


def test_too_few_uplinks_are_named():
    job = {**LLAMA, "options": {"placement": "fragmented", "target_utilisation": 0.5}}
    _, _, report = laid(job, **SMALL_LEAVES)
    message = next(each.message for each in report.findings if each.rule == "PLC014")
    assert "bursts to 6,400 Gbit/s and needs 32 uplinks, it has 16" in message


def test_tp_beyond_the_node_moves_its_bytes_to_the_nics():
    """TP 8 in nodes of four: more on NICs, a larger share for roce, and a warning with seconds."""
    _, inside, _ = laid(LLAMA)
    _, outside, report = laid({**LLAMA, "tp": 8, "pp": 4})
    assert nic_bytes(outside) > 10 * nic_bytes(inside)
    assert share(outside, "roce") > share(inside, "roce")
    assert {"PLC012"} <= rules(report)
    message = next(each.message for each in report.findings if each.rule == "PLC012")
    assert "TP 8 of llama puts " in message
    assert " s at line rate against " in message


def nic_bytes(matrix):
    return sum(int(each.bytes) for each in loads(matrix, "nic-leaf"))


def share(matrix, name):
    return sum(float(each.share) for each in matrix.classes if each.name == name)


def test_more_experts_mean_more_incast_and_more_bytes():
    few, many = laid({**MOE, "ep": 4})[1], laid({**MOE, "ep": 8})[1]
    assert (int(few.incast["compute"]), int(many.incast["compute"])) == (1, 1)
    spread = {"expert_tp": 4}
    wide = {**MOE, "tp": 4, "dp": 64, "options": spread}
    found = [int(laid({**wide, "ep": ep})[1].incast["compute"]) for ep in (2, 4, 8)]
    assert found == [1, 3, 7]
    assert token_bytes(many) > token_bytes(few)


def token_bytes(matrix):
    """Bytes of the all-to-all that leave nodes."""
    return sum(
        size for (_, d, kind), size in matrix.edges.items() if d == "ep" and kind != "scale-up"
    )


def test_pxn_keeps_experts_on_their_rail():
    relayed = laid(MOE)[1]
    direct, report = laid({**MOE, "options": {"pxn": False}})[1:]
    assert relayed.relayed["moe", "ep"] > 0
    assert not direct.relayed
    kinds = {kind for _, dimension, kind in direct.edges if dimension == "ep"}
    assert "cross-rail" in kinds
    assert "cross-rail" not in {kind for *_, kind in relayed.edges}
    assert int(direct.incast["compute"]) > int(relayed.incast["compute"])
    assert "PLC013" in rules(report)


def test_experts_wider_than_a_rail_only_fabric_carries():
    job = {**MOE, "model": "deepseek-v3", "dp": 128, "ep": 64, "batch": 512}
    _, _, report = laid(job, fabric="rail-only-128")
    message = next(each.message for each in report.findings if each.rule == "PLC011")
    assert "EP 64 of moe is wider than a node" in message
    _, _, report = laid({**job, "options": {"pxn": False}}, fabric="rail-only-128")
    found = next(each for each in report.findings if each.rule == "PLC010")
    assert found.severity is Severity.ERROR
    assert "that no switch connects" in found.message


def test_a_flat_ring_hops_rails_and_two_levels_do_not():
    job = {**SMALL, "tp": 2, "dp": 32}
    flat, report = laid({**job, "options": {"algorithms": {"dp": "flat-ring"}}})[1:]
    ring = laid(job)[1]
    assert flat.edges["small", "dp", "cross-rail"] > 0
    assert "PLC013" in rules(report)
    assert ("small", "dp", "cross-rail") not in ring.edges


def test_storage_rides_beside_compute_or_on_its_own_network():
    own = {"storage": {"servers": 4}}
    shared, alone = laid(LLAMA)[1], laid({**LLAMA, "options": own}, storage=True)[1]
    assert {(s.network, s.name) for s in shared.classes} == {
        ("compute", "roce"), ("compute", "default"),
    }  # fmt: skip
    assert ("storage", "default") in {(s.network, s.name) for s in alone.classes}
    assert share(alone, "roce") == 1.0
    assert int(alone.incast["storage"]) == 16
    star = [each for each in alone.loads if each.network == "storage"]
    assert [(each.tier, each.traffic) for each in star] == [("nic-leaf", "storage")]
    written = next(each for each in alone.classes if each.network == "storage")
    assert sum(int(each.bytes) for each in star) == int(written.bytes)
    assert float(star[0].burst) == 64 * 400
    assert not [x for x in alone.loads if x.network == "compute" and x.traffic == "storage"]
    timed = {"storage": {"checkpoint": {"seconds": 100}}}
    (slow,) = loads(laid({**LLAMA, "options": timed}, storage=True)[1], "nic-leaf", "storage")
    assert float(slow.burst) == pytest.approx(14 * 70_553_706_496 * 8 / 100 / 1e9)


def test_storage_beside_compute_takes_every_rail_alike():
    """Each node writes over all of its NICs; its bytes are the default class's, to the byte."""
    _, matrix, report = laid(LLAMA, **SMALL_LEAVES)
    below, above = (loads(matrix, tier, "storage") for tier in ("nic-leaf", "leaf-spine"))
    assert [each.rail for each in below] == [each.rail for each in above] == [1, 2, 3, 4]
    written = next(int(each.bytes) for each in matrix.classes if each.name == "default")
    assert written
    for rows in (below, above):
        assert sum(int(each.bytes) for each in rows) == written
        assert {float(each.burst) for each in rows} == {16 * 400}
        assert max(int(x.bytes) for x in rows) - min(int(x.bytes) for x in rows) <= 4
    assert [int(each.uplinks) for each in above] == [16] * 4
    assert "PLC014" not in rules(report)
    narrow = laid(LLAMA, **SMALL_LEAVES, oversubscription=3)[2]
    said = [each.message for each in narrow.findings if each.rule == "PLC014"]
    assert len([each for each in said if ", storage) bursts to" in each]) == 4


def test_the_front_end_carries_storage_where_no_other_network_does():
    own = laid(LLAMA, storage="frontend")[1]
    assert {each.network for each in own.loads if each.traffic == "storage"} == {"frontend"}
    assert int(own.incast["frontend"]) == 8


def test_evaluation_is_the_forward_half():
    matrix = laid(LLAMA)[1]
    for dimension in ("tp", "pp"):
        whole = sum(size for (_, d, _), size in matrix.edges.items() if d == dimension)
        half = sum(size for (_, d, _), size in matrix.evaluation.items() if d == dimension)
        assert half * 2 == whole
    assert not any(d == "dp" for _, d, _ in matrix.evaluation)


def test_evaluation_has_a_row_a_rail_and_tier():
    """A step of evaluation loads the wires with the forward half, in a third of the time."""
    job = {**LLAMA, "options": {"order": "tp-pp-dp", "placement": "fragmented"}}
    _, matrix, _ = laid(job, **SMALL_LEAVES)
    for tier, kinds in (("nic-leaf", ("leaf-local", *ABOVE_LEAF)), ("leaf-spine", ABOVE_LEAF)):
        whole, half = loads(matrix, tier), loads(matrix, tier, "evaluation")
        assert [each.rail for each in half] == [each.rail for each in whole]
        sent = sum(size for (*_, kind), size in matrix.evaluation.items() if kind in kinds)
        assert 0 < sum(int(each.bytes) for each in half) == sent
        assert half[0].bytes.value < whole[0].bytes.value
        assert float(half[0].burst) == float(whole[0].burst)


def test_jobs_scattered_together_take_turns_over_the_leaves():
    """Two fragmented jobs: neighbours in rank share no leaf, no node has two jobs, bytes kept."""
    jobs = [{**SMALL, "name": name, "options": {"placement": "fragmented"}} for name in "ab"]
    _, matrix, _ = laid(*jobs, **SMALL_LEAVES)
    first, second = matrix.nodes["a"], matrix.nodes["b"]
    assert not {*first} & {*second}
    segments = [[(int(node[4:]) - 1) // 16 for node in nodes[:4]] for nodes in (first, second)]
    assert segments == [[0, 1, 2, 3]] * 2
    sent = sum(v for (*_, kind), v in matrix.edges.items() if kind != "scale-up")
    assert sum(int(each.bytes) for each in loads(matrix, "nic-leaf")) == sent
    alone = laid(jobs[0], **SMALL_LEAVES)[1]
    both, one = (loads(each, "leaf-spine")[0] for each in (matrix, alone))
    assert float(both.burst) == 2 * float(one.burst)
    assert both.flows == 2 * one.flows


def test_jobs_share_the_nodes_in_order():
    other = {**SMALL, "name": "other"}
    named = {**SMALL, "options": {"nodes": [f"node{n:02d}" for n in range(64, 48, -1)]}}
    _, matrix, _ = laid(other, named)
    assert matrix.nodes["small"][0] == "node64"
    assert matrix.nodes["other"] == tuple(f"node{n:02d}" for n in range(1, 17))


NODES = [
    ({"nodes": ["node01"]}, "PLC002", "names 1 nodes, but its 64 GPUs fill 16 of 4"),
    ({"nodes": ["nod01", *[f"node{n:02d}" for n in range(2, 17)]]}, "PLC002", "names node 'nod01'"),
    ({"nodes": ["node01"] * 16}, "PLC003", "node node01 is named by small and already belongs to"),
]


@pytest.mark.parametrize(("options", "rule", "message"), NODES)
def test_named_nodes_are_checked(options, rule, message):
    _, matrix, report = laid({**SMALL, "options": options})
    found = [each for each in report.findings if each.rule == rule]
    assert found
    assert message in found[0].message
    assert found[0].key == "jobs.0"
    assert "small" not in matrix.nodes


def test_no_room_says_how_many_nodes_are_free():
    odd = {**SMALL, "tp": 2, "dp": 65, "batch": 65, "name": "odd"}
    half = {**SMALL, "dp": 31, "batch": 31}
    one = {**SMALL, "tp": 1, "dp": 1, "batch": 1, "name": "one"}
    _, _, report = laid(odd, half, one)
    message = next(each.message for each in report.findings if each.rule == "PLC001")
    assert message == "job one needs 1 nodes of 4 GPUs, but 0 of 64 are free"


def test_without_jobs_nothing_is_asked():
    _, matrix, report = laid()
    assert (matrix.loads, matrix.classes, dict(matrix.edges)) == ((), (), {})
    assert int(matrix.incast["compute"]) == 1
    assert float(matrix.needed_oversubscription["compute"]) == 1.0
    assert not report.findings
