"""Push, diff, roll back, confirm, back up: what the command line calls, each through Ansible.

Every function takes `reach` (which switches, and how) and returns a report; `build` is a folder
of `nettool render`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nettool.core.errors import UsageError
from nettool.core.order import natural
from nettool.fleet.deploy.eventlog import LAST
from nettool.fleet.deploy.interrupts import Stop, stop_signals
from nettool.fleet.deploy.locking import controller_lock
from nettool.fleet.deploy.order import WallClock, stamp
from nettool.fleet.deploy.outcome import BEYOND, HostResult, Outcome, PushReport, Step
from nettool.fleet.deploy.reach import RUNS, Reach
from nettool.fleet.deploy.record import (
    REPORT,
    begun_run,
    build_hash,
    keep_report,
    own_build,
    reports,
)
from nettool.fleet.deploy.refusals import check_build, refuse_unverified
from nettool.fleet.deploy.resume import Begun, begun
from nettool.fleet.deploy.runner import Play, Played, run_play
from nettool.fleet.deploy.task import operator
from nettool.fleet.deploy.undo import STATE
from nettool.fleet.deploy.undoing import Undo, undo_of

_NAMED = 8
"""Switches that a sentence names at most."""
_WRITING = frozenset(("push", "rollback", "confirm"))


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
            "nettool_allow_unverified": self.unverified,
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
    look: bool = True,
    run: str | None = None,
) -> PushReport:
    """Bring the switches to what was rendered, wave by wave, from a copy that is the run's own.

    `resume` goes on with the last push of this build, on the switches that are left. Without
    `look` each switch is asked at its turn only, once those before it were written to. Raises
    UsageError, and RefusedError where another push of this fabric runs here, where a resumed build
    has changed, or where lines that nobody has proved on hardware would leave this machine.
    """
    given = consent or Consent()
    hosts, name, runs = reach.hosts(), reach.fabric(build), reach.settings.runs
    check_build(build, hosts)
    refuse_unverified(build, hosts, allowed=given.unverified or check)
    play = replace(reach.play("push", given.variables, check=check, run=run), look=look or check)
    with controller_lock(runs, name, play.run, operator()):
        own = own_build(build, play.folder)
        before = begun(runs, name, own) if resume else Begun("", (), tuple(hosts))
        left = before.to_do(hosts)
        done = [_done_before(host, before.run) for host in hosts if host not in left]
        play = play.with_variables(nettool_build=str(own.resolve()))
        order = {"name": name, "build": str(build.resolve()), "hash": build_hash(own)}
        if reach.source is not None:
            order["source"] = str(reach.source.resolve())
        kept = {**order, "done": [each.device for each in done]}
        beside = _Beside(kept, done, looks=look)
        return _report(replace(play, only=tuple(left)) if resume else play, left, reach, beside)


def diff_live(build: Path, reach: Reach) -> PushReport:
    """What a push would change; nothing is written. Each host carries `diff` and `changes`."""
    hosts = reach.hosts()
    check_build(build, hosts)
    return _report(reach.play("diff", {}, build=build, check=True), list(hosts), reach)


def rollback(
    reach: Reach, *, of: str = "", check: bool = False, consent: Consent | None = None
) -> PushReport:
    """Undo one push: the run `of`, else the last one recorded here, where it changed something.

    Other switches are not part of it. Undoing it again does nothing. Raises UsageError where no
    such push is recorded, RefusedError where a push of this fabric runs here.
    """
    hosts, name, runs = reach.hosts(), reach.fabric(), reach.settings.runs
    play = reach.play("rollback", (consent or Consent()).variables, check=check)
    with controller_lock(runs, name, play.run, operator()):
        undo = undo_of(runs, name, of)
        part = [host for host in hosts if host in undo.devices]
        others = [_not_part(host, undo) for host in hosts if host not in part]
        play = play.with_variables(nettool_of=undo.run, nettool_last=not of)
        beside = _Beside({"name": name, "of": undo.run}, others, undo.message)
        return _report(replace(play, only=tuple(part)), part, reach, beside)


def confirm(reach: Reach) -> PushReport:
    """Keep what a push with `confirm` left waiting. Confirming twice is no error."""
    beside = _Beside({"name": reach.fabric()})
    return _report(reach.play("confirm", {}), list(reach.hosts()), reach, beside)


def backup(folder: Path, reach: Reach) -> PushReport:
    """Keep what the switches run in `folder`, one file each, readable by the owner alone."""
    play = reach.play("backup", {"nettool_backup": str(folder.resolve())})
    return _report(play, list(reach.hosts()), reach)


def history(runs: Path = RUNS) -> list[dict[str, Any]]:
    """The reports of all runs, newest first; what is known of one that was cut."""
    return reports(runs)


def played(play: Play, reach: Reach, stop: Stop | None = None) -> Played:
    """Run a playbook to its end, or until a signal asks to stop.

    Raises UsageError where it did not begin at all.
    """
    with stop_signals() if stop is None else nullcontext(stop) as asked:
        ended = run_play(play, reach.progress, asked)
    if ended.rc and not (ended.results or ended.started or ended.stopped):
        raise UsageError(f"the playbook did not run: {ended.message or ended.status}")
    return ended


def _done_before(device: str, run: str) -> HostResult:
    return HostResult(device, Outcome.UNCHANGED, f"done by run {run}")


def _not_part(device: str, undo: Undo) -> HostResult:
    return HostResult(device, Outcome.UNCHANGED, f"not part of run {undo.run}")


@dataclass(frozen=True, slots=True)
class _Beside:
    """What is kept of a run beside its play: more of its order, and switches it leaves alone."""

    order: Mapping[str, object] = field(default_factory=dict)
    hosts: Sequence[HostResult] = ()
    message: str = ""
    looks: bool = True
    """Whether one switch that refuses holds all others back."""


def _report(
    play: Play, names: Sequence[str], reach: Reach, beside: _Beside = _Beside()
) -> PushReport:
    """Run a play and keep its report, from the beginning on."""
    writes = play.playbook in _WRITING and not play.check
    summary = {"playbook": play.playbook, "check": play.check, "at": stamp(WallClock().now())}
    waiting = [HostResult(name, Outcome.NOT_STARTED) for name in names]
    report = PushReport(
        play.run, (*beside.hosts, *waiting), str(play.folder), beside.message, summary=summary
    )
    with stop_signals() as stop, begun_run(play, report, beside.order):
        ended = played(play, reach, stop) if names else Played("successful", 0, {}, "")
        ended = _counted(play, ended, reach, stop)
        told = [*beside.hosts, *(reported(name, ended, writes=writes) for name in names)]
        told.sort(key=lambda each: natural(each.device))
        held = ""
        if writes and not ended.started:
            held = _held_back(names, _refusing(names, ended), reach.limit)
        elif play.playbook in _WRITING and beside.looks:
            held = _held_back(names, _would_refuse(told), reach.limit, "would be written")
        stopped = ended.stopped and f"stopped by {ended.stopped}"
        message = _sentence(beside.message, held, stopped)
        done = replace(report, hosts=tuple(told), message=message)
        return _finished(play, done, ended.unlogged, writes=writes)


def _counted(play: Play, ended: Played, reach: Reach, stop: Stop) -> Played:
    """The time to confirm counts from now on after a push that did not go through, too."""
    waits = [n for n, told in ended.results.items() if told.get("outcome") == Outcome.PENDING]
    if not waits or not ended.rc or ended.stopped:
        return ended
    held = run_play(replace(play, playbook="hold", only=tuple(waits)), reach.progress, stop)
    now = {name: {**ended.results[name], **held.results.get(name, {})} for name in waits}
    return replace(ended, results={**ended.results, **now})


def _refusing(names: Iterable[str], ended: Played) -> list[str]:
    return [name for name in names if name in ended.results and name not in ended.looked]


def _would_refuse(hosts: Iterable[HostResult]) -> list[str]:
    return [each.device for each in hosts if each.outcome is Outcome.WOULD_REFUSE]


def _held_back(
    names: Sequence[str], no: Sequence[str], limit: str | None, written: str = "was written"
) -> str:
    """Why nothing is written to any switch, and how to push those that allow it."""
    if not no:
        return ""
    verb = "does" if len(no) == 1 else "do"
    said = f"nothing {written}: {len(no)} of {len(names)} switches {verb} not allow it"
    if len(no) == len(names) or len(no) > _NAMED:
        return said
    # Ansible splits a pattern at commas where it has one, else at colons
    among = (limit or "all").replace(",", ":")
    others = ":".join((among, *(f"!{name}" for name in no)))
    return f"{said}; the others alone: --limit '{others}'"


def _finished(play: Play, report: PushReport, fault: str, *, writes: bool) -> PushReport:
    """The report once it is kept; a full disk hides nothing of it, and is no success."""
    try:
        keep_report(play.folder, report)
    except OSError as exc:
        fault = f"{play.folder / REPORT}: {exc.strerror}"
    if not fault:
        return report
    where = ""
    if writes and any(each.outcome.has_changed for each in report.hosts):
        where = f", and each switch keeps its own in {STATE}/{play.run}.json"
    lost = f"{fault}: the record of run {play.run} has gaps; this report is whole{where}"
    return replace(report, message=_sentence(report.message, lost), is_lost=writes)


def _sentence(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def reported(device: str, played: Played, *, writes: bool = True) -> HostResult:
    """What a playbook's end says of one device; without a result it is unknown, never done."""
    told = played.results.get(device)
    if told is None and device in played.started:
        end = "its guard goes back by itself" if writes else "nothing was written"
        why = f"the run ended meanwhile ({played.status}): {end}"
        return HostResult(device, Outcome.UNKNOWN, why)
    if told is None:
        return _not_begun(device, played)
    return _host_result(device, told)


def _not_begun(device: str, played: Played) -> HostResult:
    """A switch that was looked at at most: for one that runs what it should, that is all."""
    looked = _host_result(device, played.looked.get(device, {"outcome": Outcome.NOT_STARTED}))
    if looked.outcome in LAST:
        return looked
    why = "an earlier wave did not go well"
    if not played.started:
        why = "nothing was written: another switch does not allow it"
    if played.stopped:
        why = "stopped before its turn"
    return replace(looked, outcome=Outcome.NOT_STARTED, message=why)


def _host_result(device: str, told: Mapping[str, Any]) -> HostResult:
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
        notes=tuple(told.get("notes", ())),
        beyond={name: told[name] for name in BEYOND if name in told},
    )
