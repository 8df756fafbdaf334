"""Vectors of the mapping onto leaves, of the demand they make, incast, flows and hashing."""

from __future__ import annotations

from math import ceil, comb

import pytest

from nettool.plan.demand.flows import training_flows
from nettool.plan.demand.layout import job_groups
from nettool.plan.demand.model import ModelSpec, library_model
from nettool.plan.demand.options import JobOptions
from nettool.plan.demand.shape import Shape
from nettool.plan.placement.census import census
from nettool.plan.placement.ecmp import expected_max_load, idle_fraction, p_no_collision
from nettool.plan.placement.locality import Locality

FAMILIES = ("map.", "demand.", "incast.", "flows.", "ecmp.")


def rails(nodes, gpus, nodes_per_leaf):
    """A rail-optimised network: a leaf a rail and segment."""
    segments = ceil(nodes / nodes_per_leaf)
    leaf = [tuple(s * gpus + rail for rail in range(gpus)) for s in range(segments)]
    return Locality(
        network="compute", gpus_per_node=gpus, segment=[n // nodes_per_leaf for n in range(nodes)],
        leaf=leaf, rail=tuple(range(1, gpus + 1)), pod=[0] * (segments * gpus),
        names=[f"leaf{number}" for number in range(segments * gpus)],
    )  # fmt: skip


def tallies(shape, ground, *, pxn=True):
    """Flow and tally of every flow of a job on the first nodes."""
    nodes = range(ceil(shape.gpus / ground.gpus_per_node))
    flows = training_flows(shape, job_groups(shape), ())
    return [(flow, census(flow, shape.gpus, nodes, ground, pxn=pxn)) for flow in flows]


def llama(order):
    options = JobOptions(order="-".join(order))
    return Shape(library_model("llama-3-70b"), tp=8, pp=8, dp=16, options=options)


def mapped(vector):
    i = vector["inputs"]
    found = [tally for _, tally in tallies(llama(i["order"]), rails(128, 8, i["nodes_per_leaf"]))]
    kind = vector["name"].rsplit(".", 1)[1]
    if kind == "max_leaf_up":
        leaves = {leaf for tally in found for leaf in tally.up}
        return max(sum(tally.up[leaf] for tally in found) for leaf in leaves)
    name = {"intra": "scale-up", "leaf": "leaf-local", "spine": "leaf-spine"}.get(
        kind, "cross-rail"
    )
    return sum(tally.edges[name] for tally in found)


def experts(ep, stride_nodes, *, pxn):
    """Incast of an all-to-all of `ep` experts, one a node or filling nodes of eight."""
    tp = 8 if stride_nodes else 1
    model = ModelSpec(layers=1, hidden=64, experts=ep, top_k=1)
    shape = Shape(model, tp=tp, dp=ep, ep=ep, batch=ep, options=JobOptions(expert_tp=tp))
    ground = rails(ceil(shape.gpus / 8), 8, 64)
    return next(t.incast for f, t in tallies(shape, ground, pxn=pxn) if f.name == "tokens")


def crossing_rings():
    found = tallies(llama(("tp", "pp", "dp")), rails(128, 8, 64))
    return max(max(tally.climbers.values(), default=0) for _, tally in found)


def demanded(vector):
    kind = vector["name"].split(".", 1)[1]
    burst = crossing_rings() * 400
    if kind == "leaf_uplink.avg_gbps":
        i = vector["inputs"]
        return i["bytes"] * 8 / i["t_iter"] / 1e9
    return {
        "leaf_uplink.burst_gbps": burst,
        "leaf_uplinks_needed_400G": ceil(burst / 400),
        "implied_oversub": 64 / ceil(burst / 400),
    }[kind]


def incast(vector):
    i = vector["inputs"]
    if vector["name"] == "incast.a2a.direct":
        return experts(i["EP"], stride_nodes=True, pxn=False)
    if vector["name"] == "incast.a2a.pxn":
        return experts(i["EP"], stride_nodes=False, pxn=True)
    ring = [
        t for f, t in tallies(llama(("tp", "pp", "dp")), rails(128, 8, 64)) if f.name == "gradients"
    ]
    return ring[0].incast


def flows(vector):
    i = vector["inputs"]
    flow = next(f for f, _ in tallies(llama(("tp", "pp", "dp")), rails(128, 8, 64)) if f.peers == 1)
    return flow.peers * i.get("qps", i.get("flows_per_pair", 1))


def hashed(vector):
    i = vector["inputs"]
    form = {
        "p_no_collision": p_no_collision,
        "idle_fraction": idle_fraction,
        "expected_max_load": expected_max_load,
    }[vector["name"].split(".")[1]]
    return form(i["flows"], i["links"])


SOLVERS = {"map": mapped, "demand": demanded, "incast": incast, "flows": flows, "ecmp": hashed}


def test_vector(vector, agrees):
    agrees(vector, SOLVERS[vector["name"].split(".")[0]](vector))


@pytest.mark.parametrize(("flows", "links"), [(7, 5), (12, 30), (3, 2), (20, 6), (1, 9)])
def test_no_collision_is_a_fullest_link_of_one(flows, links):
    """E[max] against every assignment's distribution, counted with exact fractions."""
    assert expected_max_load(flows, links) == pytest.approx(counted(flows, links), rel=1e-12)


def counted(flows, links):
    """E[max] from the number of ways to have at most k on each link, in whole numbers."""

    def at_most(k):
        row = [1] + [0] * flows
        for _ in range(links):
            row = [
                sum(comb(n, j) * row[n - j] for j in range(min(k, n) + 1)) for n in range(flows + 1)
            ]
        return row[flows]

    return sum(1 - at_most(k) / links**flows for k in range(flows))
