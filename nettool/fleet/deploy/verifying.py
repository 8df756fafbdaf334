"""Verify a fleet through Ansible, and keep the verdict as a change ticket beside the run."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nettool.core.finding import Finding, Report, Severity
from nettool.core.order import natural
from nettool.core.written import replace_file
from nettool.fleet.deploy.collecting import looked_before
from nettool.fleet.deploy.order import WallClock
from nettool.fleet.deploy.push import played
from nettool.fleet.deploy.reach import Reach
from nettool.fleet.deploy.refusals import check_build
from nettool.fleet.deploy.runner import Played
from nettool.fleet.deploy.task import new_run
from nettool.fleet.verify.gathered import Gathered
from nettool.fleet.verify.hosts import check_hosts
from nettool.fleet.verify.planned_nics import PlannedNic
from nettool.fleet.verify.ticket import as_junit, as_markdown

_COLLECTED = "collected"


@dataclass(frozen=True, slots=True)
class Hosts:
    """The NICs of the plan, and what their hosts report."""

    planned: Sequence[PlannedNic]
    gathered: Gathered


def verify(
    build: Path, reach: Reach, *, baseline: Path | None = None, nodes: Hosts | None = None
) -> Report:
    """State and counters against the plan. What was seen is kept under `runs/<id>/collected`.

    `runs/<id>` also holds the report as verify.md, verify.json and verify.xml (JUnit).
    `baseline` is such a folder from before, so that counters get a verdict. The summary tells
    `devices` and `looked_at`: a switch that was not looked at is an error by name, never fine.
    With `nodes`, the NICs that are cabled to these switches are held against plan and switch.
    """
    hosts = reach.hosts()
    check_build(build, hosts)
    run = reach.run or new_run(WallClock())
    folder = reach.settings.runs / run
    variables = {
        "nettool_collected": str((folder / _COLLECTED).resolve()),
        "nettool_baseline": "" if baseline is None else str(baseline.resolve()),
    }
    ended = played(reach.play("verify", variables, build=build, run=run), reach)
    report = Report(summary={"run": run, "folder": str(folder)}) + judged(hosts, ended)
    if nodes is None:
        return kept(folder, report, list(hosts))
    report += met(nodes, hosts, folder / _COLLECTED)
    names = {nic.host for nic in nodes.planned if nic.switch in hosts}
    return kept(folder, report, list(hosts), sorted(names, key=natural))


def met(nodes: Hosts, switches: Collection[str], collected: Path) -> Report:
    """The hosts against the plan, and against what was seen of their switches in `collected`."""
    looks = {name: looked_before(str(collected), name)[0] for name in switches}
    observed = {name: each for name, each in looks.items() if each is not None}
    return check_hosts(nodes.planned, nodes.gathered, observed, switches)


def kept(folder: Path, report: Report, names: list[str], nodes: Sequence[str] = ()) -> Report:
    """The report once it lies in `folder`; where it cannot, its summary says why (`not_kept`).

    Each form is whole or as it was before, whatever happens meanwhile.
    """
    forms = {
        "verify.md": as_markdown(report, names, nodes),
        "verify.xml": as_junit(report, [*names, *nodes]),
        "verify.json": json.dumps(report.as_json(), indent=2) + "\n",
    }
    try:
        for name, text in forms.items():
            replace_file(folder / name, text.encode())
    except OSError as exc:
        return report + Report(summary={"not_kept": f"{folder}: {exc.strerror}"})
    return report


def judged(hosts: Iterable[str], ended: Played) -> Report:
    """What an ended playbook says of each of these switches: its findings, or that it is unseen."""
    told = {host: ended.results.get(host) for host in hosts}
    findings = [each for host, result in told.items() for each in _findings(host, result)]
    return Report.of(findings, devices=len(told), looked_at=sum(map(_was_looked_at, told.values())))


def exit_code(report: Report, *, strict: bool = False) -> int:
    """The contract's exit code: 4 where a switch was not looked at, else what the findings say."""
    if report.summary["looked_at"] != report.summary["devices"]:
        return 4
    return report.exit_code(strict=strict)


def _was_looked_at(told: Mapping[str, Any] | None) -> bool:
    """True where the switch's task came to its checks; the absence of findings proves nothing."""
    return told is not None and told.get("looked_at") is True


def _findings(host: str, told: Mapping[str, Any] | None) -> Iterable[Finding]:
    if told is not None and _was_looked_at(told):
        return [
            Finding(**{**each, "severity": Severity(each["severity"])}) for each in told["findings"]
        ]
    return [
        Finding(
            rule="VER000",
            severity=Severity.ERROR,
            message=f"{host} was not looked at: {why_not(told)}",
            hint="what was not seen is not verified",
            device=host,
        )
    ]


def why_not(told: Mapping[str, Any] | None) -> str:
    """Why a switch was not looked at, from what its task told."""
    if told is None:
        return "the playbook ended before its turn"
    words = (told.get("outcome"), told.get("message"))
    return ": ".join(str(each) for each in words if each) or "its task told nothing"
