"""Write documents and pictures of a fabric: one HTML page, and the same in Markdown.

    nettool report rail-optimized-256 -o ticket
    nettool report rail-optimized-256 -o ticket --build build

For a change ticket: what the jobs ask, the design with a picture, cabling and addresses, the
lossless proof with a simulation, time, findings, assumptions, the files, and what was pushed. The
page needs no other file and no script. The same input gives the same bytes. Touches no device.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.cli.parser import add_fabric, add_nos
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.core.errors import UsageError
from nettool.core.finding import Report
from nettool.fleet.deploy.pushed import last_pushed
from nettool.fleet.deploy.reach import RUNS
from nettool.fleet.deploy.record import records, reports
from nettool.pipeline import Plan, artifacts, simulated, validate
from nettool.plan.simulate.scenario import Asked
from nettool.report.files import FileRows, configurations, listing
from nettool.report.folder import MARKER, write_folder
from nettool.report.pages import HTML, pages
from nettool.report.ticket import Subject, chapters

_PLAYBOOKS = ("push", "rollback")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC, the folder to write, and what is at hand of builds and runs."""
    add_fabric(parser)
    add_nos(parser)
    parser.add_argument(
        "-o", "--out", type=Path, metavar="DIR",
        help="folder to write (default: NAME-report, after the fabric)",
    )  # fmt: skip
    parser.add_argument(
        "--build", type=Path, metavar="DIR", help="a build to be held against the plan"
    )
    parser.add_argument(
        "--runs", type=Path, metavar="DIR",
        help=f"folder of runs, of which those of this fabric are told (default: {RUNS})",
    )  # fmt: skip


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Write the folder, and say where."""
    build: Path | None = arguments.build
    if build is not None and not (build / MARKER).is_file():
        raise UsageError(f"{build} is not a build of nettool (no {MARKER})")
    runs: Path | None = arguments.runs
    if runs is not None and not runs.is_dir():
        raise UsageError(f"{runs} is no folder, so it has no runs")
    plan = planned(arguments.fabric, arguments.nos)
    subject = _subject(plan, runs or RUNS, build)
    out: Path = arguments.out or Path(f"{plan.intent.name}-report")
    own = plan.path.parent / "templates"
    title = f"{plan.intent.name}: network report"
    made = [*pages(title, chapters(subject), own if own.is_dir() else None),
            ("files.csv", listing(subject.files))]  # fmt: skip
    written = write_folder(out, made, marker=HTML)
    report = subject.report + Report.of(written.findings(out))
    if screen.is_json:
        names = sorted(name for name, _ in made)
        findings = report.as_json()["findings"]
        screen.json({"schema_version": 1, "out": str(out), "files": names, "findings": findings})
    else:
        screen.text(screen.findings(report))
        screen.text(f"wrote {out / HTML} and {len(made) - 1} files beside it")
    return report.exit_code(strict=arguments.strict)


def _subject(plan: Plan, runs: Path, build: Path | None) -> Subject:
    simulation, said = simulated(plan, Asked())
    files = FileRows(plan.fabric.by_name)
    found = validate(plan, files.noted(artifacts(plan))) + said
    own = {x.run for name in _PLAYBOOKS for x in records(runs, name, plan.intent.name)}
    told = [each for each in reports(runs) if each.get("run") in own]
    return Subject(
        intent=plan.intent,
        catalog=plan.catalog,
        demand=plan.demand,
        fabric=plan.fabric,
        matrix=plan.matrix,
        qos=plan.qos,
        timing=plan.timing,
        report=found,
        simulation=simulation,
        files=files.rows,
        runs=told,
        pushed=last_pushed(runs, plan.intent.name, configurations(files.rows)),
        build=build,
    )
