"""Differences by meaning: running against intended, live or from a folder, or two fabrics."""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.cli.live import add_live_flags, inventories, prepare, progress_line
from nettool.cli.screen import Screen
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.tables import diff_tables
from nettool.config.diff.text import as_json, as_text
from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialect import DIALECTS
from nettool.core.errors import UsageError
from nettool.core.source import read_text
from nettool.fleet.deploy.push import diff_live
from nettool.intent.load import find_fabric
from nettool.pipeline import artifacts, plan_fabric

CONFIG = "config_db.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC and what to hold it against."""
    add_live_flags(parser)
    against = parser.add_mutually_exclusive_group(required=True)
    against.add_argument(
        "--running", type=Path, metavar="DIR", help="folder of NAME.json or NAME/config_db.json"
    )
    against.add_argument("--live", action="store_true", help="ask the switches")
    against.add_argument("--against", metavar="FABRIC", help="another version of the fabric")
    parser.add_argument("--exit-code", action="store_true", help="exit 2 where they differ")


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print the differences, equal ones on many switches once."""
    if arguments.live:
        return _live(arguments, screen)
    intended = intended_tables(arguments.fabric)
    if arguments.against:
        sets = _between(intended_tables(arguments.against), intended)
    else:
        sets = [
            diff_tables(name, _running(arguments.running, name), tables)
            for name, tables in intended.items()
        ]
    return _show(sets, arguments, screen)


def intended_tables(fabric: str) -> dict[str, Tables]:
    """The intended CONFIG_DB of every switch of a fabric."""
    plan = plan_fabric(find_fabric(fabric))
    return {each.device: each.tables for each in artifacts(plan) if each.tables is not None}


def _between(before: dict[str, Tables], after: dict[str, Tables]) -> list[ChangeSet]:
    names = sorted({*before, *after})
    return [diff_tables(name, before.get(name, {}), after.get(name, {})) for name in names]


def _running(folder: Path, name: str) -> Tables:
    for candidate in (folder / f"{name}.json", folder / name / CONFIG):
        if candidate.is_file():
            return DIALECTS["sonic"].parse(read_text(candidate))
    raise UsageError(f"{folder} has neither {name}.json nor {name}/{CONFIG}")


def _show(sets: list[ChangeSet], arguments: argparse.Namespace, screen: Screen) -> int:
    changed = [each for each in sets if not each.is_empty]
    if screen.is_json:
        screen.json({"schema_version": 1, **as_json(sets)})
    else:
        screen.text(as_text(changed) if changed else f"no difference on {len(sets)} switches")
    return 2 if changed and arguments.exit_code else 0


def _live(arguments: argparse.Namespace, screen: Screen) -> int:
    live = prepare(arguments, screen)
    report = diff_live(
        live.build,
        inventory=inventories(live.plan.path, live.build, arguments.inventory),
        limit=arguments.limit,
        progress=progress_line(screen) if screen.verbose else None,
    )
    different = [host for host in report.hosts if host.changes]
    if screen.is_json:
        screen.json(report.as_json())
    else:
        for host in report.hosts:
            if host.changes:
                screen.text(f"{screen.paint('bold', host.device)}\n{host.diff}")
            elif not host.outcome.is_good:
                screen.text(f"{host.device}: {host.outcome}: {host.message}")
        screen.text(f"{len(different)} of {len(report.hosts)} switches differ")
    return report.exit_code or (2 if different and arguments.exit_code else 0)
