"""Render the fabric: one folder a device, validated before it is written.

    nettool render rail-optimized-256 -o build

Nothing is written where a rule finds an error; the old folder stays as it was. A build is written
aside and put in the place of the older one. Files in it that nettool did not write stay where they
are, files edited since are kept as NAME.edited; both are said. Files of devices that are gone go.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.cli.parser import add_fabric, add_nos
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.pipeline import render_build


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC, the folder to write, and the dialect."""
    add_fabric(parser)
    parser.add_argument(
        "-o", "--out", type=Path, required=True, metavar="DIR", help="folder to write"
    )
    add_nos(parser)
    parser.add_argument(
        "--only-changed",
        action="store_true",
        help="render only what changed since the last such build in that folder; same bytes",
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Write the build folder and say what is in it."""
    plan = planned(arguments.fabric, arguments.nos)
    built = render_build(plan, arguments.out, only_changed=arguments.only_changed)
    if screen.is_json:
        screen.json(
            {
                "schema_version": 1,
                "out": str(built.out),
                "files": built.files,
                "devices": built.devices,
                "unverified": built.unverified,
                "taken_over": built.taken_over,
                "findings": built.report.as_json()["findings"],
            }
        )
    else:
        screen.text(screen.findings(built.report))
        screen.text(f"wrote {built.files} files for {built.devices} switches into {built.out}")
        if arguments.only_changed:
            screen.text(f"files of {built.taken_over} switches and hosts taken over unchanged")
        if built.unverified:
            screen.text(
                f"{built.unverified} lines or values are unverified on hardware; each is marked"
            )
    return built.report.exit_code(strict=arguments.strict)
