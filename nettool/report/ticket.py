"""The chapters of a report: what the job asks, the design, and why it may be pushed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nettool.catalog.catalog import Catalog
from nettool.core.finding import Finding, Report, Severity
from nettool.fleet.deploy.pushed import Pushed
from nettool.intent.intent import FabricIntent
from nettool.plan.demand.demand import Demand
from nettool.plan.design.fabric import Fabric
from nettool.plan.placement.matrix import TrafficMatrix
from nettool.plan.placement.table import worst_link
from nettool.plan.qos.qos_plan import QosPlan, SwitchQos
from nettool.plan.simulate.simulate import Simulation
from nettool.plan.timing.timing_plan import TimingPlan
from nettool.report.alike import grouped
from nettool.report.files import (
    FileRow,
    against_build,
    against_pushes,
    file_table,
    unverified_table,
)
from nettool.report.page import Chapter, Table
from nettool.report.picture import pictures
from nettool.report.tables import designed, lossless, timed
from nettool.report.tables.asked import job_tables, matrix_tables
from nettool.report.tables.pushed import playbook, run_table


@dataclass(frozen=True, slots=True)
class Subject:
    """Everything that a report tells of.

    `runs` are the records of pushes of this fabric, newest first; `pushed` what was last pushed to
    each switch and stayed, and `build` a build folder, to be held against `files`.
    """

    intent: FabricIntent
    catalog: Catalog
    demand: Demand
    fabric: Fabric
    matrix: TrafficMatrix
    qos: QosPlan
    timing: TimingPlan
    report: Report
    simulation: Simulation
    files: Sequence[FileRow]
    runs: Sequence[Mapping[str, Any]] = ()
    pushed: Mapping[str, Pushed] = field(default_factory=dict)
    build: Path | None = None


def chapters(subject: Subject) -> tuple[Chapter, ...]:
    """All chapters in the order in which a reviewer asks."""
    return (
        _summary(subject),
        _asked(subject),
        _designed(subject),
        _cabled(subject),
        _lossless(subject),
        _timed(subject),
        *_tree(subject.timing),
        _findings(subject.report),
        _assumed(subject),
        _files(subject),
        _pushed(subject),
    )


def _summary(subject: Subject) -> Chapter:
    fabric, intent = subject.fabric, subject.intent
    gpus = sum(each.gpus for each in fabric.nodes)
    networks = ", ".join(f"{name} ({kind})" for name, kind in fabric.topology.items())
    text = (
        f"{fabric.name}: {len(fabric.nodes):,} nodes with {gpus:,} GPUs, {len(fabric.devices):,} "
        f"switches, {len(fabric.links):,} links; networks {networks}; switches run "
        f"{intent.nos.name}.",
    )
    rows = [("findings", _counts(subject.report)), *_verdicts(subject)]
    return Chapter("summary", "Summary", text, tables=(Table(("claim", "result"), rows),))


def _verdicts(subject: Subject) -> list[tuple[str, str]]:
    proofs = [x for each in _kinds(subject.qos) for x in each.proofs]
    failed = [each.claim for each in proofs if not each.holds]
    left = f"; not proved: {', '.join(dict.fromkeys(failed))}" if failed else ""
    ran = subject.simulation.outcomes
    dropped = sum(int(each.dropped) for each in ran)
    most = max((each.headroom_share for each in ran), default=0.0)
    loss = f"{dropped:,} B dropped in {len(ran)} cases, headroom used up to {most:.0%}"
    unverified = sum(len(each.unverified) for each in subject.files)
    rows = [
        ("lossless proof", f"{len(proofs) - len(failed)} of {len(proofs)} inequalities hold{left}"),
        ("simulated incast", loss if ran else "no switch carries lossless traffic"),
        ("time", _budget(subject.timing)),
        ("files", f"{len(subject.files):,}, with {unverified:,} lines unverified on hardware"),
    ]
    if subject.runs:
        last = subject.runs[0]
        ended = f"{last['run']}, exit {last.get('exit_code', 'unknown')}"
        rows.append((f"last {playbook(last)}", ended))
    return rows


def _kinds(qos: QosPlan) -> list[SwitchQos]:
    return list({id(each): each for each in qos.switches.values()}.values())


def _budget(timing: TimingPlan) -> str:
    if not timing.enabled:
        return "off"
    aimed = [each for each in timing.budgets if each.target]
    told = (
        f"{each.name} {float(each.total):g} of {float(each.target or 0):g} ns"
        f"{'' if each.meets else ' (missed)'}"
        for each in aimed
    )
    return "; ".join(told) or "no target is set"


def _asked(subject: Subject) -> Chapter:
    jobs = subject.demand.jobs
    tables = tuple(each for job in jobs for each in job_tables(job))
    text = (worst_link(subject.matrix),) if jobs else ("No job is given.",)
    matrix = tuple(matrix_tables(subject.matrix)) if jobs else ()
    return Chapter("jobs", "What the jobs ask", text, tables=(*tables, *matrix))


def _designed(subject: Subject) -> Chapter:
    fabric = subject.fabric
    tables = (
        designed.kind_table(fabric),
        designed.tier_table(fabric),
        designed.latency_table(fabric, subject.catalog),
        designed.hash_table(fabric),
    )
    return Chapter("design", "Design", pictures=pictures(fabric), tables=tables)


def _cabled(subject: Subject) -> Chapter:
    fabric = subject.fabric
    tables = (
        designed.cable_table(fabric),
        designed.address_table(fabric),
        designed.asn_table(fabric),
    )
    text = ("Every cable leg is in cabling.csv and cabling.xlsx of a build.",)
    return Chapter("cabling", "Cabling and addresses", text, tables=tables)


def _lossless(subject: Subject) -> Chapter:
    qos = subject.qos
    tables = (
        lossless.class_table(qos, sorted(subject.fabric.topology)),
        *lossless.switch_tables(qos),
        lossless.simulation_table(subject.simulation),
    )
    points = tuple(f"deadlock: {each}" for each in qos.deadlock)
    return Chapter("qos", "Lossless traffic", tables=tables, points=points)


def _timed(subject: Subject) -> Chapter:
    timing = subject.timing
    if not timing.enabled:
        return Chapter("timing", "Time", ("Timing is off.",))
    tables = (
        timed.reference_table(timing),
        timed.budget_table(timing),
        timed.failure_table(timing),
        timed.remedy_table(timing),
    )
    return Chapter("timing", "Time", (timed.profile_line(timing),), tables=tables)


def _tree(timing: TimingPlan) -> tuple[Chapter, ...]:
    lines = tuple(each.removeprefix("  ") for each in timed.tree_lines(timing))
    return (Chapter("tree", "Clock tree", points=lines),) if lines else ()


def _findings(report: Report) -> Chapter:
    """The findings, errors first; what many places have alike is one row."""
    told = sorted(grouped(report), key=lambda each: list(Severity).index(each.finding.severity))
    rows = [
        (str(each.severity), each.rule, _where(each), _said(each.message, others), each.hint)
        for each, others in told
    ]
    table = Table(("level", "rule", "where", "finding", "what to do"), rows)
    each = "What several places have alike is one row; `nettool validate --format json` has each."
    text = (f"{_counts(report)}.", *([each] if len(told) < len(report.findings) else []))
    return Chapter("findings", "Findings", text, tables=(table,))


def _said(message: str, others: str) -> str:
    return f"{message} ({others})" if others else message


def _counts(report: Report) -> str:
    return ", ".join(
        f"{report.count(each)} {each}{'' if each is Severity.INFO else 's'}" for each in Severity
    )


def _where(finding: Finding) -> str:
    place = ":".join(str(each) for each in (finding.file, finding.line, finding.column) if each)
    row = "|".join(filter(None, (finding.table, finding.key, finding.field)))
    row = "" if finding.line and finding.table == "fabric.yaml" else row
    return " ".join(filter(None, (place, finding.device, row)))


def _assumed(subject: Subject) -> Chapter:
    points = (
        *subject.qos.assumptions,
        *subject.simulation.assumptions,
        *(subject.timing.notes if subject.timing.enabled else ()),
    )
    text = (
        "What nobody has proved on hardware, then what the proof, the simulation and the budget "
        "take for granted.",
    )
    return Chapter(
        "assumed",
        "Assumed and unverified",
        text,
        tables=(unverified_table(subject.files),),
        points=tuple(dict.fromkeys(points)),
    )


def _files(subject: Subject) -> Chapter:
    text = (
        "What nettool render writes for each device. A push writes config_db.json (SONiC) or "
        "asternos.cfg (AsterNOS); every file with its digest is in files.csv.",
    )
    return Chapter("files", "Files", text, tables=(file_table(subject.files),))


def _pushed(subject: Subject) -> Chapter:
    text = against_build(subject.files, subject.build) if subject.build else ()
    if not subject.runs:
        text = (*text, "No push of this fabric is recorded here.")
    else:
        text = (*text, *against_pushes(subject.files, subject.pushed))
    return Chapter("pushed", "Pushed", text, tables=(run_table(subject.runs),))
