"""The planned fabrics in the simulator: no loss, marks first, and what too little headroom does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nettool.core.finding import Severity
from nettool.intent.load import find_fabric
from nettool.pipeline import plan_fabric, simulated, validate
from nettool.plan.simulate.scenario import Asked
from nettool.plan.simulate.verdict import judged

SMALL, LARGE = "rail-only-128", "rail-optimized-256"
DEAF = Asked(ecn=False)


@pytest.fixture
def changed(tmp_path):
    """A shipped fabric with keys of its own under qos, and an overrides file."""

    def make(name, qos="", overrides=""):
        text = find_fabric(name).read_text()
        parts = [qos, "overrides: own.yaml" if overrides else ""]
        own = ", ".join(each for each in parts if each)
        path = tmp_path / "fabric.yaml"
        Path(tmp_path / "own.yaml").write_text(overrides)
        path.write_text(f"{text}\nqos: {{{own}}}\n")
        return plan_fabric(path)

    return make


@pytest.mark.parametrize("asked", [Asked(), DEAF, Asked(senders=31)])
def test_the_plan_loses_nothing(asked):
    result, report = simulated(plan_fabric(find_fabric(SMALL)), asked)
    assert [x.scenario.kind for x in result.outcomes] == ["incast", "stopped"]
    assert [float(x.dropped) for x in result.outcomes] == [0, 0]
    assert all(x.ecn_first for x in result.outcomes)
    assert not report.findings


@pytest.mark.slow
@pytest.mark.parametrize("ecn", [True, False])
@pytest.mark.parametrize("name", [SMALL, LARGE, "three-networks", "dual-plane-512", "clos3-1024"])
def test_every_proved_plan_holds_whoever_sends(name, ecn):
    result, report = simulated(plan_fabric(find_fabric(name)), Asked(senders=1000, ecn=ecn))
    assert sum(float(x.dropped) for x in result.outcomes) == 0
    assert all(x.first_pause for x in result.outcomes)
    assert not report.has_errors


def test_each_kind_of_port_is_tried():
    result, _ = simulated(plan_fabric(find_fabric(LARGE)), Asked(time_us=20))
    told = [
        (x.scenario.devices[0], x.scenario.tier, x.scenario.speed, float(x.scenario.senders))
        for x in result.outcomes
        if x.scenario.kind == "incast"
    ]
    assert told == [
        ("leaf01", "nic-leaf", 400_000, 2),
        ("leaf01", "leaf-spine", 800_000, 6),
        ("spine01", "leaf-spine", 800_000, 6),
    ]


def test_pfc_alone_uses_headroom_and_ecn_keeps_it_empty():
    plan = plan_fabric(find_fabric(SMALL))
    used = [float(simulated(plan, each)[0].outcomes[0].headroom) for each in (Asked(), DEAF)]
    assert used[0] == 0 < used[1]


def test_without_a_lossless_class_no_port_is_lossless(changed):
    plan = changed(SMALL, qos="lossless: []")
    assert simulated(plan, DEAF)[0].outcomes == ()
    assert not any(x.lossless for own in plan.qos.switches.values() for x in own.ports.values())
    assert "WDG006" not in {each.rule for each in validate(plan).findings}


def test_a_pause_without_a_mark_is_told_as_such(changed):
    plan = changed(SMALL, qos="ecn: {kmin: 90000000, kmax: 95000000}")
    _, report = simulated(plan, Asked(senders=31))
    assert any(each.message.endswith(", none is marked") for each in report.findings)


def test_switches_without_lossless_traffic_are_not_simulated():
    result, _ = simulated(plan_fabric(find_fabric("three-networks")), Asked(time_us=1))
    assert {x.scenario.network for x in result.outcomes} == {"compute", "storage"}


def test_headroom_that_is_too_small_is_an_error_with_both_numbers(changed):
    small = "profiles: {pg_lossless_400000_5m_profile: {xoff: 60000}}"
    result, report = simulated(changed(SMALL, overrides=small), DEAF)
    lost = float(result.outcomes[1].dropped)
    (found,) = (each for each in report.findings if each.rule == "SIM001")
    assert found.severity is Severity.ERROR
    assert found.message.startswith("leaf01-04 (4 switches), Ethernet0: the port is paused: ")
    assert f"{lost:,.0f} B of lossless traffic are dropped" in found.message
    assert "holds 60,000 B" in found.message
    assert found.line


def test_a_pause_before_the_first_mark_is_a_warning(changed):
    ecn = "ecn: {kmin: 40000000, kmax: 50000000}"
    _, report = simulated(changed(SMALL, ecn), Asked())
    (found, *_) = (each for each in report.findings if each.rule == "SIM002")
    assert found.severity is Severity.WARNING
    assert "the first pause is sent after" in found.message


def test_headroom_nearly_used_up_is_told(changed):
    exact = "profiles: {pg_lossless_400000_5m_profile: {xoff: 77056}}"
    _, report = simulated(changed(SMALL, overrides=exact), DEAF)
    (found,) = (each for each in report.findings if each.rule == "SIM003")
    assert "73,984 B of the 77,056 B headroom" in found.message
    assert not report.has_errors


def test_what_is_cut_short_is_told():
    result, _ = simulated(plan_fabric(find_fabric(SMALL)), Asked(time_us=1))
    (found,) = judged([replace(result.outcomes[0], is_cut=True)])
    assert found.rule == "SIM004"
    assert "ended after 1.0 us" in found.message


def test_figures_know_what_they_rest_on():
    result, _ = simulated(plan_fabric(find_fabric(SMALL)), Asked())
    why = result.outcomes[0].queue_peak.why
    names = {each.name for each in why.inputs}
    assert {"senders", "Kmin", "shared buffer", "cell", "g", "byte counter"} <= names
    assert not why.trust.is_firm
    assert any("cell" in each and "assumed" in each for each in result.assumptions)


def test_the_same_plan_gives_the_same_figures():
    brief = Asked(ecn=False, time_us=100)
    ran = [simulated(plan_fabric(find_fabric(SMALL)), brief)[0].outcomes[0] for _ in range(2)]
    assert (ran[0].pauses, ran[0].queue_peak) == (ran[1].pauses, ran[1].queue_peak)
