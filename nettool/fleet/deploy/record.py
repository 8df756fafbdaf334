"""What is kept of each run on this machine, under `runs/<id>/`, from before anything is sent.

order.json holds what was asked (playbook, fabric, build and its hash, switches), build/ a push's
own copy of what it writes, state.jsonl a line for each switch that begins or ends, report.json the
report: from the beginning on, so that a run that was cut is told of as well.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nettool.core.errors import RefusedError, UsageError
from nettool.core.written import replace_file
from nettool.fleet.deploy.outcome import EXIT_CODES, Outcome, PushReport, worst
from nettool.fleet.deploy.runner import Play

ORDER, REPORT, LOG, BUILD = "order.json", "report.json", "state.jsonl", "build"
RUNNING, INTERRUPTED = "running", "interrupted"
_FILES = ("config_db.json", "asternos.cfg", "roce.json", "unwritten.json")
INVENTORY = "inventory.yaml"
_BESIDE = (INVENTORY, "unverified.json")
_MODEL = "device.json"
"""Says what a switch is cabled to, whose far ends a push looks at."""


_ENDS = (Outcome.CHANGED, Outcome.ROLLED_BACK)
"""What a confirm finds of a switch that waited: kept, or gone back before."""


class NoRecordError(UsageError):
    """A run's own files cannot be written: nothing was sent, nothing was changed."""


@dataclass(frozen=True, slots=True)
class Record:
    """One run: its order, and the last known outcome of each switch that began."""

    folder: Path
    order: Mapping[str, Any]
    outcomes: Mapping[str, Outcome]
    is_whole: bool = True
    """False where no last report was kept: lines of its log may be missing as well."""

    @property
    def run(self) -> str:
        """The run's name."""
        return self.folder.name

    @property
    def inventory(self) -> Path:
        """The switches of the fabric as they were planned for this run."""
        return self.folder / BUILD / INVENTORY

    @property
    def may_have_changed(self) -> tuple[str, ...]:
        """The switches that run something else than before, or of which nobody knows."""
        known = {} if self.is_whole else dict.fromkeys(self.order.get("hosts", ()), Outcome.UNKNOWN)
        return tuple(
            name
            for name, outcome in {**known, **self.outcomes}.items()
            if outcome.has_changed or outcome is Outcome.UNKNOWN
        )

    @property
    def did_nothing(self) -> bool:
        """True where every switch ran what it should already."""
        return self.is_whole and set(self.outcomes.values()) <= {Outcome.UNCHANGED}


def records(runs: Path, playbook: str, name: str) -> Iterator[Record]:
    """The runs of a playbook for the fabric `name` (all of them: "") that were no check.

    Newest first.
    """
    for path in sorted(runs.glob(f"*/{ORDER}"), key=lambda each: each.parent.name, reverse=True):
        order = _read(path)
        is_asked = order.get("playbook") == playbook and name in {"", order.get("name")}
        if is_asked and not order.get("check"):
            yield _record(path.parent, order)


def _record(folder: Path, order: Mapping[str, Any]) -> Record:
    """The last report is the truth; where none was kept, the log is as much as is known."""
    report, logged = _read(folder / REPORT), outcomes_of(folder)
    if report.get("state") == RUNNING:
        return Record(folder, order, logged, is_whole=False)
    said = {each["device"]: Outcome(each["outcome"]) for each in report.get("devices", ())}
    begun = {n: o for n, o in said.items() if o is not Outcome.NOT_STARTED}
    return Record(folder, order, {**logged, **begun})


def outcomes_of(folder: Path) -> dict[str, Outcome]:
    """Each switch with its last outcome, from the log that is written as it happens."""
    found: dict[str, Outcome] = {}
    log = folder / LOG
    for line in log.read_text().splitlines() if log.is_file() else ():
        try:
            event = json.loads(line)
            what = str(event["event"])
            found[event["device"]] = Outcome.UNKNOWN if what == "start" else Outcome(what)
        except (ValueError, KeyError):  # the last line may be cut where the controller died
            continue
    return found


def build_hash(build: Path) -> str:
    """A hash of everything in a build that is written to switches."""
    digest = hashlib.sha256()
    for path in _written(build):
        digest.update(f"{path.parent.name}/{path.name}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def own_build(build: Path, folder: Path) -> Path:
    """The build of a run under its own folder, copied there unless it was rendered there.

    Whoever renders into `build` later changes nothing of the run. Raises RefusedError where
    somebody did meanwhile.
    """
    own = folder / BUILD
    if own.resolve() == build.resolve():
        return build
    before = build_hash(build)
    with room(folder):
        private(folder)
        private(own)
        try:
            _copy(build, own)
        except OSError:
            shutil.rmtree(own, ignore_errors=True)
            raise
    if build_hash(own) != before:
        shutil.rmtree(own)
        raise RefusedError(f"{build} was rendered again while it was read: push again")
    return own


def _copy(build: Path, own: Path) -> None:
    models = sorted((build / "devices").glob(f"*/{_MODEL}"))
    for path in (*_written(build), *models, *(build / name for name in _BESIDE)):
        if path.is_file():
            target = own / path.relative_to(build)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


@contextmanager
def room(folder: Path) -> Iterator[None]:
    """Write into a run's folder before anything is sent. Raises NoRecordError where that fails."""
    try:
        yield
    except OSError as exc:
        raise NoRecordError(f"{folder}: {exc.strerror}; nothing was changed") from exc


@contextmanager
def begun_run(play: Play, report: PushReport, order: Mapping[str, object]) -> Iterator[None]:
    """Keep what a run begins with, and hold its order for as long as it runs.

    Raises NoRecordError where it cannot be kept: nothing was sent then.
    """
    names = [each.device for each in report.hosts]
    record = {"playbook": play.playbook, "check": play.check, "hosts": names, **order}
    path = play.folder / ORDER
    with ExitStack() as stack:
        with room(play.folder):
            private(play.folder)
            replace_file(path, (json.dumps(record, indent=1) + "\n").encode())
            fcntl.flock(stack.enter_context(path.open("r+")), fcntl.LOCK_EX)
            keep_report(play.folder, report, RUNNING)
        yield


def private(folder: Path) -> None:
    """Make a folder that only its owner can look into: what is written may hold secrets."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def keep_report(folder: Path, report: PushReport, state: str = "") -> None:
    """Write the report, whole or not at all."""
    text = json.dumps({**report.as_json(), **({"state": state} if state else {})}, indent=2) + "\n"
    replace_file(folder / REPORT, text.encode())


def reports(runs: Path) -> list[dict[str, Any]]:
    """The reports of all runs, newest first; one that was cut says what is known, and `state`."""
    found = sorted(runs.glob(f"*/{REPORT}"), key=lambda each: each.parent.name, reverse=True)
    return list(_settled(_as_known(path.parent, told) for path in found if (told := _read(path))))


def _settled(newest_first: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The reports, with what a later confirm found of switches that a push left waiting."""
    ends: dict[str, str] = {}
    for report in newest_first:
        rows = [each for each in report.get("devices", ()) if each.get("device")]
        if dict(report.get("summary", {})).get("playbook") == "confirm":
            found = {each["device"]: each.get("outcome") for each in rows}
            ends |= {name: end for name, end in found.items() if end in _ENDS}
            yield report
        elif any(
            each.get("outcome") == Outcome.PENDING and each["device"] in ends for each in rows
        ):
            settled = [_ended(each, ends) for each in rows]
            yield {**report, "devices": settled, "summary": _counted(settled, report["summary"])}
        else:
            yield report


def _ended(row: dict[str, Any], ends: Mapping[str, str]) -> dict[str, Any]:
    pending = row.get("outcome") == Outcome.PENDING
    return {**row, "outcome": ends.get(row["device"], Outcome.PENDING)} if pending else row


def _counted(devices: Iterable[Mapping[str, Any]], summary: Mapping[str, Any]) -> dict[str, Any]:
    """The summary of a report with the outcomes counted anew."""
    outcomes = [str(each.get("outcome")) for each in devices]
    counts = {str(each): n for each in Outcome if (n := outcomes.count(str(each)))}
    return {**counts, **{k: v for k, v in summary.items() if k not in set(map(str, Outcome))}}


def forget_build(folder: Path) -> None:
    """Remove the build of a run that wrote nothing, and its folder where that is all it has."""
    if (folder / ORDER).is_file() and _writes(_read(folder / ORDER)):
        return
    shutil.rmtree(folder / BUILD, ignore_errors=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _as_known(folder: Path, report: dict[str, Any]) -> dict[str, Any]:
    if report.get("state") != RUNNING:
        return report
    seen = outcomes_of(folder)
    devices = [
        {**each, "outcome": str(seen.get(each["device"], each["outcome"]))}
        for each in report["devices"]
    ]
    outcomes = [Outcome(each["outcome"]) for each in devices]
    kept = {name: report["summary"].get(name) for name in ("playbook", "check", "at")}
    state = RUNNING if _is_held(folder / ORDER) else INTERRUPTED
    return {
        **report,
        "state": state,
        # a run that was cut, or whose end could not be kept, is no success
        "exit_code": worst(outcomes) or (0 if state == RUNNING else EXIT_CODES[Outcome.UNKNOWN]),
        "devices": devices,
        "summary": _counted(devices, kept),
    }


def _is_held(order: Path) -> bool:
    """Whether the process that began the run still holds its order."""
    try:
        with order.open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _writes(order: Mapping[str, Any]) -> bool:
    return order.get("playbook") == "push" and not order.get("check")


def _written(build: Path) -> list[Path]:
    return [each for each in sorted((build / "devices").glob("*/*")) if each.name in _FILES]


def _read(path: Path) -> dict[str, Any]:
    """A record; empty where a full disk left none that can be read."""
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
