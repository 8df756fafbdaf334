"""What is wrong with the clock tree and its budget, with numbers and what would mend them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nettool.catalog.fact import Fact
from nettool.core.finding import Finding
from nettool.intent.intent import TimingIntent
from nettool.plan.timing.facts import ClockFacts
from nettool.plan.timing.failures import losses
from nettool.plan.timing.note import error, info, warning
from nettool.plan.timing.profiles import MOST_CLOCKS, MOST_CLOCKS_SOURCE, PROFILES
from nettool.plan.timing.recheck import Standing
from nettool.plan.timing.remedies import clocks_allowed
from nettool.plan.timing.timing_plan import Budget, Clock, FailureCheck, Remedy, TimingPlan

_FINE_NS = 100.0
_FINE_LOG_SYNC = -3
"""Below 100 ns, eight sync messages a second or more."""
_SHOWN = 8


def judge(asked: TimingIntent, standing: Standing, plan: TimingPlan) -> Iterator[Finding]:
    """Every finding on the planned tree."""
    clocks = tuple(plan.clocks.values())
    yield from _missed(asked, plan.budgets, standing, plan.remedies)
    yield from _lost(standing)
    yield from _slow(asked)
    yield from _alone(standing)
    yield from _after_failure(plan.budgets, plan.failures)
    yield from _deep(clocks)
    yield from _single_port(clocks)
    yield from _unstamped(standing.facts)
    if asked.synce:
        yield from _synce(standing.facts)


def _missed(
    asked: TimingIntent,
    budgets: Sequence[Budget],
    standing: Standing,
    remedies: Sequence[Remedy],
) -> Iterator[Finding]:
    for budget in budgets:
        if budget.meets is not False or budget.target is None:
            continue
        target = float(budget.target)
        weakest = min(m.clock_class for m in standing.facts.models.values())
        allowed = clocks_allowed(target, weakest, asked.end_station_ns)
        ways = [f"{r.change}: {float(r.total):.2f} ns" for r in remedies if r.meets]
        nearest = [f"{r.change}: {float(r.total):.2f} ns" for r in remedies if not r.meets]
        enough = f"these meet it: {'; '.join(ways[:_SHOWN])}" if ways else (
            f"no single change meets it; the nearest: {'; '.join(nearest[:2]) or 'none'}"
        )  # fmt: skip
        yield warning(
            "TIM005",
            f"{budget.name}: {float(budget.total):.2f} ns (MTIE whole; half: "
            f"{float(budget.total_half):.2f} ns) against a target of "
            f"{target:g} ns over {budget.clocks} clocks a branch",
            f"{enough}; class {weakest} allows {allowed} clocks a branch for this target",
            "target_ns",
        )


def _lost(standing: Standing) -> Iterator[Finding]:
    lost = [each.name for each in standing.fabric.devices if each.name not in standing.tree]
    if lost:
        yield warning(
            "TIM006",
            f"{len(lost)} switches have no path to a grandmaster: {', '.join(lost[:_SHOWN])}",
            "attach a grandmaster to each part of the network that is not connected",
            "grandmasters",
        )


def _slow(asked: TimingIntent) -> Iterator[Finding]:
    profile = PROFILES[asked.profile]
    log_sync = profile.sync.default if asked.log_sync is None else asked.log_sync
    if asked.target_ns is None or asked.target_ns >= _FINE_NS or log_sync <= _FINE_LOG_SYNC:
        return
    own = f"log_sync: {_FINE_LOG_SYNC}" if profile.sync.fastest <= _FINE_LOG_SYNC else None
    yield warning(
        "TIM008",
        f"{profile.title} sends a sync message every 2^{log_sync} s; a target of "
        f"{asked.target_ns:g} ns needs one every 2^{_FINE_LOG_SYNC} s or faster",
        f"use {own or 'profile g8275.1 (2^-4 s)'}, or a target of 100 ns or more",
        "profile" if own is None else "log_sync",
    )


def _alone(standing: Standing) -> Iterator[Finding]:
    """Single failures that cost a switch its reference; one grandmaster alone has its own rule."""
    if len(standing.attached) < 2:
        return
    found = losses(standing.fabric, standing.attached)
    if found:
        worst = "; ".join(f"{each.failed} ({each.switches})" for each in found[:_SHOWN])
        yield warning(
            "TIM009",
            f"{len(found)} single failures leave switches without a reference: {worst}",
            "attach the grandmasters to different switches, and give each switch two ways up",
            "grandmasters",
        )


def _after_failure(
    budgets: Sequence[Budget], failures: Sequence[FailureCheck]
) -> Iterator[Finding]:
    """The target is met as built, and not after some failure."""
    missed = [each for each in failures if each.meets is False]
    if not missed or any(each.meets is False for each in budgets):
        return
    said = [f"{e.failed} ({float(e.total or 0):.2f} ns, {e.clocks} clocks)" for e in missed]
    number = sum(each.alike for each in missed)
    target = next(float(each.target) for each in budgets if each.target is not None)
    yield warning(
        "TIM016",
        f"{number} single failures leave two NICs further apart than {target:g} ns: "
        f"{'; '.join(said[:_SHOWN])}",
        "more ways up at equal depth, a better clock class, or a wider target",
        "target_ns",
    )


def _deep(clocks: Sequence[Clock]) -> Iterator[Finding]:
    found = [each for each in clocks if each.hops > MOST_CLOCKS[each.clock_class]]
    if found:
        deepest = max(found, key=lambda each: each.hops)
        yield warning(
            "TIM012",
            f"{deepest.device} is {deepest.hops} clocks from its grandmaster; class "
            f"{deepest.clock_class} is proven for {MOST_CLOCKS[deepest.clock_class]} "
            f"({MOST_CLOCKS_SOURCE})",
            "bring a grandmaster nearer, or use clocks of a better class",
            "grandmasters",
        )


def _single_port(clocks: Sequence[Clock]) -> Iterator[Finding]:
    alone = [each.device for each in clocks if each.kind == "boundary" and len(each.ports) < 2]
    if alone:
        yield warning(
            "TIM015",
            f"{', '.join(alone[:_SHOWN])}: a boundary clock needs two or more PTP ports",
            "cable a port that leads time on, or leave the switch out",
            "clocks",
        )


def _synce(facts: ClockFacts) -> Iterator[Finding]:
    """Frequency passes a switch only where its hardware can do it; every hop must."""
    for model, clock in facts.models.items():
        if clock.synce is not None and not clock.synce.value:
            yield error(
                "TIM018",
                f"{model} does not carry SyncE ({clock.synce.source}): frequency ends there",
                "set synce: false, or another model",
                "synce",
            )
        elif clock.synce is None or not clock.synce.trust.is_firm:
            yield info(
                "TIM018",
                f"{_known(f'{model} carries SyncE', clock.synce)}; every hop must, breakout and "
                "mixed-speed ports included",
                "try it on one link of each kind before it is relied on, or set synce: false",
                "synce",
            )
    for name, nic in facts.nics.items():
        said = _known(f"NIC {name} takes SyncE", nic.synce)
        if nic.synce is not None and not nic.synce.value:
            said = f"NIC {name} takes no SyncE ({nic.synce.source})"
        elif nic.synce is not None and nic.synce.trust.is_firm:
            continue
        yield info(
            "TIM018",
            f"{said}; one that does not follows by PTP alone",
            "look at the card's own ordering guide: timing is often a board option",
            "synce",
        )


def _known(what: str, fact: Fact | None) -> str:
    if fact is None:
        return f"whether {what} is in no public source"
    return f"that {what} is {fact.trust} ({fact.source})"


def _unstamped(facts: ClockFacts) -> Iterator[Finding]:
    """A NIC without a hardware clock stamps in software, microseconds off."""
    for name, nic in facts.nics.items():
        if nic.ptp is None or not nic.ptp.value:
            yield warning(
                "TIM023",
                f"no public source gives NIC {name} a hardware clock for PTP",
                "software stamps are microseconds off: take a NIC that stamps in hardware",
                "target_ns",
            )
