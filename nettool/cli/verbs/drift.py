"""Read the switches and judge what drifted by its impact on a training job.

    nettool drift FABRIC
    nettool drift FABRIC --limit leaf --exit-code --format json > drift.json

Tells what somebody changed on a switch from a fabric file that is ahead of the last push, and what
runs from what is saved. Reads only; made for cron, systemd timers and CI.
Exits 1 where drift of level error is found, 4 where a switch was not looked at.
"""

from __future__ import annotations

import argparse

from nettool.cli.live import add_live_flags, prepared, show_notes
from nettool.cli.parser import FINDING_FORMATS
from nettool.cli.screen import Screen
from nettool.fleet.deploy.drifting import Look, drift
from nettool.fleet.telemetry.drift_report import said_alike

FORMATS = FINDING_FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC, and which of its switches."""
    add_live_flags(parser)
    parser.add_argument(
        "--exit-code", action="store_true", help="exit 2 where anything differs, drift or not"
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Report each difference with its cause and impact."""
    with prepared(arguments, screen, quiet=True) as live:
        look = drift(live.build, live.reach)
    if screen.is_json:
        screen.json(look.as_json())
    elif screen.format == "text":
        tell(look, screen)
    else:
        screen.report(look.report)
    summary = look.report.summary
    if "not_kept" in summary:
        screen.problem(f"the report could not be kept: {summary['not_kept']}")
    elif summary["folder"]:
        screen.progress(f"report in {summary['folder']}")
    return look.exit_code(strict=arguments.strict, differences=arguments.exit_code)


def tell(look: Look, screen: Screen) -> None:
    """Every difference, the worst first, and a line that sums up."""
    found, summary = look.found, look.report.summary
    if text := found.as_text(every=bool(screen.verbose)):
        screen.text(text)
    for line in said_alike(look.report):
        screen.text(line)
    show_notes({each.device: each.notes for each in found.switches}, screen)
    undecided = set(found.undecided)
    show_notes({h: (why,) for h, why in found.unpushed.items() if h in undecided}, screen)
    of = f"of {summary['devices']} switches"
    screen.text(
        f"{summary['drifted']} {of} drifted; the intent is ahead of {summary['behind']}; "
        f"{summary['unsaved']} run what is not saved; {summary['looked_at']} were looked at"
    )
