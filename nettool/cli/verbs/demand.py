"""What the training jobs ask of the network: bytes per dimension, rail, tier and class."""

from __future__ import annotations

import argparse

from nettool.cli.parser import add_fabric
from nettool.cli.screen import Screen
from nettool.core.document import Ledger
from nettool.intent.load import find_fabric
from nettool.pipeline import Plan, plan_fabric


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC."""
    add_fabric(parser)


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print the demand of each job, and where it lands."""
    plan = plan_fabric(find_fabric(arguments.fabric))
    if screen.is_json:
        ledger = Ledger()
        parts = {"demand": ledger.plain(plan.demand), "matrix": ledger.plain(plan.matrix)}
        screen.json({"schema_version": 1, **parts, "provenance": ledger.rows})
    else:
        show_demand(plan, screen)
    return plan.report.exit_code(strict=arguments.strict)


def show_demand(plan: Plan, screen: Screen) -> None:
    """The tables of the demand: jobs by dimension, then loads by rail and tier."""
    for job in plan.demand.jobs:
        rows = [
            (str(f.dimension), f.pattern, int(f.bytes_per_gpu), int(f.message), f.messages, f.peers)
            for f in job.flows
        ]
        title = (
            f"job {job.name}: {job.model} on {job.gpus} GPUs, {float(job.iteration):.3f} s a step"
        )
        head = ("dimension", "pattern", "B/GPU/step", "B/message", "messages", "peers")
        screen.table(head, rows, title=f"{title} ({job.iteration.why.trust})")
    loads = [
        (
            each.network, each.tier, each.rail or "all", each.bytes.value,
            round(float(each.average), 2), round(float(each.burst), 1), each.flows,
            each.uplinks.value if each.uplinks else None,
        )
        for each in plan.matrix.loads
    ]  # fmt: skip
    load_head = (
        "network",
        "tier",
        "rail",
        "B/step",
        "Gbit/s avg",
        "Gbit/s burst",
        "flows",
        "uplinks",
    )
    screen.table(load_head, loads, title="load by rail and tier (one way, busiest switch)")
    shares = [
        (each.network, each.name, each.bytes.value, round(100 * float(each.share), 3))
        for each in plan.matrix.classes
    ]
    screen.table(("network", "class", "B/step", "percent"), shares, title="traffic classes")
