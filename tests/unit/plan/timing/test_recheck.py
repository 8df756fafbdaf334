"""Single failures worked through again, and what would meet a missed target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from nettool.intent.load import find_fabric
from nettool.plan.design.fabric import Fabric
from nettool.plan.timing.failures import losses
from nettool.plan.timing.recheck import Standing, recheck
from nettool.plan.timing.remedies import clocks_allowed
from nettool.plan.timing.tree import Failure, grow_each, in_force
from nettool.plan.timing.worst import extremes

SPINES = ({"name": "gm1", "attach": ["spine01"]}, {"name": "gm2", "attach": ["spine02"]})
LEAF = ({"name": "gm1", "attach": ["leaf01"]}, {"name": "gm2", "attach": ["spine02"]})
Stand = Callable[..., Standing]


def test_each_failure_names_the_new_parents(standing: Stand) -> None:
    found = {each.failed: each for each in recheck(standing(target_ns=100))}
    first = found["grandmaster gm1"]
    assert first.parents == {
        "spine02": "gm2", **{f"leaf0{n}": "spine02" for n in range(1, 5)}, "spine01": "leaf01",
    }  # fmt: skip
    assert (first.cut_off, first.moved, first.meets) == (0, 6, True)
    assert found["grandmaster gm2"].moved == 0
    assert found["switch leaf01"].parents == {"spine02": "leaf02"}


def test_a_target_that_holds_only_while_nothing_fails_is_a_finding(plan_intent: Any) -> None:
    """The standby spine is reached over a link of unequal fibres."""
    data = yaml.safe_load(find_fabric("rail-optimized-256").read_text())
    uneven = [{"port": "spine02:Ethernet0", "asymmetry_m": 10}]
    data["timing"] = {**data["timing"], "target_ns": 45, "links": uneven}
    plan = plan_intent(data)
    assert [each.meets for each in plan.timing.budgets] == [None, True, True]
    (said,) = [f.message for f in plan.report.findings if f.rule == "TIM016"]
    assert said == (
        "2 single failures leave two NICs further apart than 45 ns: "
        "grandmaster gm1 (65.00 ns, 1 clocks); switch spine01 (65.00 ns, 1 clocks)"
    )


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("rail-optimized-256", ("spine01", "spine02")),
        ("rail-optimized-256", ("leaf01", "spine02")),
        ("clos3-1024", ("", "")),
        ("dual-plane-512", ("", "")),
    ],
)
def test_what_is_left_out_or_alike_is_never_worse(
    standing: Stand, name: str, at: tuple[str, str]
) -> None:
    """Every switch, and every link that is alone, taken out in turn: none is worse."""
    where = [{"name": f"gm{n}", "attach": [x] if x else []} for n, x in enumerate(at)]
    stood = standing(name, grandmasters=where)
    worst = max(float(each.total or 0) for each in recheck(stood))
    failures = [Failure(switches=frozenset({each})) for each in stood.tree]
    alone = [ends for ends, number in _cables(stood.fabric).items() if number == 1]
    failures += [Failure(links=frozenset({each})) for each in sorted(alone, key=sorted)[:200]]
    for failure in failures:
        tree = in_force(grow_each(stood.neighbours, stood.attached, failure))
        left = extremes(tree, stood.facts.works)
        assert left is not None
        pair = left.pair or left.same_switch
        assert pair.error <= worst + 1e-9, failure


def _cables(fabric: Fabric) -> Counter[frozenset[str]]:
    return Counter(frozenset((link.a.device, link.b.device)) for link in fabric.links)


def test_cut_off_agrees_with_the_walk(standing: Stand) -> None:
    stood = standing(grandmasters=SPINES[:1])
    lost = {each.failed: each.switches for each in losses(stood.fabric, stood.attached)}
    for each in recheck(stood):
        assert each.cut_off == lost.get(each.failed, 0), each.failed


@pytest.mark.parametrize(
    ("target", "name", "clocks"),
    [(200, "A", 1), (100, "B", 0), (120, "B", 1), (40, "C", 1), (39.9, "C", 0), (70, "C", 2),
     (10, "D", 1), (20, "D", 2), (9.9, "D", 0)],
)  # fmt: skip
def test_clocks_that_a_target_allows(target: float, name: str, clocks: int) -> None:
    assert clocks_allowed(target, name, 0.0) == clocks
    assert clocks_allowed(target, name, target) == 0


@pytest.mark.parametrize(
    ("timing", "change", "nanoseconds", "meets"),
    [
        ({"target_ns": 20}, "class D in every switch", 10.0, True),
        ({"target_ns": 5}, "class D in every switch", 10.0, False),
        ({"target_ns": 100, "clock_class": "A"}, "class B in every switch", 120.0, False),
        ({"target_ns": 50, "grandmasters": LEAF, "clock_classes": {"CX864E-N": "B"}},
         "class C in every switch", 40.0, True),
        ({"target_ns": 45, "asymmetry_m": 2},
         "asymmetry of every link measured and corrected", 40.0, True),
    ],
)  # fmt: skip
def test_what_would_meet_a_missed_target(
    plan_intent: Any, timing: dict[str, Any], change: str, nanoseconds: float, meets: bool
) -> None:
    data = yaml.safe_load(find_fabric("rail-optimized-256").read_text())
    data["timing"] = {**data["timing"], **timing}
    plan = plan_intent(data)
    found = {each.change: each for each in plan.timing.remedies}
    assert float(found[change].total) == pytest.approx(nanoseconds)
    assert found[change].meets is meets
    (said,) = [f.hint for f in plan.report.findings if f.rule == "TIM005"]
    assert said is not None
    assert f"{change}: {nanoseconds:.2f} ns" in said or not meets


def test_a_grandmaster_nearer_is_worked_out(plan_intent: Any) -> None:
    data = yaml.safe_load(find_fabric("rail-optimized-256").read_text())
    far = [{"name": "gm1", "attach": ["leaf01"]}, {"name": "gm2", "attach": ["spine02"]}]
    data["timing"] = {**data["timing"], "target_ns": 39, "grandmasters": far}
    plan = plan_intent(data)
    moved = {e.change: float(e.total) for e in plan.timing.remedies if "gm1" in e.change}
    now = float(next(b.total for b in plan.timing.budgets if b.meets is False))
    assert all(each < now for each in moved.values())


def test_own_asymmetry_of_a_link_counts_where_it_lies(standing: Stand) -> None:
    def pair(**timing: Any) -> float:
        stood = standing(**timing)
        found = extremes(stood.tree, stood.facts.works)
        assert found is not None
        assert found.pair is not None
        return found.pair.error

    uneven = standing(links=[{"port": "node01:nic1", "asymmetry_m": 4}], asymmetry_m=1)
    found = extremes(uneven.tree, uneven.facts.works)
    assert found is not None
    assert found.same_switch.error == 10 + 2.5
    base = pair()
    assert pair(links=[{"port": "node01:nic1", "asymmetry_m": 4}]) == pytest.approx(base + 10)
    assert pair(links=[{"port": "leaf01:Ethernet0", "asymmetry_m": 4}]) == pytest.approx(base + 10)
    assert pair(asymmetry_m=1) == pytest.approx(base + 4 * 2.5)
