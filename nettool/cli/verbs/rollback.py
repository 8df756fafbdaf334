"""Undo one push: bring back what the switches it changed ran before it.

    nettool rollback rail-optimized-256 --check --diff
    nettool rollback rail-optimized-256 --run 20260101T020304Z-beef --consent reload

Switches that the push did not change are left alone; on the others what other hands changed since
goes back as well where it stands in the way, and is named. Every switch is looked at before any is
written to. `nettool history` lists the runs. Where the fabric does not plan any more, the push's
own record says which switches it has.
"""

from __future__ import annotations

import argparse

from nettool.cli.live import add_live_flags, pushed, show_differences, show_push
from nettool.cli.screen import Screen
from nettool.core.errors import UsageError
from nettool.fleet.deploy.journal import KEEP_RUNS
from nettool.fleet.deploy.push import Consent, rollback


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC, the run to undo, and consent."""
    add_live_flags(parser)
    parser.add_argument(
        "--run",
        type=_run_name,
        metavar="ID",
        help="the push to undo, with all that came after it; a switch keeps its last "
        f"{KEEP_RUNS} pushes and refuses older ones (default: the last one from here but those "
        "that found every switch as it should be)",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="show what would change only (exit 7 where it would be refused)",
    )
    parser.add_argument(
        "--diff", action="store_true", help="show each switch's difference (with -v line by line)"
    )
    parser.add_argument(
        "--consent", action="append", default=[], choices=("reload",),
        help="reload: services may restart, which drops traffic: to undo an install, for what "
        "SONiC's updater refuses, and for every rollback of AsterNOS",
    )  # fmt: skip


def _run_name(text: str) -> str:
    """A run's name. Raises UsageError for none: it would be taken for the last one."""
    if not text.strip():
        raise UsageError("--run is empty: name one of `nettool history`, or leave it out")
    return text


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Roll back; the exit code is the worst switch's."""
    consent = Consent(reload="reload" in arguments.consent)
    of = arguments.run or ""
    with pushed(arguments, screen, of) as reach:
        report = rollback(reach, of=of, check=arguments.check, consent=consent)
    if (arguments.diff or (arguments.check and screen.verbose)) and not screen.is_json:
        show_differences(report, screen)
    show_push(report, screen)
    return report.exit_code
