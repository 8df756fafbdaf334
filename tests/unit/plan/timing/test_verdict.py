"""Findings on a planned tree that the shipped fabrics do not have by themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from nettool.catalog.fact import Fact
from nettool.core.finding import Severity
from nettool.core.provenance import Trust
from nettool.intent.intent import TimingIntent
from nettool.plan.timing.recheck import Standing
from nettool.plan.timing.timing_plan import Clock, TimingPlan
from nettool.plan.timing.verdict import judge

NIC_SAID = (
    "that NIC connectx-7-400g takes SyncE is recalled (NVIDIA datasheets of ConnectX-6 Dx and "
    "later: SyncE of G.8262.1, on boards with timing features); one that does not follows by PTP "
    "alone"
)
Stand = Callable[..., Standing]
Change = Callable[[Clock], Clock]


@pytest.fixture
def timing(shipped_fabric: Any) -> TimingPlan:
    """The shipped fabric's timing."""
    plan: TimingPlan = shipped_fabric("rail-optimized-256").timing
    return plan


@pytest.mark.parametrize(
    ("change", "rule", "said"),
    [
        (lambda c: replace(c, hops=10, clock_class="B"), None, ""),
        (lambda c: replace(c, hops=11, clock_class="B"), "TIM012",
         "leaf01 is 11 clocks from its grandmaster; class B is proven for 10"),
        (lambda c: replace(c, hops=20), None, ""),
        (lambda c: replace(c, hops=21), "TIM012", "class C is proven for 20"),
        (lambda c: replace(c, ports=c.ports[:1]), "TIM015",
         "leaf01: a boundary clock needs two or more PTP ports"),
        (lambda c: replace(c, ports=c.ports[:1], kind="transparent"), None, ""),
    ],
)  # fmt: skip
def test_a_clock_too_deep_or_with_one_port(
    standing: Stand, timing: TimingPlan, change: Change, rule: str | None, said: str
) -> None:
    plan = replace(timing, clocks={**timing.clocks, "leaf01": change(timing.clocks["leaf01"])})
    asked = TimingIntent(synce=False)
    found = list(judge(asked, standing(), plan))
    assert [each.rule for each in found] == ([rule] if rule else [])
    assert all(said in each.message for each in found)


@pytest.mark.parametrize(
    ("fact", "severity", "said"),
    [
        (None, Severity.INFO, "whether CX864E-N carries SyncE is in no public source"),
        (Fact(value=True, source="a data sheet", trust=Trust.UNVERIFIED), Severity.INFO,
         "that CX864E-N carries SyncE is unverified (a data sheet)"),
        (Fact(value=False, source="a data sheet", trust=Trust.PUBLISHED), Severity.ERROR,
         "CX864E-N does not carry SyncE (a data sheet)"),
        (Fact(value=True, source="a data sheet", trust=Trust.PUBLISHED), None, ""),
    ],
)  # fmt: skip
def test_every_hop_must_carry_synce(
    standing: Stand, timing: TimingPlan, fact: Fact | None, severity: Severity | None, said: str
) -> None:
    stood = standing()
    models = {name: replace(each, synce=fact) for name, each in stood.facts.models.items()}
    stood = replace(stood, facts=replace(stood.facts, models=models))
    found = [e for e in judge(TimingIntent(), stood, timing) if e.rule == "TIM018"]
    assert [e.message for e in found if "NIC" in e.message] == [NIC_SAID]
    found = [e for e in found if "NIC" not in e.message]
    assert [each.severity for each in found] == ([severity] if severity else [])
    assert all(said in each.message for each in found)
    assert [e for e in judge(TimingIntent(synce=False), stood, timing) if e.rule == "TIM018"] == []


@pytest.mark.parametrize(("ptp", "found"), [(True, 0), (False, 1), (None, 1)])
def test_a_nic_must_stamp_in_hardware(
    standing: Stand, timing: TimingPlan, ptp: bool | None, found: int
) -> None:
    fact = None if ptp is None else Fact(value=ptp, source="a driver", trust=Trust.PUBLISHED)
    stood = standing()
    nics = {name: nic.model_copy(update={"ptp": fact}) for name, nic in stood.facts.nics.items()}
    stood = replace(stood, facts=replace(stood.facts, nics=nics))
    rules = [each.rule for each in judge(TimingIntent(synce=False), stood, timing)]
    assert rules == ["TIM023"] * found
