"""Verify the switches: state and counters against the plan.

    nettool verify FABRIC
    nettool verify FABRIC --limit rail_01 --baseline runs/20260101T020304Z-beef/collected

Exits 1 where something is not as planned, 4 where a switch was not looked at.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.cli.live import add_live_flags, prepared
from nettool.cli.parser import FINDING_FORMATS
from nettool.cli.screen import Screen
from nettool.fleet.deploy.verifying import exit_code, verify

FORMATS = FINDING_FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC, and counters from before where they get a verdict."""
    add_live_flags(parser)
    parser.add_argument(
        "--baseline", type=Path, metavar="DIR", help="runs/ID/collected of an earlier verify"
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Report what is not as planned; exit 1 on errors, 4 where a switch was not looked at."""
    with prepared(arguments, screen, quiet=True) as live:
        report = verify(live.build, live.reach, baseline=arguments.baseline)
    screen.report(report)
    summary = report.summary
    said = f"{summary['looked_at']} of {summary['devices']} switches looked at"
    screen.progress(f"{said}; report in {summary['folder']}")
    if "not_kept" in summary:
        screen.problem(f"the report could not be kept: {summary['not_kept']}")
    return exit_code(report, strict=arguments.strict)
