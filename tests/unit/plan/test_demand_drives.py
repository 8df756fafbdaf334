"""What a job changes in the configuration: TP and EP move weights, incast and load."""

from __future__ import annotations

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.intent.intent import FabricIntent
from nettool.intent.load import find_fabric, load_intent
from nettool.plan.demand.estimate import estimate
from nettool.plan.design.design import design
from nettool.plan.placement.place import place
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.plan import plan_qos

CLASSES = [
    {"name": "roce", "dscp": [26], "tc": 3},
    {"name": "experts", "dscp": [34], "tc": 4},
]
SPREAD = {"name": "moe", "model": "mixtral-8x22b", "tp": 4, "dp": 64, "batch": 256}
LLAMA = {"name": "llama", "model": "llama-3-70b", "batch": 1024}


def planned(job):
    """Matrix and QoS plan of one job on the rail-optimised example with small leaves."""
    intent, _ = load_intent(find_fabric("rail-optimized-256"))
    given = intent.model_dump(exclude_unset=True)
    given["jobs"], given["qos"] = [job], {"lossless": CLASSES}
    given["networks"]["compute"] |= {
        "leaf": {"model": "CX732Q-N"}, "spine": {"model": "CX732Q-N"}, "spines": None,
    }  # fmt: skip
    intent, catalog = FabricIntent.model_validate(given), load_catalog()
    demand, report = estimate(intent, catalog)
    assert not report.has_errors, report.findings
    fabric, _ = design(intent, demand, catalog)
    matrix, _ = place(demand, fabric)
    qos, _ = plan_qos(intent, fabric, matrix, catalog, Overrides())
    return matrix, qos


def weight(qos, name):
    return next(int(each.weight) for each in qos.classes if each.name == name)


def experts(ep):
    options = {"expert_tp": 4, "classes": {"ep": "experts"}}
    return planned({**SPREAD, "ep": ep, "options": options})


def test_more_experts_take_a_larger_weight_and_more_incast():
    (few, first), (many, second) = experts(2), experts(8)
    assert weight(second, "experts") > weight(first, "experts")
    assert weight(second, "roce") < weight(first, "roce")
    assert int(many.incast["compute"]) > int(few.incast["compute"])


@pytest.mark.parametrize(("inside", "outside"), [(4, 8), (4, 16)])
def test_tp_beyond_the_node_loads_the_network(inside, outside):
    """The same GPUs: TP wider than the node, PP narrower, moves bytes to NICs and to spines."""
    found = [planned({**LLAMA, "tp": tp, "pp": 32 // tp, "dp": 8})[0] for tp in (inside, outside)]
    local, wide = (
        sum(int(each.bytes) for each in matrix.loads if each.tier == "nic-leaf") for matrix in found
    )
    assert wide > 10 * local


def test_order_decides_uplinks_and_oversubscription():
    """DP outermost crosses at two edges of a ring; scattered nodes cross at every stage."""
    calm = planned({**LLAMA, "tp": 4, "pp": 8, "dp": 8, "options": {"order": "tp-pp-dp"}})[0]
    torn = planned({**LLAMA, "tp": 4, "pp": 8, "dp": 8, "options": {"placement": "fragmented"}})[0]
    needed = [float(each.needed_oversubscription["compute"]) for each in (calm, torn)]
    assert needed == [2.0, 1.0]
