"""Going on with a push that was broken off: which build it was, and which switches are left.

The difference of each switch is the truth, so a rerun would do; this spares the switches that are
done, and refuses a build that is not the one the push began with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nettool.core.errors import RefusedError, UsageError
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.runner import Play

RECORD = "order.json"
_DONE = frozenset({str(each) for each in (Outcome.CHANGED, Outcome.UNCHANGED, Outcome.PENDING)})
_FILES = ("config_db.json", "asternos.cfg", "roce.json")


@dataclass(frozen=True, slots=True)
class Begun:
    """A push that was begun: its run, and its switches that are done and that are left."""

    run: str
    done: tuple[str, ...]
    left: tuple[str, ...]


def build_hash(build: Path) -> str:
    """A hash of everything in a build that is written to switches."""
    digest = hashlib.sha256()
    for path in sorted((build / "devices").glob("*/*")):
        if path.name in _FILES:
            digest.update(f"{path.parent.name}/{path.name}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def note_begin(play: Play, build: Path, hosts: Iterable[str], done: Iterable[str]) -> None:
    """Keep what a push begins with, before anything is sent."""
    play.folder.mkdir(parents=True, exist_ok=True)
    record = {
        "playbook": play.playbook,
        "check": play.check,
        "build": str(build.resolve()),
        "hash": build_hash(build),
        "hosts": list(hosts),
        "done": list(done),
    }
    (play.folder / RECORD).write_text(json.dumps(record, indent=1) + "\n")


def begun(runs: Path, build: Path) -> Begun:
    """The last push of a build, as far as it came.

    Raises UsageError where there is none, RefusedError where the build is another one now.
    """
    for folder in sorted(runs.glob(f"*/{RECORD}"), key=lambda path: path.parent.name, reverse=True):
        record = json.loads(folder.read_text())
        if record["playbook"] != "push" or record["check"]:
            continue
        if record["build"] == str(build.resolve()):
            return _as_far(folder.parent, record, build_hash(build))
    raise UsageError(f"no push of {build} is remembered in {runs}: there is nothing to resume")


def _as_far(folder: Path, record: dict[str, Any], now: str) -> Begun:
    if record["hash"] != now:
        raise RefusedError(
            f"the build is not the one that run {folder.name} pushed (was {record['hash'][:12]}, "
            f"is {now[:12]}): look at the difference, then push without --resume"
        )
    ended, before = dict(_ended(folder)), set(record["done"])
    done = tuple(n for n in record["hosts"] if n in before or ended.get(n) in _DONE)
    left = tuple(name for name in record["hosts"] if name not in set(done))
    return Begun(folder.name, done, left)


def _ended(folder: Path) -> Iterable[tuple[str, str]]:
    """Each switch with its last outcome, from the log that is written as it happens."""
    log = folder / "state.jsonl"
    for line in log.read_text().splitlines() if log.is_file() else ():
        try:
            event = json.loads(line)
        except ValueError:  # the last line may be cut where the controller died
            continue
        if event.get("event") != "start":
            yield str(event.get("device")), str(event.get("event"))
