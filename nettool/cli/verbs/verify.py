"""Verify the switches: state and counters against the plan."""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.cli.live import add_live_flags, prepare, progress_line
from nettool.cli.parser import FINDING_FORMATS
from nettool.cli.screen import Screen
from nettool.fleet.deploy.push import verify

FORMATS = FINDING_FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC, and counters from before where they get a verdict."""
    add_live_flags(parser)
    parser.add_argument(
        "--baseline", type=Path, metavar="DIR", help="runs/ID/collected of an earlier verify"
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Report what is not as planned; exit 1 on errors."""
    live = prepare(arguments, screen)
    report = verify(
        live.build,
        inventory=live.inventory,
        limit=arguments.limit,
        baseline=arguments.baseline,
        progress=progress_line(screen) if screen.verbose else None,
    )
    screen.report(report)
    return report.exit_code(strict=arguments.strict)
