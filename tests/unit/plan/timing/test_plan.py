"""The clock tree of a fabric: who follows whom, which port may follow, and what is refused."""

import pytest
import yaml

from nettool.intent.load import find_fabric
from nettool.plan.timing.profiles import PROFILES

FABRIC = "rail-optimized-256"


@pytest.fixture
def timed(plan_intent):
    """Plans the shipped fabric with other timing."""

    def plan(**timing):
        data = yaml.safe_load(find_fabric(FABRIC).read_text())
        data["timing"] = {**data["timing"], **timing}
        return plan_intent(data)

    return plan


def test_one_path_to_the_active_grandmaster(timed):
    clocks = timed().timing.clocks
    assert {name: (c.parent, c.hops) for name, c in clocks.items()} == {
        **{f"leaf0{n}": ("spine01", 2) for n in range(1, 5)},
        "spine01": ("gm1", 1),
        "spine02": ("leaf01", 3),
    }
    for clock in clocks.values():
        assert [p.peer for p in clock.ports if p.role == "slave"] == [clock.parent]


def test_no_port_follows_a_host_and_every_way_up_may(timed):
    plan = timed()
    hosts = {node.name for node in plan.fabric.nodes}
    for clock in plan.timing.clocks.values():
        for port in clock.ports:
            if port.peer in hosts:
                assert (port.role, port.may_follow, port.synce_input) == ("master", False, None)
    leaf = plan.timing.clocks["leaf01"]
    assert {p.peer for p in leaf.ports if p.may_follow} == {"spine01", "spine02"}


def test_the_tree_turns_when_the_active_grandmaster_changes(timed):
    turned = timed(grandmasters=[{"name": "gm2", "attach": ["spine02"]},
                                 {"name": "gm1", "attach": ["spine01"]}]).timing  # fmt: skip
    first = timed().timing
    for name, clock in first.clocks.items():
        eligible = {p.port for p in clock.ports if p.may_follow}
        chosen = [p.port for p in turned.clocks[name].ports if p.role == "slave"]
        assert set(chosen) <= eligible, name


def test_a_selected_frequency_input_sends_dnu(timed):
    for clock in timed().timing.clocks.values():
        assert [p.peer for p in clock.ports if p.esmc == "DNU"] == [clock.frequency]
        assert [p.synce_input for p in clock.ports if p.esmc == "DNU"] == [1]
        ranks = [p.synce_input for p in clock.ports if p.synce_input]
        assert ranks == list(range(1, len(ranks) + 1))


def test_a_grandmasters_port_is_up(timed):
    plan = timed()
    spine = next(c for c in plan.configs if c.name == "spine01")
    port = next(p.port for p in plan.timing.clocks["spine01"].ports if p.peer == "gm1")
    assert port == "Ethernet512"
    assert port in spine.ports.cabled


GM1, GM2 = {"name": "gm1", "attach": ["spine01"]}, {"name": "gm2", "attach": ["spine02"]}
ONE_SPINE = {"attach": ["spine01"]}
UDP = "TIM022"  # hosts sit behind a gateway VLAN on this fabric


@pytest.mark.parametrize(
    ("timing", "rules"),
    [
        ({}, set()),
        ({"domain": 24}, set()),
        ({"domain": 0}, {"TIM001"}),
        ({"profile": "g8275.2", "domain": 24}, {"TIM001"}),
        ({"profile": "g8275.2"}, {"TIM021", UDP}),
        ({"profile": "g8275.2", "grandmasters": [
            {**GM1, "address": "192.0.2.1"}, {**GM2, "address": "192.0.2.2"}]}, {UDP}),
        ({"profile": "ieee1588", "domain": 127}, {UDP}),
        ({"grandmasters": []}, {"TIM002"}),
        ({"grandmasters": [{"name": "gm1"}]}, {"TIM003"}),
        ({"grandmasters": [{"name": "a", "attach": ["spine09"]}, {"name": "b"}]}, {"TIM004"}),
        ({"grandmasters": [{**GM1, "clock_class": "PRTC-C"}, GM2]}, {"TIM004"}),
        ({"clock_classes": {"CX532P-N": "C"}}, {"TIM004"}),
        ({"links": [{"port": "leaf01:Ethernet999", "asymmetry_m": 1}]}, {"TIM004"}),
        ({"links": [{"port": "node01:nic9", "asymmetry_m": 1}]}, {"TIM004"}),
        ({"target_ns": 10}, {"TIM005"}),
        ({"grandmasters": [{"name": each, **ONE_SPINE} for each in "abc"]}, {"TIM007", "TIM009"}),
        ({"grandmasters": [{"name": each, **ONE_SPINE} for each in "ab"]}, {"TIM009"}),
        ({"profile": "ieee1588", "target_ns": 99}, {"TIM008", UDP}),
        ({"profile": "ieee1588", "target_ns": 100}, {UDP}),
        ({"profile": "g8275.1", "target_ns": 99}, set()),
        ({"profile": "g8275.2", "log_sync": -2, "target_ns": 99}, {"TIM008", "TIM021", UDP}),
        ({"profile": "ieee1588", "transport": "L2"}, set()),
        ({"transport": "UDPv4"}, {"TIM010"}),
        ({"profile": "g8275.2", "transport": "L2"}, {"TIM010"}),
        ({"links": [{"port": "leaf01:Ethernet256", "transport": "UDPv4"}]}, {"TIM010"}),
        ({"profile": "ieee1588", "transport": "L2", "links": [
            {"port": "leaf01:Ethernet256", "transport": "L2"},
            {"port": "spine01:Ethernet0", "transport": "UDPv4"}]}, {"TIM010"}),
        ({"profile": "ieee1588", "transport": "L2", "links": [
            {"port": "leaf01:Ethernet256", "transport": "L2"},
            {"port": "spine01:Ethernet0", "asymmetry_m": 1}]}, set()),
        ({"grandmasters": [{**GM1, "ql": "PRS"}, GM2]}, {"TIM011"}),
        ({"grandmasters": [{**GM1, "ql": "EEC1"}, GM2]}, set()),
        ({"grandmasters": [{**GM1, "ql": "DNU"}, GM2]}, {"TIM011"}),
        ({"grandmasters": [{**GM1, "ql": "PRS"}, GM2], "synce_option": 2}, set()),
        ({"two_step": False}, {"TIM013"}),
        ({"log_sync": -3}, {"TIM014"}),
        ({"profile": "g8275.2", "log_announce": 1}, {"TIM014"}),
        ({"profile": "ieee1588", "transport": "L2", "log_sync": -1, "log_delay": 5}, set()),
        ({"grandmasters": [{**GM1, "priority1": 1}, GM2]}, {"TIM014"}),
        ({"grandmasters": [{**GM1, "priority2": 200}, GM2]}, {"TIM019"}),
        ({"grandmasters": [{**GM1, "priority2": 1}, {**GM2, "priority2": 2}]}, set()),
        ({"profile": "ieee1588", "transport": "L2",
          "grandmasters": [{**GM1, "priority1": 1}, {**GM2, "priority1": 129}]}, {"TIM019"}),
    ],
)  # fmt: skip
def test_findings(timed, timing, rules):
    findings = timed(**timing).report.findings
    known = {"TIM018"}  # an info on every fabric of this model
    assert {f.rule for f in findings if f.rule.startswith("TIM")} - known == rules


def test_every_finding_says_what_to_do(timed):
    for finding in timed(target_ns=10, profile="ieee1588").report.findings:
        if finding.rule.startswith("TIM"):
            assert (finding.table, finding.key.split(".")[0]) == ("fabric.yaml", "timing")
            assert finding.hint


def test_ptp_is_never_in_a_lossless_class(plan_intent):
    data = yaml.safe_load(find_fabric(FABRIC).read_text())
    data["qos"]["lossless"] = [{"name": "roce", "dscp": [26, 56], "tc": 3}]

    def said(**timing):
        data["timing"] = {**data["timing"], **timing}
        return [f.message for f in plan_intent(data).report.findings if f.rule == "TIM017"]

    assert said() == []  # L2 frames carry no DSCP
    (message,) = said(profile="ieee1588")
    assert "DSCP 56 (CS7), which lossless class roce (TC 3) takes" in message


def test_classes_go_by_switch_model_and_say_where_they_come_from(timed):
    def of(**timing):
        clock = timed(**timing).timing.clocks["leaf01"]
        return clock.clock_class, str(clock.clock_class_why.trust)

    assert of() == ("C", "assumed")
    assert of(clock_class="B") == ("B", "given")
    assert of(clock_class="B", clock_classes={"CX864E-N": "D"}) == ("D", "given")


def test_kinds_go_by_tier(timed):
    clocks = timed(clocks={"spine": "transparent"}).timing.clocks
    assert {name: clock.kind for name, clock in clocks.items()} == {
        **{f"leaf0{n}": "boundary" for n in range(1, 5)},
        "spine01": "transparent",
        "spine02": "transparent",
    }


def test_grandmasters_lead_in_the_order_of_the_list(timed):
    def told(**timing):
        return [
            (r.name, int(r.priority1), int(r.priority2)) for r in timed(**timing).timing.references
        ]

    assert told() == [("gm1", 128, 126), ("gm2", 128, 127)]
    assert told(profile="ieee1588") == [("gm1", 126, 126), ("gm2", 127, 127)]
    assert [r.attached for r in timed().timing.references] == [
        (("spine01", "Ethernet512"),), (("spine02", "Ethernet512"),),
    ]  # fmt: skip


def test_a_part_without_the_active_grandmaster_follows_the_next_one(plan_intent):
    """Eight rails that no switch joins: each leaf has its own grandmaster in reach."""
    data = yaml.safe_load(find_fabric("rail-only-128").read_text())
    data["timing"] = {
        "grandmasters": [{"name": f"gm{n}", "attach": [f"leaf0{n}"]} for n in range(1, 5)],
        "target_ns": 100,
    }
    plan = plan_intent(data)
    parents = {name: clock.parent for name, clock in plan.timing.clocks.items()}
    assert parents == {f"leaf0{n}": f"gm{n}" for n in range(1, 5)}
    pair = next(b for b in plan.timing.budgets if b.name == "two NICs, across leaves")
    assert float(pair.total) == pytest.approx(2 * (40 + 20))  # both references, both leaves
    assert "TIM006" not in {f.rule for f in plan.report.findings}
    del data["timing"]["grandmasters"][3]
    (lost,) = [f for f in plan_intent(data).report.findings if f.rule == "TIM006"]
    assert lost.message == "1 switches have no path to a grandmaster: leaf04"


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda each: each.name)
def test_a_profiles_default_domain_is_in_its_range(profile):
    low, high = profile.domains
    assert low <= profile.domain <= high
