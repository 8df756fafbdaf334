"""Verify a fleet through Ansible, and keep the verdict as a change ticket beside the run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nettool.core.finding import Finding, Report, Severity
from nettool.fleet.deploy.order import WallClock
from nettool.fleet.deploy.push import played
from nettool.fleet.deploy.reach import Reach
from nettool.fleet.deploy.refusals import check_build
from nettool.fleet.deploy.task import new_run
from nettool.fleet.verify.ticket import as_junit, as_markdown


def verify(build: Path, reach: Reach, *, baseline: Path | None = None) -> Report:
    """State and counters against the plan. What was seen is kept under `runs/<id>/collected`.

    `runs/<id>` also holds the report as verify.md, verify.json and verify.xml (JUnit).
    `baseline` is such a folder from before, so that counters get a verdict.
    """
    hosts = reach.hosts()
    check_build(build, hosts)
    run = new_run(WallClock())
    folder = reach.settings.runs / run
    variables = {
        "nettool_collected": str((folder / "collected").resolve()),
        "nettool_baseline": "" if baseline is None else str(baseline.resolve()),
    }
    ended = played(reach.play("verify", variables, build=build, run=run), reach.progress)
    findings = [each for host in hosts for each in _findings(host, ended.results.get(host))]
    report = Report.of(findings, devices=len(hosts), run=run, folder=str(folder))
    _keep_ticket(folder, report, list(hosts))
    return report


def _keep_ticket(folder: Path, report: Report, names: list[str]) -> None:
    (folder / "verify.md").write_text(as_markdown(report, names))
    (folder / "verify.xml").write_text(as_junit(report, names))
    (folder / "verify.json").write_text(json.dumps(report.as_json(), indent=2) + "\n")


def _findings(host: str, told: Mapping[str, Any] | None) -> Iterable[Finding]:
    if told is not None and "findings" in told:
        return [
            Finding(**{**each, "severity": Severity(each["severity"])}) for each in told["findings"]
        ]
    why = "it was not looked at" if told is None else str(told.get("message") or told["outcome"])
    return [
        Finding(
            rule="VER000",
            severity=Severity.ERROR,
            message=f"{host}: {why}",
            hint="what was not seen is not verified",
            device=host,
        )
    ]
