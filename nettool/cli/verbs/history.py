"""List the runs that were made from this folder (push, diff, verify, rollback), newest first.

    nettool history

`nettool rollback FABRIC --run RUN` undoes one of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from nettool.cli.screen import Screen
from nettool.fleet.deploy.push import history
from nettool.fleet.deploy.reach import RUNS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the runs are."""
    parser.add_argument(
        "--runs",
        type=Path,
        metavar="DIR",
        default=RUNS,
        help="folder of runs (default: %(default)s)",
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print one line a run."""
    runs = history(arguments.runs)
    if screen.is_json:
        screen.json({"schema_version": 1, "runs": runs})
        return 0
    if not runs:
        screen.text(f"no runs in {arguments.runs}")
        return 0
    head = ("run", "at", "what", "exit", "switches")
    screen.table(head, [_row(each) for each in runs])
    return 0


def _row(told: dict[str, Any]) -> tuple[object, ...]:
    summary = dict(told["summary"])
    what, at = summary.pop("playbook", "push"), summary.pop("at", "")
    checked = summary.pop("check", False)
    counts = ", ".join(f"{number} {outcome}" for outcome, number in summary.items())
    state = told.get("state")
    counts = f"{state}: {counts}" if state else counts
    return told["run"], at, f"{what} --check" if checked else what, told["exit_code"], counts
