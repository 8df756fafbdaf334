"""Keep what a push with --confirm left waiting.

    nettool confirm rail-optimized-256
    nettool confirm rail-optimized-256 --limit rail_03

What is not confirmed in time goes back by itself (exit 5, told here too). Confirming twice is no
error.
"""

from __future__ import annotations

import argparse

from nettool.cli.live import add_live_flags, prepared, show_push
from nettool.cli.screen import Screen
from nettool.fleet.deploy.push import confirm


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC."""
    add_live_flags(parser)


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Disarm the guards and save; confirming twice is no error."""
    with prepared(arguments, screen) as live:
        report = confirm(live.reach)
    show_push(report, screen)
    return report.exit_code
