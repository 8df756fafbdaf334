"""From a design to its clock tree: roles of every clock and port, the budget, and what fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nettool.catalog.catalog import Catalog
from nettool.core.finding import Report
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.timing.budgets import plan_budgets, plan_target
from nettool.plan.timing.check import check_request
from nettool.plan.timing.clocks import plan_clocks
from nettool.plan.timing.facts import ClockFacts, clock_facts
from nettool.plan.timing.links import own_links, own_transport
from nettool.plan.timing.reach import check_reach
from nettool.plan.timing.recheck import Standing, recheck
from nettool.plan.timing.references import plan_references
from nettool.plan.timing.remedies import remedies
from nettool.plan.timing.roles import Trees
from nettool.plan.timing.settings import settings
from nettool.plan.timing.timing_plan import TimingPlan
from nettool.plan.timing.tree import adjacency, attachments, grow, grow_each, in_force
from nettool.plan.timing.verdict import judge
from nettool.plan.timing.worst import extremes


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
    clocks = plan_clocks(asked, fabric, trees, facts, references)
    target = plan_target(asked)
    standing = Standing(
        fabric, neighbours, attached, trees.followed, facts, asked.end_station_ns, target
    )
    worst = extremes(trees.followed, facts.works)
    budgets = tuple(plan_budgets(worst, standing)) if worst else ()
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
    found = judge(asked, standing, plan)
    return plan, report + Report.of((*lacking, *found, *check_reach(plan, fabric)))


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
