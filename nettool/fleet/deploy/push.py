"""Push, diff, roll back, confirm, back up: what the command line calls, each through Ansible.

Every function takes `reach` (which switches, and how) and returns a report; `build` is a folder
of `nettool render`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nettool.core.errors import UsageError
from nettool.fleet.deploy.locking import controller_lock
from nettool.fleet.deploy.order import WallClock, stamp
from nettool.fleet.deploy.outcome import HostResult, Outcome, PushReport, Step
from nettool.fleet.deploy.reach import RUNS, Reach
from nettool.fleet.deploy.refusals import check_build, refuse_unverified
from nettool.fleet.deploy.resume import Begun, begun, note_begin
from nettool.fleet.deploy.runner import Play, Played, Progress, run_play
from nettool.fleet.deploy.task import operator


@dataclass(frozen=True, slots=True)
class Consent:
    """What whoever pushes agrees to, and what holds them back.

    `reload`: services may restart. `unverified`: lines that nobody has proved on hardware may go
    out. `confirm` > 0 leaves guards armed that many seconds. `policy` is a file of forbidden hours.
    """

    reload: bool = False
    unverified: bool = False
    confirm: int = 0
    policy: Path | None = None

    @property
    def variables(self) -> dict[str, object]:
        """As the playbook takes them."""
        return {
            "nettool_consent": ["reload"] if self.reload else [],
            "nettool_confirm": self.confirm,
            "nettool_policy": "" if self.policy is None else str(self.policy.resolve()),
        }


def push(
    build: Path,
    reach: Reach,
    *,
    consent: Consent | None = None,
    check: bool = False,
    resume: bool = False,
    run: str | None = None,
) -> PushReport:
    """Bring the switches to what was rendered, wave by wave.

    `resume` goes on with the last push of this build, on the switches that are left. Raises
    UsageError, and RefusedError where another push of this build runs here, where a resumed build
    has changed, or where lines that nobody has proved on hardware would leave this machine.
    """
    given = consent or Consent()
    hosts = reach.hosts()
    check_build(build, hosts)
    refuse_unverified(build, hosts, allowed=given.unverified or check)
    before = begun(reach.settings.runs, build) if resume else Begun("", (), tuple(hosts))
    left = [name for name in hosts if name in before.left]
    play = reach.play("push", given.variables, build=build, check=check, run=run)
    if resume:
        play = _limited(play, left)
    with controller_lock(reach.settings.runs, build.resolve(), play.run, operator()):
        done = [_done_before(name, before.run) for name in hosts if name not in left]
        note_begin(play, build, hosts, [each.device for each in done])
        return _report(play, left, reach.progress, done)


def diff_live(build: Path, reach: Reach) -> PushReport:
    """What a push would change; nothing is written. Each host carries `diff` and `changes`."""
    hosts = reach.hosts()
    check_build(build, hosts)
    return _report(reach.play("diff", {}, build=build, check=True), hosts, reach.progress)


def rollback(
    reach: Reach, *, of: str = "", check: bool = False, consent: Consent | None = None
) -> PushReport:
    """Bring back what the switches ran before their last push, or before the run `of`."""
    variables = {**(consent or Consent()).variables, "nettool_of": of}
    hosts = reach.hosts()
    return _report(reach.play("rollback", variables, check=check), hosts, reach.progress)


def confirm(reach: Reach) -> PushReport:
    """Keep what a push with `confirm` left waiting. Confirming twice is no error."""
    hosts = reach.hosts()
    return _report(reach.play("confirm", {}), hosts, reach.progress)


def backup(folder: Path, reach: Reach) -> PushReport:
    """Keep what the switches run in `folder`, one file each, readable by the owner alone."""
    hosts = reach.hosts()
    play = reach.play("backup", {"nettool_backup": str(folder.resolve())})
    return _report(play, hosts, reach.progress)


def history(runs: Path = RUNS) -> list[dict[str, Any]]:
    """The reports of all runs, newest first."""
    found = sorted(runs.glob("*/report.json"), key=lambda path: path.parent.name, reverse=True)
    return [json.loads(path.read_text()) for path in found]


def played(play: Play, progress: Progress | None) -> Played:
    """Run a playbook. Raises UsageError where it did not begin at all."""
    ended = run_play(play, progress)
    if not ended.results and ended.rc:
        raise UsageError(f"the playbook did not run: {ended.message or ended.status}")
    return ended


def _limited(play: Play, hosts: list[str]) -> Play:
    """On these hosts alone, named in a file: there may be thousands."""
    play.folder.mkdir(parents=True, exist_ok=True)
    path = play.folder / "limit"
    path.write_text("\n".join(hosts) + "\n")
    return replace(play, limit=f"@{path.resolve()}")


def _done_before(device: str, run: str) -> HostResult:
    return HostResult(device, Outcome.UNCHANGED, f"done by run {run}")


def _report(
    play: Play,
    hosts: Iterable[str],
    progress: Progress | None,
    done: Iterable[HostResult] = (),
) -> PushReport:
    names = list(hosts)
    ended = played(play, progress) if names else Played("successful", 0, {}, "")
    play.folder.mkdir(parents=True, exist_ok=True)
    report = PushReport(
        run=play.run,
        hosts=(*done, *(reported(name, ended) for name in names)),
        folder=str(play.folder),
        summary={"playbook": play.playbook, "check": play.check, "at": stamp(WallClock().now())},
    )
    text = json.dumps(report.as_json(), indent=2) + "\n"
    (play.folder / "report.json").write_text(text)
    return report


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
        plan=tuple(told.get("plan", ())),
        estimate=float(told.get("estimate_s") or 0.0),
    )
