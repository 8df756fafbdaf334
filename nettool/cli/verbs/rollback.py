"""Undo one push: bring back what the switches it changed ran before it."""

from __future__ import annotations

import argparse

from nettool.cli.live import add_live_flags, prepared, show_push
from nettool.cli.screen import Screen
from nettool.fleet.deploy.push import Consent, rollback


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC, the run to undo, and consent."""
    add_live_flags(parser)
    parser.add_argument(
        "--run",
        default="",
        metavar="ID",
        help="the push to undo, with all that came after it (default: the last one from here)",
    )
    parser.add_argument("--check", action="store_true", help="show what would change only")
    parser.add_argument("--consent", action="append", default=[], choices=("reload",))


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Roll back; the exit code is the worst switch's."""
    consent = Consent(reload="reload" in arguments.consent)
    with prepared(arguments, screen) as live:
        report = rollback(live.reach, of=arguments.run, check=arguments.check, consent=consent)
    show_push(report, screen)
    return report.exit_code
