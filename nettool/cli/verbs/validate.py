"""Run every rule on every stage of a fabric; writes nothing.

    nettool validate rail-optimized-256 --strict
    nettool validate rail-optimized-256 --format sarif

Exits 1 on errors, 3 on warnings under --strict.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from nettool.cli.parser import FINDING_FORMATS, add_fabric, add_nos
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.core.finding import Report
from nettool.pipeline import Plan, artifacts, validate

FORMATS = FINDING_FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC and, where they are at hand, the SONiC YANG models."""
    add_fabric(parser)
    add_nos(parser)
    parser.add_argument(
        "--yang",
        type=Path,
        metavar="DIR",
        help="folder of SONiC's YANG models (sonic-yang-models) to load into",
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Report every finding of every stage."""
    plan = planned(arguments.fabric, arguments.nos)
    report = validate(plan)
    if arguments.yang:
        report += _yang(plan, arguments.yang)
    screen.report(report)
    return report.exit_code(strict=arguments.strict)


def _yang(plan: Plan, models: Path) -> Report:
    from nettool.config.validate.yang import check  # noqa: PLC0415 - only --yang needs libyang

    report = Report.of((), yang=str(models))
    for artifact in artifacts(plan):
        if artifact.tables is not None:
            found = check(artifact.tables, models)
            report += Report.of(replace(f, device=artifact.device) for f in found.findings)
    return report
