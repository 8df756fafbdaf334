"""Verify the switches: state and counters against the plan, switch against NIC.

    nettool verify FABRIC
    nettool verify FABRIC --limit rail_01 --baseline runs/20260101T020304Z-beef/collected
    nettool verify FABRIC --hosts hosts.yaml

With --hosts, what GPU hosts report of their NICs is held against the plan and their switch ports.
Exits 1 where something is not as planned, 4 where a switch was not looked at.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.cli.live import add_live_flags, prepared
from nettool.cli.parser import FINDING_FORMATS
from nettool.cli.screen import Screen
from nettool.fleet.deploy.verifying import Hosts, exit_code, verify
from nettool.fleet.verify.gathered import load_hosts
from nettool.fleet.verify.planned_nics import PlannedNic, planned_nics
from nettool.pipeline import Plan

FORMATS = FINDING_FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC, and counters from before where they get a verdict."""
    add_live_flags(parser)
    parser.add_argument(
        "--baseline", type=Path, metavar="DIR", help="runs/ID/collected of an earlier verify"
    )
    parser.add_argument(
        "--hosts",
        type=Path,
        metavar="FILE",
        help="JSON or YAML of what GPU hosts report, in the form of host.json of a build "
        "(`nettool schema --hosts`)",
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Report what is not as planned; exit 1 on errors, 4 where a switch was not looked at."""
    gathered = load_hosts(arguments.hosts) if arguments.hosts else None
    with prepared(arguments, screen, quiet=True) as live:
        nodes = None if gathered is None else Hosts(_planned(live.plan), gathered)
        report = verify(live.build, live.reach, baseline=arguments.baseline, nodes=nodes)
    screen.report(report)
    summary = report.summary
    said = f"{summary['looked_at']} of {summary['devices']} switches looked at"
    if gathered is not None:
        said += f", {summary['hosts_reported']} of {summary['hosts']} hosts reported"
    screen.progress(f"{said}; report in {summary['folder']}")
    if "not_kept" in summary:
        screen.problem(f"the report could not be kept: {summary['not_kept']}")
    return exit_code(report, strict=arguments.strict)


def _planned(plan: Plan) -> tuple[PlannedNic, ...]:
    """The NICs of the plan; a switch port is lossless where its own plan says so."""
    own = {each.name: each.qos.switch.ports for each in plan.configs if each.qos}

    def lossless(switch: str, port: str) -> bool:
        planned = own.get(switch, {}).get(port)
        return planned is not None and planned.lossless

    return planned_nics(plan.hosts, plan.fabric, lossless)
