"""What the verbs that touch devices share: the build, the inventories, and their flags."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nettool.cli.parser import add_fabric
from nettool.cli.screen import Screen
from nettool.core.errors import UsageError
from nettool.fleet.deploy.outcome import PushReport
from nettool.fleet.deploy.reach import RUNS, Reach
from nettool.intent.load import find_fabric
from nettool.pipeline import Plan, plan_fabric, render_build

INVENTORY_FILE = "nettool.yml"


@dataclass(frozen=True, slots=True)
class Live:
    """A planned and rendered fabric with the inventories that reach it."""

    plan: Plan
    build: Path
    reach: Reach


def add_live_flags(parser: argparse.ArgumentParser) -> None:
    """FABRIC, where its switches are, and which of them."""
    add_fabric(parser)
    parser.add_argument(
        "-i", "--inventory", type=Path, action="append", default=[], metavar="FILE",
        help="inventory laid over the fabric's own, e.g. a mock fleet's; may be repeated",
    )  # fmt: skip
    parser.add_argument("-l", "--limit", metavar="PATTERN", help="hosts or groups, as Ansible's")
    parser.add_argument(
        "--build", type=Path, metavar="DIR", help="where to render (default: runs/build/NAME)"
    )


def add_policy(parser: argparse.ArgumentParser) -> None:
    """The policy that says when how much may be disturbed."""
    parser.add_argument(
        "--policy", type=Path, metavar="FILE",
        help="YAML that forbids impact labels by hour; what it forbids now is refused (exit 7)",
    )  # fmt: skip


def prepare(arguments: argparse.Namespace, screen: Screen, *, quiet: bool = False) -> Live:
    """Plan, render and validate the fabric. Raises FindingsError before any device is asked.

    `quiet`: progress is told with -v alone.
    """
    path = find_fabric(arguments.fabric)
    plan = plan_fabric(path)
    build = arguments.build or RUNS / "build" / plan.intent.name
    built = render_build(plan, build)
    if screen.verbose:
        screen.progress(f"rendered {built.files} files of {built.devices} switches into {build}")
    inventory = _inventories(path, build, arguments.inventory)
    progress = None if quiet and not screen.verbose else progress_line(screen)
    return Live(plan, build, Reach(inventory, arguments.limit, progress))


def _inventories(path: Path, build: Path, laid_over: list[Path]) -> tuple[Path, ...]:
    """The fabric's own inventory source (else the static one of the build), then the others."""
    for each in laid_over:
        if not each.exists():
            raise UsageError(f"{each}: no such inventory")
    own = path.parent / INVENTORY_FILE
    return (own if own.is_file() else build / "inventory.yaml", *laid_over)


def show_push(report: PushReport, screen: Screen) -> None:
    """What became of each switch."""
    if screen.is_json:
        screen.json(report.as_json())
        return
    rows = [(host.device, host.outcome, host.message) for host in report.hosts]
    screen.table(("switch", "outcome", "message"), rows)


def progress_line(screen: Screen) -> Any:
    """A callback that tells progress on stderr, a line a switch."""

    def tell(host: str, what: str, message: str) -> None:
        more = f": {message}" if message and message != what else ""
        screen.progress(f"  {host:<12} {what}{more}")

    return tell
