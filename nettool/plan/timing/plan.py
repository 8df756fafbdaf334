"""From a design to its clock tree: roles of every clock and port, the budget, and what fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from nettool.catalog.catalog import Catalog
from nettool.core.finding import Report
from nettool.core.provenance import Figure, Input, Origin, Provenance, Trust
from nettool.intent.intent import FabricIntent, TimingIntent
from nettool.plan.design.fabric import Device, Fabric
from nettool.plan.timing.budget import (
    ErrorSum,
    constant_error,
    dynamic_error,
    total_error,
    unfiltered_error,
)
from nettool.plan.timing.check import check_request
from nettool.plan.timing.facts import ClockFacts, clock_facts
from nettool.plan.timing.links import own_links, own_transport
from nettool.plan.timing.note import FILE, GIVEN
from nettool.plan.timing.profiles import PROFILES, PtpProfile
from nettool.plan.timing.recheck import Standing, recheck
from nettool.plan.timing.references import SWITCH_PRIORITY1, plan_references, ports_of
from nettool.plan.timing.remedies import remedies
from nettool.plan.timing.roles import Trees, clock_ports, frequency_parent
from nettool.plan.timing.settings import settings
from nettool.plan.timing.timing_plan import Budget, Clock, TimingPlan
from nettool.plan.timing.tree import adjacency, attachments, grow, grow_each, in_force
from nettool.plan.timing.verdict import judge
from nettool.plan.timing.worst import Extremes, Worst, extremes


def plan_timing(
    intent: FabricIntent, fabric: Fabric, catalog: Catalog
) -> tuple[TimingPlan, Report]:
    """The clock tree and budget of a fabric, with what is wrong with the request.

    With timing off the plan is empty and says so. Findings name key paths of fabric.yaml.
    """
    asked = intent.timing
    empty = settings(asked)
    if not asked.enabled:
        return empty, Report.of(())
    links, said = own_links(asked, fabric)
    report = Report.of((*check_request(intent, fabric, catalog), *said))
    if report.has_errors:
        return empty, report
    attached = attachments(fabric, asked.grandmasters)
    neighbours = adjacency(fabric)
    time = grow_each(neighbours, attached)
    trees = Trees(time, in_force(time), grow(neighbours, attached) if asked.synce else {})
    facts = clock_facts(asked, fabric, catalog, links)
    references, lacking = plan_references(asked, fabric, attached)
    clocks = _clocks(asked, fabric, trees, facts, ports_of(references))
    target = _target(asked)
    standing = Standing(
        fabric, neighbours, attached, trees.followed, facts, asked.end_station_ns, target
    )
    worst = extremes(trees.followed, facts.works)
    budgets = tuple(_budgets(worst, standing)) if worst else ()
    missed = any(each.meets is False for each in budgets)
    plan = replace(
        empty,
        clocks=clocks,
        budgets=budgets,
        notes=tuple(_notes(facts)),
        references=references,
        failures=recheck(standing),
        remedies=remedies(standing, worst.pair) if missed and worst and worst.pair else (),
        own_transport=own_transport(links),
    )
    found = judge(asked, standing, tuple(clocks.values()), budgets, plan.failures, plan.remedies)
    return plan, report + Report.of((*lacking, *found))


def _clocks(
    asked: TimingIntent,
    fabric: Fabric,
    trees: Trees,
    facts: ClockFacts,
    references: Mapping[str, Mapping[str, str]],
) -> dict[str, Clock]:
    profile = PROFILES[asked.profile]
    fixed = Provenance(f"default of {profile.title}", (), profile.source, profile.trust)
    first = Figure(profile.priority1_fixed or SWITCH_PRIORITY1, "", fixed)
    depths = {branch.hops for branch in trees.followed.values()}
    second = {hops: _priority2(profile, hops) for hops in sorted(depths)}
    return {
        device.name: _clock(
            device, trees, facts, (first, second[trees.followed[device.name].hops]),
            references.get(device.name, {}),
        )
        for device in fabric.devices
        if device.name in trees.followed
    }  # fmt: skip


def _clock(
    device: Device,
    trees: Trees,
    facts: ClockFacts,
    priority: tuple[Figure, Figure],
    references: Mapping[str, str],
) -> Clock:
    branch = trees.followed[device.name]
    model = facts.of(device)
    return Clock(
        device=device.name,
        kind=facts.kinds[device.role],
        parent=branch.parent,
        hops=branch.hops,
        priority1=priority[0],
        priority2=priority[1],
        clock_class=model.clock_class,
        clock_class_why=model.why,
        ports=tuple(clock_ports(device, trees, references)),
        frequency=frequency_parent(device.name, trees),
    )


def _priority2(profile: PtpProfile, hops: int) -> Figure:
    why = Provenance(
        "profile's priority2 + clocks from the grandmaster - 1: nearer switches win",
        (Input("clocks from the grandmaster", hops),),
        profile.source,
        Trust.COMPUTED,
        "grandmaster < standby < switches <= 255",
    )
    return Figure(min(255, profile.priority2 + hops - 1), "", why)


def _budgets(worst: Extremes, standing: Standing) -> Iterator[Budget]:
    yield _budget("NIC against UTC", worst.alone, standing, None)
    if worst.pair:
        yield _budget("two NICs, across leaves", worst.pair, standing, standing.target)
    yield _budget("two NICs, on one leaf", worst.same_switch, standing, standing.target)


def _budget(name: str, worst: Worst, standing: Standing, target: Figure | None) -> Budget:
    sums = ErrorSum(worst.chains, worst.reference, standing.end_station, standing.facts.trust)
    total = total_error(sums)
    return Budget(
        name=name,
        clocks=sums.clocks,
        cte=constant_error(sums),
        dte=dynamic_error(sums),
        total=total,
        total_half=total_error(sums, half=True),
        target=target,
        meets=None if target is None else float(total) <= float(target),
        unfiltered=unfiltered_error(sums),
        between=worst.switches,
    )


def _target(asked: TimingIntent) -> Figure | None:
    if asked.target_ns is None:
        return None
    given = Input("target_ns", asked.target_ns, "ns", Origin(FILE, ("timing", "target_ns")))
    return Figure(asked.target_ns, "ns", Provenance("as given", (given,), GIVEN, Trust.GIVEN))


def _notes(facts: ClockFacts) -> Iterator[str]:
    yield "community SONiC has no PTP or SyncE table: time is configured in ptp4l.conf"
    yield (
        "AsterNOS: no public line configures PTP or SyncE (and R0500 has no PTP): not emitted, "
        "the configuration says so in a comment"
    )
    for model, clock in facts.models.items():
        yield f"clock class {clock.clock_class} of {model} is {clock.why.trust}"
    yield (
        "a NIC that does not filter sees the `unfiltered` figure; its own error counts only as far "
        "as end_station_ns gives it"
    )
