"""What the verbs that touch devices share: the build, the inventories, and their flags."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nettool.cli.parser import add_fabric
from nettool.cli.planned import INVENTORY_FILE, planned
from nettool.cli.screen import Screen
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.steps import names
from nettool.config.diff.text import as_text, changes_of
from nettool.core.errors import FindingsError, UsageError, WarningsError
from nettool.core.finding import Severity
from nettool.fleet.deploy.order import WallClock
from nettool.fleet.deploy.outcome import PushReport
from nettool.fleet.deploy.reach import RUNS, Reach
from nettool.fleet.deploy.record import BUILD, INVENTORY, Record, forget_build, private, room
from nettool.fleet.deploy.task import new_run
from nettool.fleet.deploy.undoing import recorded_push
from nettool.intent.load import find_fabric
from nettool.pipeline import Plan, render_build
from nettool.report.lock_file import unkept

_OF_THE_LOCK = ("DSN010", "DSN016", "LCK002")
_VARIABLES = ("group_vars", "host_vars")
"""Folders that Ansible reads beside an inventory."""


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
        "--build", type=Path, metavar="DIR", help="where to render (default: runs/ID/build)"
    )


def add_policy(parser: argparse.ArgumentParser) -> None:
    """The policy that says when how much may be disturbed."""
    parser.add_argument(
        "--policy", type=Path, metavar="FILE",
        help="YAML that forbids impact labels by day, hour, switch and group; what it forbids now "
        "is refused (exit 7), with the rule and when it is allowed again",
    )  # fmt: skip


@contextmanager
def prepared(
    arguments: argparse.Namespace, screen: Screen, *, quiet: bool = False, strict: bool = False
) -> Iterator[Live]:
    """Plan, render and validate the fabric. Raises FindingsError before any device is asked.

    Every run renders into a folder of its own, so that none can change what another one reads;
    only a push keeps it. `quiet`: progress is told with -v alone; `strict`: warnings raise too.
    """
    plan = planned(arguments.fabric)
    run = new_run(WallClock())
    build = arguments.build or RUNS / run / BUILD
    with room(RUNS / run):
        private(RUNS / run)
    try:
        built = render_build(plan, build)
        if strict and built.report.exit_code(strict=True):
            raise WarningsError(built.report)
        if screen.verbose:
            said = f"rendered {built.files} files of {built.devices} switches into {build}"
            screen.progress(said)
        inventory = _inventories(plan.path, build, arguments.inventory)
        progress = None if quiet and not screen.verbose else progress_line(screen)
        name, source = plan.intent.name, plan.path
        reach = Reach(inventory, arguments.limit, progress, name=name, run=run, source=source)
        yield Live(plan, build, reach)
    finally:
        forget_build(RUNS / run)


def tell_what_moves(plan: Plan, screen: Screen) -> None:
    """On stderr, before a switch is asked: cables and addresses that move, and a missing lock."""
    told = plan.report + unkept(plan.path, plan.fabric)
    for each in told.findings:
        if each.rule in _OF_THE_LOCK:
            screen.progress(f"{each.severity} {each.rule} {each.message}\n    → {each.hint}")


@contextmanager
def pushed(arguments: argparse.Namespace, screen: Screen, of: str = "") -> Iterator[Reach]:
    """The switches of a push that is to be kept or undone: the run `of`, else the last one.

    Where the fabric does not load, plan or validate any more, they are those of the push's own
    record, and a line on stderr says so: a typo since then must not keep a guard from being
    answered. Raises FindingsError where no push of it is recorded either.
    """
    with ExitStack() as stack:
        try:
            reach = stack.enter_context(prepared(arguments, screen)).reach
        except (FindingsError, UsageError) as exc:
            reach = stack.enter_context(_recorded(arguments, screen, of, exc))
        yield reach


@contextmanager
def _recorded(
    arguments: argparse.Namespace, screen: Screen, of: str, why: FindingsError | UsageError
) -> Iterator[Reach]:
    path = find_fabric(arguments.fabric)
    laid_over = _existing(arguments.inventory)
    push = recorded_push(RUNS, path, of)
    if push is None:
        raise why
    run, name = new_run(WallClock()), str(push.order["name"])
    screen.progress(
        f"warning: {path} does not plan ({_first(why)}): going by run {push.run}'s own record"
    )
    try:
        with room(RUNS / run):
            inventory = (_kept_inventory(push, path.parent, RUNS / run / BUILD), *laid_over)
        progress = progress_line(screen)
        yield Reach(inventory, arguments.limit, progress, name=name, run=run, source=path)
    finally:
        forget_build(RUNS / run)


def _kept_inventory(push: Record, fabric: Path, folder: Path) -> Path:
    """The inventory of a push, with the variables that stand beside the fabric's own source."""
    private(folder.parent)
    private(folder)
    kept = folder / INVENTORY
    kept.write_bytes(push.inventory.read_bytes())
    for name in _VARIABLES if (fabric / INVENTORY_FILE).is_file() else ():
        if (fabric / name).is_dir():
            (folder / name).symlink_to((fabric / name).resolve(), target_is_directory=True)
    return kept


def _first(why: FindingsError | UsageError) -> str:
    """What is wrong, in a line: the first error and how many more there are."""
    told = why.report.findings if isinstance(why, FindingsError) else ()
    errors = [each for each in told if each.severity is Severity.ERROR]
    if not errors:
        return str(why)
    first = errors[0]
    place = f"line {first.line}: " if first.line else ""
    more = f"; {len(errors) - 1} more" if len(errors) > 1 else ""
    return f"{place}{first.message}{more}"


def _inventories(path: Path, build: Path, laid_over: list[Path]) -> tuple[Path, ...]:
    """The fabric's own inventory source (else the static one of the build), then the others."""
    own = path.parent / INVENTORY_FILE
    return (own if own.is_file() else build / INVENTORY, *_existing(laid_over))


def _existing(inventories: list[Path]) -> list[Path]:
    for each in inventories:
        if not each.exists():
            raise UsageError(f"{each}: no such inventory")
    return inventories


def show_differences(report: PushReport, screen: Screen, *, plan: bool = False) -> None:
    """What differs, equal changes on many switches once; `plan`: also how it would be written."""
    sets = [ChangeSet(host.device, changes_of(host.changes)) for host in report.hosts]
    if any(not each.is_empty for each in sets):
        screen.text(as_text(sets, every=bool(screen.verbose)))
    alike: dict[str, list[str]] = {}
    for host in report.hosts:
        if plan and host.plan:
            alike.setdefault(_steps(host.plan), []).append(host.device)
        elif not host.outcome.is_good:
            screen.text(f"{host.device}: {host.outcome}: {host.message}")
    for steps, devices in alike.items():
        screen.text(f"{names(devices)}:\n{steps}")


def _steps(plan: Iterable[Mapping[str, object]]) -> str:
    return "".join(f"  {number:>2} {_said(step)}\n" for number, step in enumerate(plan, 1))


def _said(step: Mapping[str, object]) -> str:
    why = f": {step['why']}" if step["why"] else ""
    return f"{step['impact']:<14}{step['title']}{why}"


def show_push(report: PushReport, screen: Screen) -> None:
    """What became of each switch."""
    if screen.is_json:
        screen.json(report.as_json())
        return
    rows = [(host.device, host.outcome, host.message) for host in report.hosts]
    screen.table(("switch", "outcome", "message"), rows)
    show_notes({host.device: host.notes for host in report.hosts}, screen)
    if report.message:
        screen.problem(report.message)


def show_notes(notes: Mapping[str, Iterable[str]], screen: Screen) -> None:
    """What no difference shows, by switch; what is said of many switches is said once."""
    alike: dict[str, list[str]] = {}
    for device, sentences in notes.items():
        for sentence in sentences:
            alike.setdefault(sentence, []).append(device)
    for sentence, devices in alike.items():
        screen.text(f"{names(devices)}: {sentence}")


def progress_line(screen: Screen) -> Any:
    """A callback that tells progress on stderr, a line a switch."""

    def tell(host: str, what: str, message: str) -> None:
        more = f": {message}" if message and message != what else ""
        screen.progress(f"  {host:<12} {what}{more}")

    return tell
