"""What the training jobs ask of the network: bytes per dimension, rail, tier and class.

    nettool demand rail-optimized-256

Bytes are per GPU and step (one iteration of training), one way; GB is 10^9 bytes.
"""

from __future__ import annotations

import argparse

from nettool.cli.parser import add_fabric
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.core.document import Ledger
from nettool.core.finding import Report
from nettool.pipeline import Plan
from nettool.plan.placement.table import worst_link
from nettool.report.tables.asked import job_tables, matrix_tables

_RULES = ("DEM", "PLC")
"""Findings of the jobs and of how they lie; the rest is the plan's."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC."""
    add_fabric(parser)


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print the demand of each job, and where it lands."""
    plan = planned(arguments.fabric)
    own = (each for each in plan.report.findings if each.rule.startswith(_RULES))
    report = Report.of(own)
    if screen.is_json:
        ledger = Ledger()
        parts = {"demand": ledger.plain(plan.demand), "matrix": ledger.plain(plan.matrix)}
        findings = report.as_json()["findings"]
        screen.json({"schema_version": 1, **parts, "provenance": ledger.rows, "findings": findings})
    else:
        show_demand(plan, screen)
        screen.text(f"\n{screen.findings(report)}")
    return report.exit_code(strict=arguments.strict)


def show_demand(plan: Plan, screen: Screen) -> None:
    """The tables of the demand: jobs by dimension, then loads by rail and tier."""
    matrix = plan.matrix
    for job in plan.demand.jobs:
        for table in job_tables(job):
            screen.table(*table)
    for table in matrix_tables(matrix):
        screen.table(*table)
    screen.text(worst_link(matrix))
    quiet = [each for each in plan.fabric.topology if each not in {x.network for x in matrix.loads}]
    if plan.demand.jobs and quiet:
        screen.text(f"no job sends anything on {', '.join(quiet)}")
