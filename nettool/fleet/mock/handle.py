"""A test's or a demo's hand on one mock switch, from any thread."""

from __future__ import annotations

import asyncio
import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from nettool.fleet.mock.counters import Counters
    from nettool.fleet.mock.fault import Fault
    from nettool.fleet.mock.journal import CommandEntry, EventEntry, WriteEntry
    from nettool.fleet.mock.spec import ConfigDb
    from nettool.fleet.mock.ssh import Door
    from nettool.fleet.mock.switch import MockSwitch


class SwitchHandle:
    """Reads a switch's state and logs, sets its faults, restarts it, lets it drift."""

    def __init__(self, switch: MockSwitch, door: Door, loop: asyncio.AbstractEventLoop) -> None:
        self._switch, self._door, self._loop = switch, door, loop

    @property
    def name(self) -> str:
        """Its name."""
        return self._switch.name

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        return self._door.host, self._door.port

    @property
    def known_hosts(self) -> str:
        """Its line of known_hosts."""
        return self._door.known_hosts

    @property
    def folder(self) -> Path:
        """Its file system: `folder / "etc/sonic/config_db.json"` is the saved file."""
        return self._switch.folder.root

    @property
    def counters(self) -> Counters:
        """Its counters, to be moved by hand."""
        return self._switch.counters

    def where(self) -> dict[str, Any]:
        """Address, port, user, host key and folder, as plain data."""
        return {
            "address": self._door.host,
            "port": self._door.port,
            "nos": self._switch.spec.nos,
            "user": self._switch.spec.user,
            "host_key": self._door.public_key,
            "known_hosts": self._door.known_hosts,
            "folder": str(self.folder),
        }

    def running(self) -> ConfigDb:
        """A copy of the running CONFIG_DB."""
        return copy.deepcopy(self._switch.store.running)

    def saved(self) -> ConfigDb | None:
        """The saved file, or None where it is missing or broken."""
        return self._switch.store.saved

    def checkpoints(self) -> list[str]:
        """Names of its checkpoints."""
        return self._switch.store.checkpoints()

    def timers(self) -> list[str]:
        """Names of its transient units, waiting or running."""
        return [unit.name for unit in self._switch.timers.list()]

    def commands(self) -> list[CommandEntry]:
        """Every command it got, in order."""
        return list(self._switch.journal.commands)

    def writes(self) -> list[WriteEntry]:
        """Every write to what it keeps, in order; empty proves that nothing was written."""
        return list(self._switch.journal.writes)

    def events(self) -> list[EventEntry]:
        """Flaps, resets, restarts, in order."""
        return list(self._switch.journal.events)

    def forget(self) -> None:
        """Empty the three logs."""
        self._switch.journal.clear()

    def inject(self, fault: Fault) -> None:
        """Set a fault; `refuse` closes the listener at once."""
        self._call(self._switch.inject(fault))

    def heal(self) -> None:
        """Forget all faults and listen again."""
        self._call(self._switch.heal())

    def drift(self, config: dict[str, Any]) -> None:
        """Merge `config` into running behind everybody's back; None removes a row or a field."""
        self._call(self._run(lambda: self._switch.drift(config)))

    def reboot(self, back: float | None = 0.0) -> None:
        """Restart from the saved file; it answers again after `back` of its seconds."""
        self._call(self._switch.reboot(back))

    def cut(self, back: float | None = 0.0) -> None:
        """Cut every connection; it answers again after `back` of its seconds, or never (None)."""
        self._call(self._switch.cut(back))

    def new_host_key(self) -> None:
        """Give it another host key, from the next connection on."""
        self._call(self._rekey())

    async def _rekey(self) -> None:
        await self._door.listen(False)
        self._door.new_key()
        await self._door.listen(True)

    async def _run(self, change: Any) -> None:
        change()

    def _call(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
