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
                assert (port.role, port.synce_input) == ("master", None)
    leaf = plan.timing.clocks["leaf01"]
    assert {p.peer for p in leaf.ports if p.role != "master"} == {"spine01", "spine02"}


def test_the_tree_turns_when_the_active_grandmaster_changes(timed):
    turned = timed(grandmasters=[{"name": "gm2", "attach": ["spine02"]},
                                 {"name": "gm1", "attach": ["spine01"]}]).timing  # fmt: skip
    first = timed().timing
    for name, clock in first.clocks.items():
        eligible = {p.port for p in clock.ports if p.role != "master"}
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


@pytest.mark.parametrize(
    ("timing", "rules"),
    [
        ({}, set()),
        ({"domain": 24}, set()),
        ({"domain": 0}, {"TIM001"}),
        ({"profile": "g8275.2", "domain": 24}, {"TIM001"}),
        ({"profile": "g8275.2"}, set()),
        ({"profile": "ieee1588", "domain": 127}, set()),
        ({"grandmasters": []}, {"TIM002"}),
        ({"grandmasters": [{"name": "gm1"}]}, {"TIM003"}),
        ({"grandmasters": [{"name": "a", "attach": ["spine09"]}, {"name": "b"}]}, {"TIM004"}),
        ({"target_ns": 10}, {"TIM005"}),
        ({"grandmasters": [{"name": "a", "attach": ["spine01"]}, {"name": "b", "attach":
          ["spine01"]}, {"name": "c", "attach": ["spine01"]}]}, {"TIM007", "TIM009"}),
        ({"grandmasters": [{"name": "a", "attach": ["spine01"]}, {"name": "b", "attach":
          ["spine01"]}]}, {"TIM009"}),
        ({"profile": "ieee1588", "target_ns": 99}, {"TIM008"}),
        ({"profile": "ieee1588", "target_ns": 100}, set()),
        ({"profile": "g8275.1", "target_ns": 99}, set()),
    ],
)  # fmt: skip
def test_findings(timed, timing, rules):
    findings = timed(**timing).report.findings
    known = {"TIM018"}  # an info on every fabric of this model
    assert {f.rule for f in findings if f.rule.startswith("TIM")} - known == rules


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda each: each.name)
def test_a_profiles_default_domain_is_in_its_range(profile):
    low, high = profile.domains
    assert low <= profile.domain <= high
