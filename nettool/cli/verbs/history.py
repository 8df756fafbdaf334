"""List the pushes that were made from this folder, newest first."""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.cli.screen import Screen
from nettool.fleet.deploy.push import RUNS, history


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the runs are."""
    parser.add_argument("--runs", type=Path, default=RUNS, help="default: %(default)s")


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print one line a run."""
    runs = history(arguments.runs)
    if screen.is_json:
        screen.json({"schema_version": 1, "runs": runs})
        return 0
    rows = [
        (
            each["run"],
            each["exit_code"],
            ", ".join(f"{number} {what}" for what, number in each["summary"].items()),
        )
        for each in runs
    ]
    screen.table(("run", "exit", "switches"), rows)
    return 0
