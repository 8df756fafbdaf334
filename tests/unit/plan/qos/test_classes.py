"""Classes, maps and weights."""

from __future__ import annotations

import pytest

from nettool.core.provenance import Figure, Provenance, Trust
from nettool.intent.intent import QosIntent
from nettool.plan.placement.matrix import ClassShare, TrafficMatrix
from nettool.plan.qos.classes import plan_classes
from nettool.plan.qos.overrides import Overrides, OverridesFile
from nettool.plan.qos.weights import apportion

TWO = [{"name": "roce", "dscp": [26], "tc": 3}, {"name": "bulk", "dscp": [34, 36], "tc": 4}]


def matrix(**volumes):
    why = Provenance("counted")
    shares = tuple(
        ClassShare("compute", name, Figure(size, "B", why), Figure(0.5, "", why))
        for name, size in volumes.items()
    )
    return TrafficMatrix((), shares, {}, {}, {})


def planned(qos=None, volumes=None, **given):
    overrides = Overrides(OverridesFile.model_validate(given))
    return plan_classes(QosIntent.model_validate(qos or {}), matrix(**(volumes or {})), overrides)


def weights(plan):
    return {each.name: each.weight.value for each in plan.classes if each.weight}


def test_default_classes_are_the_fields():
    plan, findings = planned()
    rows = [(each.name, each.dscp, each.tc, each.queue, each.pg) for each in plan.classes]
    assert rows == [
        ("best-effort", (), 0, 0, 0), ("roce", (26,), 3, 3, 3),
        ("cnp", (48,), 6, 6, 0), ("control", (56,), 7, 7, 7),
    ]  # fmt: skip
    assert [(each.rule, str(each.severity)) for each in findings] == [("QOS003", "info")]
    assert plan.lossless == (3,)


def test_maps_are_complete_and_lossless_classes_keep_their_group():
    plan, _ = planned({"lossless": TWO})
    assert sorted(plan.dscp_to_tc) == list(range(64))
    assert {dscp: tc for dscp, tc in plan.dscp_to_tc.items() if tc} == {
        26: 3, 34: 4, 36: 4, 48: 6, 56: 7,
    }  # fmt: skip
    assert dict(plan.tc_to_queue) == {tc: tc for tc in range(8)}
    assert dict(plan.tc_to_pg) == {0: 0, 1: 0, 2: 0, 3: 3, 4: 4, 5: 0, 6: 0, 7: 7}
    assert set(plan.why) == {"dscp_to_tc", "tc_to_queue", "tc_to_pg", "pfc_to_queue"}


def test_routing_parts_from_cnp_where_cnp_moves():
    plan, findings = planned({"cnp_dscp": 50})
    assert (plan.dscp_to_tc[50], plan.dscp_to_tc[48], plan.dscp_to_tc[56]) == (6, 7, 7)
    assert findings == ()


@pytest.mark.parametrize(
    ("qos", "message"),
    [
        ({"cnp_dscp": 26}, "DSCP 26 of class roce already marks cnp"),
        ({"lossless": [TWO[0], {**TWO[1], "dscp": [26]}]},
         "DSCP 26 of class bulk already marks roce"),
        ({"lossless": [{**TWO[0], "tc": 6}]}, "class roce asks for TC 6, which is cnp's"),
        ({"lossless": [{**TWO[0], "tc": 0}]}, "class roce asks for TC 0, which is best-effort's"),
        ({"lossless": [{**TWO[0], "tc": 7}]}, "class roce asks for TC 7, which is control's"),
        ({"cnp_tc": 7}, "class cnp asks for TC 7, which is control's"),
    ],
)  # fmt: skip
def test_contradictions_are_errors(qos, message):
    _, findings = planned(qos)
    assert message in [each.message for each in findings if str(each.severity) == "error"]


@pytest.mark.parametrize(
    ("volumes", "expected"),
    [
        ({}, {"roce": 50, "best-effort": 50}),
        ({"roce": 100}, {"roce": 95, "best-effort": 5}),
        ({"roce": 3, "default": 1}, {"roce": 73, "best-effort": 27}),
        ({"default": 7}, {"roce": 5, "best-effort": 95}),
    ],
)
def test_weights_follow_the_demand(volumes, expected):
    plan, _ = planned(volumes=volumes)
    assert weights(plan) == expected


def test_a_given_weight_stands_and_the_rest_share_what_is_left():
    plan, _ = planned({"lossless": TWO}, {"roce": 9, "bulk": 9}, weights={"roce": 60})
    assert weights(plan) == {"best-effort": 5, "roce": 60, "bulk": 35}
    roce = next(each for each in plan.classes if each.name == "roce")
    assert roce.weight.why.trust is Trust.GIVEN
    assert roce.weight.why.inputs[0].origin.path == ("weights", "roce")


@pytest.mark.parametrize(
    ("volumes", "total", "expected"),
    [([], 100, []), ([1.0, 1.0, 1.0], 100, [34, 33, 33]), ([0.0, 8.0], 6, [3, 3])],
)
def test_apportion_spends_all(volumes, total, expected):
    assert apportion(volumes, total) == expected


def test_each_network_has_the_weights_of_its_own_wires():
    why = Provenance("counted")
    sizes = {("compute", "roce"): 90, ("compute", "best-effort"): 10, ("storage", "roce"): 25,
             ("storage", "best-effort"): 75}  # fmt: skip
    shares = tuple(
        ClassShare(network, name, Figure(size, "B", why), Figure(0.5, "", why))
        for (network, name), size in sizes.items()
    )
    every = TrafficMatrix((), shares, {}, {}, {})
    plan, _ = plan_classes(QosIntent(), every, Overrides(), ("compute", "storage", "frontend"))
    found = {
        network: {each.name: each.weight.value for each in classes if each.weight}
        for network, classes in plan.by_network.items()
    }
    assert found == {
        "compute": {"best-effort": 14, "roce": 86},
        "storage": {"best-effort": 72, "roce": 28},
        "frontend": {"best-effort": 50, "roce": 50},
    }
    assert all(
        [(c.tc, c.dscp, c.lossless) for c in classes]
        == [(c.tc, c.dscp, c.lossless) for c in plan.classes]
        for classes in plan.by_network.values()
    )
