"""Keep what a push with --confirm left waiting."""

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
