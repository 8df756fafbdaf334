"""Which switches are meant, how they are reached, and how a run goes about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nettool.fleet.deploy.eventlog import Progress
from nettool.fleet.deploy.order import WallClock
from nettool.fleet.deploy.runner import Play, inventory_groups, inventory_hosts
from nettool.fleet.deploy.task import new_run, operator

RUNS = Path("runs")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a push goes about it, apart from what is pushed. Times in seconds; 0 guard: estimated."""

    runs: Path = RUNS
    forks: int = 10
    guard: int = 0
    settle: float = 60.0
    contact: float = 120.0
    answer: float = 60.0
    health: bool = True
    variables: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reach:
    """The switches of some inventories (the last one wins) that a pattern names.

    `limit` is Ansible's: hosts or groups; None is all. `progress` is told of each switch.
    `name` is the fabric's, by which its runs are found again, and `source` its file, by which they
    are where that cannot be read; `run` names the next one.
    """

    inventory: Sequence[Path]
    limit: str | None = None
    progress: Progress | None = None
    settings: Settings = Settings()
    name: str = ""
    run: str = ""
    source: Path | None = None

    def fabric(self, build: Path | None = None) -> str:
        """What its runs are found by: its name, else the folder of its build."""
        return self.name or ("" if build is None else str(build.resolve()))

    def hosts(self) -> dict[str, dict[str, Any]]:
        """The switches with their variables, in natural order. Raises UsageError where none is."""
        return inventory_hosts(self.inventory, self.limit)

    def groups(self) -> dict[str, frozenset[str]]:
        """All switches of the inventories by group, whatever the limit. Raises UsageError."""
        return inventory_groups(self.inventory)

    def play(
        self,
        playbook: str,
        variables: Mapping[str, object],
        *,
        build: Path | None = None,
        check: bool = False,
        run: str | None = None,
    ) -> Play:
        """One run of a playbook on these switches."""
        name, own = run or self.run or new_run(WallClock()), self.settings
        common: dict[str, object] = {
            "nettool_operator": operator(),
            "nettool_verb": True,
            "nettool_guard": own.guard,
            "nettool_settle": own.settle,
            "nettool_contact": own.contact,
            "nettool_answer": own.answer,
            **({} if own.health else {"nettool_health": False}),
        }
        if build is not None:
            common["nettool_build"] = str(build.resolve())
        return Play(
            playbook=playbook,
            inventory=tuple(self.inventory),
            run=name,
            folder=own.runs / name,
            limit=self.limit,
            check=check,
            variables={**common, **own.variables, **variables, "nettool_run": name},
            forks=own.forks,
        )
