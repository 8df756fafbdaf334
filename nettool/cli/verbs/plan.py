"""Plan the fabric: topology, cabling, breakout, addresses, QoS, buffers, timing.

    nettool plan rail-optimized-256
    nettool plan rail-optimized-256 --what-if --no-lock

Touches no device. Writes fabric.lock.yaml beside the fabric, so that growth renumbers nothing: what
exists keeps ports and addresses, and what must move is counted and told (--no-lock only looks).
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from nettool.cli.clock_tree import show_timing
from nettool.cli.parser import add_fabric, add_nos
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.cli.verbs.demand import show_demand
from nettool.core.document import Ledger
from nettool.core.units import format_speed
from nettool.pipeline import Plan
from nettool.plan.design.failure import Outage, outages
from nettool.plan.design.hashing import PINNING, tier_seeds
from nettool.plan.design.latency import pair_latencies
from nettool.plan.placement.table import by_rail
from nettool.plan.qos.whatif import Outcome
from nettool.report.lock_file import keep_lock
from nettool.report.tables.designed import (
    cable_table,
    hash_table,
    latency_table,
    switch_table,
    tier_table,
)
from nettool.report.tables.lossless import class_table, switch_tables

_SHOWN = 16
_WORST_PAIRS = 5
_PAIRED_SWITCHES = 1500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC and what to leave out."""
    add_fabric(parser)
    add_nos(parser)
    parser.add_argument("--no-lock", action="store_true", help="write no fabric.lock.yaml")
    parser.add_argument(
        "--what-if",
        action="store_true",
        help="also every single failure, and every pair up to 1,500 switches: incast, load, "
        "buffer and ECN again, and the worst cases",
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print the plan in tables, or as JSON with provenance."""
    plan = planned(arguments.fabric, arguments.nos)
    if not arguments.no_lock:
        lock, said = keep_lock(plan.path, plan.fabric)
        plan = replace(plan, report=plan.report + said)
        if lock:
            screen.progress(f"wrote {lock}: commit it, it keeps addresses from moving")
    if screen.is_json:
        screen.json(_tree(plan) | (_failures(plan) if arguments.what_if else {}))
    else:
        show_plan(plan, screen)
        if arguments.what_if:
            _show_failures(plan, screen)
    return plan.report.exit_code(strict=arguments.strict)


def _tree(plan: Plan) -> dict[str, object]:
    ledger = Ledger()
    devices = [
        {"name": d.name, "role": d.role, "model": d.model, "sku": d.sku, "asn": d.asn,
         "loopback": d.loopback, "management": d.management, "links": len(d.neighbors)}
        for d in plan.fabric.devices
    ]  # fmt: skip
    parts = {
        name: ledger.plain(part)
        for name, part in (
            ("demand", plan.demand), ("matrix", plan.matrix), ("qos", plan.qos),
            ("timing", plan.timing), ("tiers", plan.fabric.tiers),
            ("latency", tuple(pair_latencies(plan.fabric, plan.catalog))),
        )
    }  # fmt: skip
    findings = plan.report.as_json()["findings"]
    return {
        "schema_version": 1, "name": plan.intent.name, "devices": devices, **parts,
        "provenance": ledger.rows, "findings": findings,
    }  # fmt: skip


def _failures(plan: Plan) -> dict[str, object]:
    result, report = plan.failures
    return {
        "capacity": [_outage(each) for each in outages(plan.fabric)],
        "failures": [each.row for each in result.outcomes],
        "worst_failure": result.worst.row if result.worst else None,
        "double_failures": [each.row for each in _pairs(plan)],
        "failure_findings": report.as_json()["findings"],
    }


def _pairs(plan: Plan) -> tuple[Outcome, ...]:
    """The outcomes of all pairs, the worst first; none for a fabric that would take minutes."""
    if len(plan.fabric.devices) > _PAIRED_SWITCHES:
        return ()
    return plan.pair_failures[0].worst_first


def _show_failures(plan: Plan, screen: Screen) -> None:
    result, report = plan.failures
    pairs = _pairs(plan)
    columns = ("alike", "NICs cut off", "incast", "uplink load", "fits", "ECN first",
               "tightest claim that holds")  # fmt: skip
    rows = [tuple(each.row.values()) for each in result.outcomes]
    screen.table(("one fails", *columns), rows, title="after any single failure")
    worst = [tuple(each.row.values()) for each in pairs[:_WORST_PAIRS]]
    title = f"after any two, the worst of {len(pairs)} kinds of pairs"
    if pairs:
        screen.table(("two fail", *columns), worst, title=title)
    if result.worst:
        screen.text(f"worst: {result.worst.text}\n")
    singles = (each for each in outages(plan.fabric) if len(each.failed) == 1)
    capacity = [tuple(_outage(each).values()) for each in singles]
    head = ("network", "fails", "for example", "tier", "rail", "of", "left", "NICs cut off")
    title = "capacity left after one failure, at worst (two: --format json)"
    screen.table(*by_rail((head, capacity)), title=title)
    if report.findings:
        screen.text(screen.findings(report))


def _outage(outage: Outage) -> dict[str, object]:
    return {
        "network": outage.network,
        "failed": " + ".join(outage.failed),
        "example": " + ".join(outage.example),
        "tier": outage.tier,
        "rail": outage.rail,
        "whole": format_speed(outage.whole),
        "left": format_speed(int(outage.left)),
        "nics_cut_off": outage.cut_off,
    }


def show_plan(plan: Plan, screen: Screen) -> None:
    """Every part of the plan as a table, findings last."""
    _design(plan, screen)
    show_demand(plan, screen)
    _qos(plan, screen)
    screen.text("")
    show_timing(plan.timing, screen)
    screen.text(f"\n{screen.findings(plan.report)}")


def _design(plan: Plan, screen: Screen) -> None:
    fabric = plan.fabric
    for table in (
        switch_table(fabric, _SHOWN), tier_table(fabric), cable_table(fabric),
        latency_table(fabric, plan.catalog), hash_table(fabric),
    ):  # fmt: skip
        screen.table(*table)
    if len(tier_seeds(fabric)) > 1:
        screen.text(f"{PINNING}\n")


def _qos(plan: Plan, screen: Screen) -> None:
    screen.table(*class_table(plan.qos, sorted(plan.fabric.topology)))
    for table in switch_tables(plan.qos):
        screen.table(*table)
    if plan.qos.deadlock:
        screen.text("\ndeadlock:")
        screen.text("\n".join(f"  {each}" for each in plan.qos.deadlock))
    if plan.qos.assumptions:
        screen.text("\nassumptions of the lossless proof:")
        screen.text("\n".join(f"  {each}" for each in plan.qos.assumptions))
