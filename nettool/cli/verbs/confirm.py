"""Keep what a push with --confirm left waiting.

    nettool confirm rail-optimized-256
    nettool confirm rail-optimized-256 --limit rail_03

What is not confirmed in time goes back by itself (exit 5, told here too). Confirming twice is no
error. Where the fabric does not plan any more, the push's own record says which switches it has.
"""

from __future__ import annotations

import argparse

from nettool.cli.live import add_live_flags, pushed, show_push
from nettool.cli.screen import Screen
from nettool.fleet.deploy.push import confirm


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC."""
    add_live_flags(parser)


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Disarm the guards and save; confirming twice is no error."""
    with pushed(arguments, screen) as reach:
        report = confirm(reach)
    show_push(report, screen)
    return report.exit_code
