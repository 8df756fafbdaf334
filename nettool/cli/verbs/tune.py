"""Suggest ECN thresholds, alpha and headroom from recorded counters, within proven limits.

    nettool tune FABRIC --counters trace.yaml
    nettool tune FABRIC --counters trace.yaml -o FABRIC/tuned.yaml

Touches no device. A suggestion is for a kind of port, and never breaks a claim of the lossless
proof. -o writes the overrides file for qos.overrides; `nettool plan` and `nettool diff` show what
it does. Exits 1 where lossless traffic was dropped or the trace has faults.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.cli.parser import add_fabric, add_nos
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.core.document import Ledger
from nettool.core.errors import UsageError
from nettool.core.finding import Report
from nettool.core.source import load_yaml, read_text
from nettool.core.written import write_file
from nettool.fleet.telemetry.choices import told
from nettool.fleet.telemetry.recorded import load_trace
from nettool.fleet.telemetry.tune import Tuning
from nettool.fleet.telemetry.tuning_file import SUGGESTED, overrides_text, tuning_json
from nettool.pipeline import Plan, tuned
from nettool.report.tables.tuned import moved_table, reasons, shift_table, suggestion_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC, the trace, and where suggestions go."""
    add_fabric(parser)
    add_nos(parser)
    parser.add_argument(
        "--counters", type=Path, required=True, metavar="FILE",
        help="counters over time: JSON or YAML (`nettool schema --counters`), or .csv",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE",
        help="write the suggestions as an overrides file, with what stood in the one before",
    )  # fmt: skip
    parser.add_argument(
        "--exit-code", action="store_true", help="exit 2 where anything is suggested"
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print each suggestion with its reason, limits and effect, and the findings."""
    trace = load_trace(arguments.counters)
    plan = planned(arguments.fabric, arguments.nos)
    if arguments.out:
        _refuse_another(arguments.out, _own_file(plan))
    tuning, report = tuned(plan, trace)
    if screen.is_json:
        screen.json(_tree(plan.intent.name, trace.file, tuning, report))
    else:
        show_tuning(tuning, screen)
        screen.text(f"\n{screen.findings(report)}")
        used, every = len(tuning.watched.used), len(tuning.watched.intervals)
        screen.text(f"{used} of {every} intervals used")
    if arguments.out and tuning.suggestions:
        text = overrides_text(tuning, _before(plan), trace.file)
        write_file(arguments.out, text.encode())
        screen.progress(f"wrote {arguments.out}: name it under qos.overrides in fabric.yaml")
    elif arguments.out:
        screen.progress(f"nothing is suggested: {arguments.out} is not written")
    if report.has_errors:
        return 1
    if arguments.exit_code and tuning.suggestions:
        return 2
    return report.exit_code(strict=arguments.strict)


def show_tuning(tuning: Tuning, screen: Screen) -> None:
    """Suggestions, the reason of each, and what all of them do."""
    if not tuning.suggestions:
        screen.text("nothing is suggested")
        return
    screen.table(*suggestion_table(tuning))
    screen.text("")
    for each in tuning.suggestions:
        screen.text("\n".join(reasons(each)))
    for setting, figure in tuning.kept.items():
        screen.text(f"{setting}: stays {figure.value:,}; it would follow the others otherwise")
    for table in (moved_table(tuning), shift_table(tuning)):
        screen.table(*table)
    screen.text("\nchosen, as no public source has them:")
    screen.text("\n".join(f"  {each}" for each in told()))


def _tree(name: str, file: str, tuning: Tuning, report: Report) -> dict[str, object]:
    ledger, found = Ledger(), report.as_json()
    return {
        "schema_version": 1,
        "name": name,
        "counters": file,
        **tuning_json(tuning, ledger),
        "choices": list(told()),
        "provenance": ledger.rows,
        "findings": found["findings"],
        "summary": found["summary"],
    }


def _own_file(plan: Plan) -> Path | None:
    """The overrides file that the fabric names."""
    name = plan.intent.qos.overrides
    return plan.path.parent / name if name else None


def _before(plan: Plan) -> dict[str, object]:
    """What the fabric's overrides file says already."""
    path = _own_file(plan)
    data = load_yaml(path).data if path else {}
    return data if isinstance(data, dict) else {}


def _refuse_another(out: Path, own: Path | None) -> None:
    """A file that is there and holds something else is not written over."""
    if not out.exists() or (own and own.exists() and out.samefile(own)):
        return
    if out.is_dir() or not read_text(out).startswith(SUGGESTED):
        raise UsageError(
            f"{out} exists and is not the fabric's overrides file; nothing was written"
        )
