"""Transient systemd units of a mock switch: `systemd-run --on-active` timers that really fire."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from nettool.fleet.mock.clock import Clock
    from nettool.fleet.mock.journal import Journal


@dataclass(slots=True)
class Unit:
    """A transient unit: the argv it runs and when (the switch's seconds)."""

    name: str
    argv: tuple[str, ...]
    fires_at: float
    task: asyncio.Task[Any] | None = None
    running: bool = False


class Timers:
    """The units of one switch by name; the name is taken until the unit has run or is stopped.

    `start` runs work that belongs to the switch, `run` the command of a unit.
    """

    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        start: Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]],
        run: Callable[[tuple[str, ...]], Awaitable[None]],
    ) -> None:
        self._clock = clock
        self._journal = journal
        self._start = start
        self._run = run
        self._units: dict[str, Unit] = {}

    def arm(self, name: str, seconds: float, argv: tuple[str, ...]) -> bool:
        """Start a unit; False where one of that name is there already, as systemd refuses."""
        if name in self._units:
            return False
        unit = Unit(name, argv, self._clock.now() + seconds)
        self._units[name] = unit
        self._journal.wrote("timer", name, "systemd-run")
        unit.task = self._start(self._fire(unit, seconds))
        return True

    def stop(self, name: str) -> Unit | None:
        """Stop a unit and free its name; the unit, or None where there is none."""
        unit = self._units.pop(name, None)
        if unit is None:
            return None
        self._journal.wrote("timer", f"-{name}", "systemctl")
        if unit.task is not None:
            unit.task.cancel()
        return unit

    def get(self, name: str) -> Unit | None:
        """The unit of that name, waiting or running."""
        return self._units.get(name)

    def list(self) -> list[Unit]:
        """All units, the next one first."""
        return sorted(self._units.values(), key=lambda unit: unit.fires_at)

    def clear(self) -> None:
        """Forget all of them, as a restart does."""
        for unit in self._units.values():
            if unit.task is not None:
                unit.task.cancel()
        self._units.clear()

    async def _fire(self, unit: Unit, seconds: float) -> None:
        await self._clock.sleep(seconds)
        unit.running = True
        self._journal.event("timer fired", unit.name)
        try:
            await self._run(unit.argv)
        finally:
            if self._units.get(unit.name) is unit:
                del self._units[unit.name]
