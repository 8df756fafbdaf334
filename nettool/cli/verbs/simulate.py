"""Simulate incast on the planned buffers and thresholds: drops, marks, pauses, headroom.

    nettool simulate rail-optimized-256
    nettool simulate rail-optimized-256 --no-ecn --incast 63

Touches no device. Each kind of egress port of each kind of switch is tried twice: senders meet
there, and the port itself is paused. Exits 1 where lossless traffic would be dropped.
"""

from __future__ import annotations

import argparse
import re

from nettool.cli.parser import add_fabric, add_nos
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.core.document import Ledger
from nettool.core.errors import UsageError
from nettool.core.finding import Report
from nettool.pipeline import simulated
from nettool.plan.simulate.outcome import Outcome
from nettool.plan.simulate.scenario import Asked
from nettool.plan.simulate.simulate import Simulation
from nettool.report.tables.lossless import simulation_table

_MOST = 100_000
_TIME = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(us|ms)")
_LONGEST_US = 100_000.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC and what to simulate."""
    add_fabric(parser)
    add_nos(parser)
    parser.add_argument(
        "--incast", type=_senders, metavar="N",
        help="senders to each port (as it is: the jobs' worst case, or the fullest link)",
    )  # fmt: skip
    parser.add_argument(
        "--no-ecn", action="store_true", help="senders ignore marks: PFC alone holds them"
    )
    parser.add_argument(
        "--time", type=_time, metavar="2ms",
        help="how long each run lasts (as it is: 1ms; with --no-ecn, 1ms after the first pause)",
    )  # fmt: skip


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print one row a case, what is assumed, and the findings."""
    plan = planned(arguments.fabric, arguments.nos)
    asked = Asked(arguments.incast, not arguments.no_ecn, arguments.time)
    result, report = simulated(plan, asked)
    if screen.is_json:
        screen.json(_tree(plan.intent.name, result, report))
    else:
        show_simulation(result, screen)
        screen.text(f"\n{screen.findings(report)}")
    return report.exit_code(strict=arguments.strict)


def show_simulation(result: Simulation, screen: Screen) -> None:
    """The cases as a table, and what the model takes for granted."""
    screen.table(*simulation_table(result))
    if not result.outcomes:
        screen.text("no switch carries lossless traffic: there is nothing to simulate")
        return
    screen.text("\nassumptions of the simulation:")
    screen.text("\n".join(f"  {each}" for each in result.assumptions))


def _tree(name: str, result: Simulation, report: Report) -> dict[str, object]:
    ledger = Ledger()
    found = report.as_json()
    return {
        "schema_version": 1,
        "name": name,
        "cases": [_case(each, ledger) for each in result.outcomes],
        "assumptions": list(result.assumptions),
        "provenance": ledger.rows,
        "findings": found["findings"],
        "summary": found["summary"],
    }


def _case(outcome: Outcome, ledger: Ledger) -> dict[str, object]:
    case = outcome.scenario
    figures = ("sent", "dropped", "queue_peak", "first_mark", "first_pause", "marks", "pauses",
               "headroom", "xoff", "goodput", "fairness", "duration")  # fmt: skip
    return {
        "case": case.kind, "devices": list(case.devices), "model": case.model,
        "network": case.network, "port": case.port, "faces": case.tier, "speed": case.speed,
        "from": case.feeds, "senders": ledger.plain(case.senders), "profile": outcome.profile,
        "headroom_share": round(outcome.headroom_share, 4), "ecn_first": outcome.ecn_first,
        "cut_short": outcome.is_cut,
        **{each: ledger.plain(getattr(outcome, each)) for each in figures},
    }  # fmt: skip


def _senders(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= _MOST:
        raise UsageError(f"--incast takes a number of senders, 1 to {_MOST:,}, not {text!r}")
    return int(text)


def _time(text: str) -> float:
    """A time in us."""
    match = _TIME.fullmatch(text)
    time = float(match[1]) * (1000 if match[2] == "ms" else 1) if match else 0.0
    if not 0 < time <= _LONGEST_US:
        raise UsageError(f"--time takes a time such as 500us or 2ms, up to 100ms, not {text!r}")
    return time
