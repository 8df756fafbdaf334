"""Push, diff, verify, roll back, confirm: what the command line calls, each through Ansible.

Every function takes `build` (a folder of `nettool render`) and `inventory` (a fabric's
`nettool.yml` or static file, and what is laid over it, last one wins), and returns a report.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nettool.core.errors import UsageError
from nettool.core.finding import Finding, Report, Severity
from nettool.fleet.deploy.locking import controller_lock
from nettool.fleet.deploy.order import WallClock, stamp
from nettool.fleet.deploy.outcome import HostResult, Outcome, PushReport, Step
from nettool.fleet.deploy.refusals import check_build, refuse_unverified
from nettool.fleet.deploy.runner import Play, Played, Progress, inventory_hosts, run_play
from nettool.fleet.deploy.task import new_run, operator
from nettool.fleet.verify.ticket import as_junit, as_markdown

RUNS = Path("runs")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a push goes about it, apart from what is pushed. Times in seconds; 0 guard: estimated."""

    runs: Path = RUNS
    forks: int = 10
    guard: int = 0
    settle: float = 60.0
    contact: float = 120.0
    answer: float = 60.0
    health: bool = True
    variables: Mapping[str, object] = field(default_factory=dict)


def push(  # noqa: PLR0913  # each is one flag of the command
    build: Path,
    *,
    inventory: Sequence[Path],
    limit: str | None = None,
    check: bool = False,
    consent: Iterable[str] = (),
    confirm: int = 0,
    allow_unverified: bool = False,
    progress: Progress | None = None,
    run: str | None = None,
    settings: Settings | None = None,
) -> PushReport:
    """Bring the switches to what was rendered, wave by wave.

    `consent` may hold `reload`; `confirm` > 0 leaves guards armed that many seconds. Raises
    UsageError, and RefusedError where another push of this build runs here, or where lines
    that nobody has proved on hardware would go to anything but loopback.
    """
    own = settings or Settings()
    hosts = inventory_hosts(inventory, limit)
    check_build(build, hosts)
    refuse_unverified(build, hosts, allowed=allow_unverified or check)
    variables = {
        "nettool_consent": sorted(consent),
        "nettool_confirm": confirm,
        **_common(build, own),
    }
    play = _play("push", inventory, own, limit, variables, check=check, run=run)
    with controller_lock(own.runs, build.resolve(), play.run, operator()):
        return _report(play, hosts, progress)


def diff_live(
    build: Path,
    *,
    inventory: Sequence[Path],
    limit: str | None = None,
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> PushReport:
    """What a push would change; nothing is written. Each host carries `diff` and `changes`."""
    own = settings or Settings()
    hosts = inventory_hosts(inventory, limit)
    check_build(build, hosts)
    play = _play("diff", inventory, own, limit, _common(build, own), check=True)
    return _report(play, hosts, progress)


def verify(
    build: Path,
    *,
    inventory: Sequence[Path],
    limit: str | None = None,
    baseline: Path | None = None,
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> Report:
    """State and counters against the plan. What was seen is kept under `runs/<id>/collected`.

    `runs/<id>` also holds the report as verify.md, verify.json and verify.xml (JUnit).
    `baseline` is such a folder from before, so that counters get a verdict.
    """
    own = settings or Settings()
    hosts = inventory_hosts(inventory, limit)
    check_build(build, hosts)
    run = new_run(WallClock())
    collected = own.runs / run / "collected"
    variables = {
        **_common(build, own),
        "nettool_collected": str(collected.resolve()),
        "nettool_baseline": "" if baseline is None else str(baseline.resolve()),
    }
    play = _play("verify", inventory, own, limit, variables, run=run)
    played = run_play(play, progress)
    if not played.results and played.rc:
        raise UsageError(f"the playbook did not run: {played.message or played.status}")
    findings: list[Finding] = []
    for host in hosts:
        findings.extend(_findings(host, played.results.get(host)))
    report = Report.of(findings, devices=len(hosts), run=run, folder=str(own.runs / run))
    _keep_ticket(own.runs / run, report, hosts)
    return report


def rollback(
    *,
    inventory: Sequence[Path],
    limit: str | None = None,
    of: str = "",
    check: bool = False,
    consent: Iterable[str] = (),
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> PushReport:
    """Bring back what the switches ran before their last push, or before the run `of`."""
    own = settings or Settings()
    hosts = inventory_hosts(inventory, limit)
    variables = {"nettool_consent": sorted(consent), "nettool_of": of, **_common(None, own)}
    play = _play("rollback", inventory, own, limit, variables, check=check)
    return _report(play, hosts, progress)


def confirm(
    *,
    inventory: Sequence[Path],
    limit: str | None = None,
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> PushReport:
    """Keep what a push with `confirm` left waiting. Confirming twice is no error."""
    own = settings or Settings()
    hosts = inventory_hosts(inventory, limit)
    return _report(_play("confirm", inventory, own, limit, _common(None, own)), hosts, progress)


def backup(
    folder: Path,
    *,
    inventory: Sequence[Path],
    limit: str | None = None,
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> PushReport:
    """Keep what the switches run in `folder`, one file each, readable by the owner alone."""
    own = settings or Settings()
    hosts = inventory_hosts(inventory, limit)
    variables = {**_common(None, own), "nettool_backup": str(folder.resolve())}
    return _report(_play("backup", inventory, own, limit, variables), hosts, progress)


def history(runs: Path = RUNS) -> list[dict[str, Any]]:
    """The reports of all runs, newest first."""
    found = sorted(runs.glob("*/report.json"), key=lambda path: path.parent.name, reverse=True)
    return [json.loads(path.read_text()) for path in found]


def _common(build: Path | None, own: Settings) -> dict[str, object]:
    variables: dict[str, object] = {
        "nettool_operator": operator(),
        "nettool_guard": own.guard,
        "nettool_settle": own.settle,
        "nettool_contact": own.contact,
        "nettool_answer": own.answer,
        "nettool_health": own.health,
    }
    if build is not None:
        variables["nettool_build"] = str(build.resolve())
    return {**variables, **own.variables}


def _play(
    playbook: str,
    inventory: Sequence[Path],
    own: Settings,
    limit: str | None,
    variables: Mapping[str, object],
    *,
    check: bool = False,
    run: str | None = None,
) -> Play:
    name = run or new_run(WallClock())
    return Play(
        playbook=playbook,
        inventory=tuple(inventory),
        run=name,
        folder=own.runs / name,
        limit=limit,
        check=check,
        variables={**variables, "nettool_run": name},
        forks=own.forks,
    )


def _report(play: Play, hosts: Iterable[str], progress: Progress | None) -> PushReport:
    played = run_play(play, progress)
    if not played.results and played.rc:
        raise UsageError(f"the playbook did not run: {played.message or played.status}")
    report = PushReport(
        run=play.run,
        hosts=tuple(reported(name, played) for name in hosts),
        folder=str(play.folder),
        summary={"playbook": play.playbook, "check": play.check, "at": stamp(WallClock().now())},
    )
    text = json.dumps(report.as_json(), indent=2) + "\n"
    (play.folder / "report.json").write_text(text)
    return report


def _keep_ticket(folder: Path, report: Report, hosts: Iterable[str]) -> None:
    names = list(hosts)
    (folder / "verify.md").write_text(as_markdown(report, names))
    (folder / "verify.xml").write_text(as_junit(report, names))
    (folder / "verify.json").write_text(json.dumps(report.as_json(), indent=2) + "\n")


def reported(device: str, played: Played) -> HostResult:
    """What a playbook's end says of one device; without a result it is unknown, never done."""
    told = played.results.get(device)
    if told is None and device in played.started:
        why = f"the push ended meanwhile ({played.status}): its guard goes back by itself"
        return HostResult(device, Outcome.UNKNOWN, why)
    if told is None:
        return HostResult(device, Outcome.NOT_STARTED, "an earlier wave did not go well")
    return HostResult(
        device=device,
        outcome=Outcome(told["outcome"]),
        message=str(told.get("message") or ""),
        diff=str(told.get("diff") or ""),
        changes=tuple(c for each in told.get("changes", ()) for c in each["changes"]),
        steps=tuple(Step(s["name"], s["detail"]) for s in told.get("steps", ())),
        way=str(told.get("way") or ""),
        impact=str(told.get("impact") or ""),
        patch=tuple(told.get("patch", ())),
    )


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
