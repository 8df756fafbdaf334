"""List the runs that were made from this folder (push, diff, verify, rollback), newest first.

    nettool history

`nettool rollback FABRIC --run RUN` undoes one of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.cli.screen import Screen
from nettool.fleet.deploy.order import WallClock, stamp
from nettool.fleet.deploy.push import history
from nettool.fleet.deploy.reach import RUNS
from nettool.report.tables.pushed import run_table


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
    screen.table(*run_table(runs, stamp(WallClock().now())))
    return 0
