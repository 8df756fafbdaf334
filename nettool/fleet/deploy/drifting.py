"""Drift of a fleet, read through Ansible and held against the intent and the last push."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nettool.core.finding import Report
from nettool.core.written import replace_file
from nettool.fleet.deploy.order import WallClock
from nettool.fleet.deploy.push import played
from nettool.fleet.deploy.pushed import Pushed, last_pushed
from nettool.fleet.deploy.reach import Reach
from nettool.fleet.deploy.refusals import check_build
from nettool.fleet.deploy.runner import Played
from nettool.fleet.deploy.task import new_run
from nettool.fleet.deploy.verifying import why_not
from nettool.fleet.telemetry.drift import drift_of_json
from nettool.fleet.telemetry.drift_report import FleetDrift, in_order

FILE = "drift.json"


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a fleet: what was found, and its report, which says where it is kept."""

    found: FleetDrift
    report: Report

    def as_json(self) -> dict[str, object]:
        """The report's JSON form, with every difference of every switch."""
        return {**self.report.as_json(), "devices": self.found.as_json()}

    def exit_code(self, *, strict: bool = False, differences: bool = False) -> int:
        """4 where a switch was not looked at; 2 where they differ and that is asked for."""
        if self.found.unseen:
            return 4
        if differences and self.found.differs:
            return 2
        return self.report.exit_code(strict=strict)


def drift(build: Path, reach: Reach) -> Look:
    """Read every switch and judge each difference; nothing is written on any.

    What a switch was last pushed is taken from the records of runs on this machine. A report with
    findings is kept as `runs/<id>/drift.json`; where it cannot be, its summary says why
    (`not_kept`). A look that found nothing leaves nothing behind, however often it is made.
    """
    hosts = reach.hosts()
    check_build(build, hosts)
    run, runs = reach.run or new_run(WallClock()), reach.settings.runs
    files = {host: _file(build / "devices" / host) for host in hosts}
    pushed = last_pushed(runs, reach.fabric(build), files)
    ended = played(reach.play("drift", _variables(pushed), build=build, run=run), reach)
    return kept(runs / run, judged(pushed, ended), run)


def kept(folder: Path, found: FleetDrift, run: str) -> Look:
    """The look once its report lies in `folder`; without findings the folder is gone instead."""
    look = Look(found, found.report(run=run, folder=str(folder)))
    if not look.report.findings:
        shutil.rmtree(folder, ignore_errors=True)
        return Look(found, found.report(run=run, folder=None))
    try:
        replace_file(folder / FILE, (json.dumps(look.as_json(), indent=2) + "\n").encode())
    except OSError as exc:
        lost = f"{folder}: {exc.strerror}"
        return Look(found, found.report(run=run, folder=str(folder), not_kept=lost))
    return look


def judged(pushed: Mapping[str, Pushed], ended: Played) -> FleetDrift:
    """What an ended playbook says of each of these switches, and which were not looked at."""
    told = {host: ended.results.get(host) for host in pushed}
    seen = {host: each for host, each in told.items() if each and each.get("looked_at") is True}
    return FleetDrift(
        in_order(map(drift_of_json, seen.values())),
        {host: _why_not(host, each) for host, each in told.items() if host not in seen},
        {host: each.run for host, each in pushed.items() if each.path is not None},
        {host: each.why for host, each in pushed.items() if each.path is None},
    )


def _why_not(host: str, told: Mapping[str, Any] | None) -> str:
    """Why it was not looked at, without its name: what is alike of many is said once."""
    return why_not(told).replace(f"{host}: ", "")


def _variables(pushed: Mapping[str, Pushed]) -> dict[str, object]:
    paths = {host: str(each.path.resolve()) for host, each in pushed.items() if each.path}
    return {"nettool_pushed": paths}


def _file(folder: Path) -> str:
    """The name of what a switch is configured by."""
    return "asternos.cfg" if (folder / "asternos.cfg").is_file() else "config_db.json"
