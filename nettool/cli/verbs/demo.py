"""The whole way on a mock fleet: plan, render, diff, push, verify, drift, and back.

    nettool demo --fabric rail-only-128

For two shipped fabrics; touches nothing but loopback and the folder it writes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from nettool.cli.screen import Screen
from nettool.core.errors import NettoolError
from nettool.fleet.deploy.eventlog import ALL, LOOKED, Progress
from nettool.fleet.deploy.outcome import PushReport
from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.deploy.push import Consent, diff_live, push
from nettool.fleet.deploy.reach import Reach, Settings
from nettool.fleet.deploy.verifying import verify
from nettool.fleet.mock.factory import fabric_cables, factory_specs
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import where
from nettool.intent.load import find_fabric
from nettool.pipeline import Plan, plan_fabric, render_build

FABRICS = ("rail-only-128", "rail-optimized-256")
_TABLE, _FIELD = "WRED_PROFILE", "green_min_threshold"
_BAR = 24


@dataclass
class Story:
    """What happened, step by step, for the table at the end."""

    screen: Screen
    rows: list[tuple[str, str, str, float]] = field(default_factory=list)

    @contextmanager
    def step(self, fabric: str, name: str) -> Iterator[list[str]]:
        """Time a step; what it appends to the list is its result."""
        said: list[str] = []
        started = time.monotonic()
        yield said
        took = time.monotonic() - started
        self.rows.append((fabric, name, "; ".join(said), round(took, 1)))
        self.screen.progress(f"  {name:<26} {'; '.join(said)}  ({took:.1f} s)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to write, and which fabrics."""
    parser.add_argument(
        "-o", "--out", type=Path, metavar="DIR", default=Path(".demo"),
        help="folder to write (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--fabric", action="append", choices=FABRICS, help="only this one (default: both)"
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Run the story of each fabric; exit 1 where a step did not go as it should."""
    story = Story(screen)
    out: Path = arguments.out.resolve()
    for name in arguments.fabric or FABRICS:
        screen.progress(screen.paint("bold", f"\n{name}"))
        _tell(name, out / name, story)
    screen.text("")
    screen.table(("fabric", "step", "result", "s"), story.rows, title="what happened")
    screen.text(f"files: {out}/NAME/build (configurations), {out}/NAME/runs (pushes and reports)")
    return 0


def _tell(name: str, out: Path, story: Story) -> None:
    with story.step(name, "plan") as said:
        plan = plan_fabric(find_fabric(name))
        fabric = plan.fabric
        said.append(f"{len(fabric.devices)} switches, {len(fabric.links)} links, "
                    f"{len(fabric.nodes)} nodes")  # fmt: skip
    with story.step(name, "render and validate") as said:
        built = render_build(plan, out / "build")
        said.append(f"{built.files} files, {built.report.count_errors()} errors")
    specs = factory_specs(fabric, plan.intent.management.user)
    with MockFleet(specs, fabric_cables(fabric)) as fleet:
        said_where = mock_overlay(where(fleet), out / "mock")
        story.screen.progress(f"  mock fleet: {len(fabric.devices)} switches on loopback")
        _change(plan, fleet, _Ways(out / "build", said_where, Settings(out / "runs")), story)


@dataclass(frozen=True, slots=True)
class _Ways:
    """How the live steps reach the fleet."""

    build: Path
    overlay: Path
    settings: Settings

    def reach(self, progress: Progress | None = None) -> Reach:
        inventory = (self.build / "inventory.yaml", self.overlay)
        return Reach(inventory, progress=progress, settings=self.settings)


def _change(plan: Plan, fleet: MockFleet, ways: _Ways, story: Story) -> None:
    name = plan.intent.name
    with story.step(name, "diff (factory against plan)") as said:
        said.append(_differing(diff_live(ways.build, ways.reach())))
    with story.step(name, "push (first install)") as said:
        said.append(_pushed(ways, story, len(plan.fabric.devices), consent=Consent(reload=True)))
    with story.step(name, "verify") as said:
        report = verify(ways.build, ways.reach())
        said.append(f"{report.count_errors()} errors")
        _must(not report.has_errors, story.screen.findings(report))
    with story.step(name, "push again") as said:
        said.append(_pushed(ways, story, len(plan.fabric.devices)))
    _drift(plan, fleet, ways, story)


def _drift(plan: Plan, fleet: MockFleet, ways: _Ways, story: Story) -> None:
    name = plan.intent.name
    switch = plan.fabric.devices[-1].name
    with story.step(name, "change one value by hand") as said:
        config = fleet[switch].running()
        profile, row = next(iter(config[_TABLE].items()))
        before = row[_FIELD]
        row[_FIELD] = str(int(before) // 2)
        fleet[switch].drift(config)
        said.append(f"{switch} {_TABLE}|{profile}|{_FIELD} {before} -> {row[_FIELD]}")
    with story.step(name, "diff") as said:
        report = diff_live(ways.build, ways.reach())
        said.append(_differing(report))
        for host in report.hosts:
            if host.changes:
                story.screen.progress("\n".join(f"    {line}" for line in host.diff.splitlines()))
        _must(
            [h.device for h in report.hosts if h.changes] == [switch], f"{switch} alone must differ"
        )
    with story.step(name, "push it back") as said:
        said.append(_pushed(ways, story, len(plan.fabric.devices)))


def _pushed(ways: _Ways, story: Story, total: int, consent: Consent | None = None) -> str:
    report = push(ways.build, ways.reach(bars(total, story.screen.progress)), consent=consent)
    _must(
        report.exit_code == 0,
        "\n".join(f"{h.device}: {h.outcome} {h.message}" for h in report.hosts),
    )
    return _counted(report)


def bars(total: int, say: Callable[[str], None]) -> Progress:
    """Progress of a push as a bar that grows by each switch that is done; a look is one line."""
    done: set[str] = set()

    def tell(host: str, what: str, message: str) -> None:
        if what == LOOKED and host == ALL:
            say(f"    looked at: {message}")
        elif what not in {"start", LOOKED}:
            done.add(host)
            full = _BAR * len(done) // total
            say(f"    {'█' * full}{'░' * (_BAR - full)} {len(done)}/{total} {host} {what}")

    return tell


def _counted(report: PushReport) -> str:
    outcomes = dict.fromkeys(host.outcome for host in report.hosts)
    return ", ".join(f"{report.count(each)} {each}" for each in outcomes)


def _differing(report: PushReport) -> str:
    return f"{sum(bool(host.changes) for host in report.hosts)} of {len(report.hosts)} differ"


def _must(holds: bool, why: str) -> None:
    if not holds:
        raise DemoError(f"the demo did not go as it should:\n{why}")


class DemoError(NettoolError):
    """A step of the demo did not go as it should."""

    exit_code = 1
