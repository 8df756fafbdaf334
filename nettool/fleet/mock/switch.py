"""One mock switch: its configuration, files, timers, faults, logs and what it is doing."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
import os
import re
import shlex
import signal
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from nettool.fleet.mock.clock import Clock
from nettool.fleet.mock.console import Console, Silent
from nettool.fleet.mock.counters import Counters
from nettool.fleet.mock.daemons import with_daemon_rows
from nettool.fleet.mock.fault import FaultScript
from nettool.fleet.mock.folder import Folder
from nettool.fleet.mock.frr import Frr
from nettool.fleet.mock.hardware import lay_out_hardware
from nettool.fleet.mock.journal import Journal
from nettool.fleet.mock.klish_below import rows_below
from nettool.fleet.mock.klish_config import KlishConfig
from nettool.fleet.mock.sessions import Sessions
from nettool.fleet.mock.store import SAVED, ConfigStore
from nettool.fleet.mock.timers import Timers

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from nettool.fleet.mock.fault import Fault
    from nettool.fleet.mock.network import Network
    from nettool.fleet.mock.spec import ConfigDb, SwitchSpec


DAEMON_SECONDS = 2.0


class Connection(Protocol):
    """A session's way to the outside, which a fault can cut."""

    def abort(self) -> None:
        """Cut it without a word."""
        ...


class Running(Protocol):
    """A script that runs on a switch."""

    pid: int

    @property
    def token(self) -> str:
        """What its commands name it by."""
        ...


class Scripts(Protocol):
    """Where the scripts of all switches find the switch's own commands."""

    path: str
    socket: str

    def enlist(self, switch: MockSwitch, console: Console) -> Running:
        """A script begins."""
        ...

    def dismiss(self, session: Any) -> None:  # what `enlist` gave
        """A script has ended."""
        ...


Runner = Callable[["MockSwitch", str, Console, str], Awaitable[int]]
"""Runs one line as the login shell would: switch, line, console, who runs it."""


class MockSwitch:
    """The whole of one switch. Lives on the fleet's event loop."""

    def __init__(
        self, spec: SwitchSpec, root: Path, network: Network[MockSwitch], scripts: Scripts,
        run: Runner, scale: float,
    ) -> None:  # fmt: skip
        self.spec = spec
        self.network = network
        self.scripts = scripts
        self._run = run
        self.folder = Folder(root, spec.user)
        self.journal = Journal()
        self.faults = FaultScript()
        self.clock = Clock(scale)
        self.counters = Counters()
        self.frr = Frr(always=spec.nos == "asternos")
        self.store = ConfigStore(self.folder, self.journal, self.frr)
        self.klish = KlishConfig(self.folder, self.journal, self._follow_lines)
        self.timers = Timers(self.clock, self.journal, self.start, self.run_unit)
        self.on_listen: Callable[[bool], Awaitable[None]] | None = None
        self.connections: set[Connection] = set()
        self.sessions = Sessions()
        self.processes: set[int] = set()
        self.began = time.time()
        """When its services began, in seconds since the epoch; its counters count from then."""
        self.restarting = False
        """True while `config reload` has the services down."""
        self.born: dict[str, float] = {}
        """When ports were made by a breakout, in the clock's seconds."""
        self._tasks: set[asyncio.Task[Any]] = set()
        if not self.folder.host(SAVED).exists():
            self.folder.host(SAVED).write_text(json.dumps(spec.config, indent=4, sort_keys=True))
        lay_out_hardware(spec, self.folder)
        self.folder.changed()
        self.store.boot()
        self.klish.boot()

    @property
    def name(self) -> str:
        """Its name in the fleet."""
        return self.spec.name

    @property
    def hostname(self) -> str:
        """What its prompt says."""
        metadata = self.store.running.get("DEVICE_METADATA", {}).get("localhost", {})
        return str(metadata.get("hostname", self.spec.name))

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run work that belongs to the switch, not to a session; a restart ends it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def is_there(self, port: str) -> bool:
        """Whether a port's daemons and the chip know it: some are late after a breakout."""
        late = [f for f in self.faults.all_standing("late") if re.search(f.match, port)]
        age = self.clock.now() - self.born.get(port, -float("inf"))
        return all(age >= each.seconds for each in late)

    def drift(self, config: dict[str, Any], by: str = "someone else") -> None:
        """Change running behind everybody's back: rows and fields are merged; None removes."""
        new: ConfigDb = copy.deepcopy(self.store.running)
        _merge(new, config)
        self.store.put({table: rows for table, rows in new.items() if rows}, "drift", by)

    async def inject(self, fault: Fault) -> None:
        """Set a fault; `refuse` closes the listener at once."""
        self.faults.add(fault)
        if fault.do == "refuse":
            await self.cut(fault.back or None)

    async def heal(self) -> None:
        """Forget all faults and listen again."""
        self.faults.clear()
        if self.on_listen is not None:
            await self.on_listen(True)

    async def cut(self, back: float | None = 0.0) -> None:
        """Abort every connection; answer again after `back` seconds, or never with None."""
        for connection in tuple(self.connections):
            connection.abort()
        if back == 0.0 or self.on_listen is None:
            return
        await self.on_listen(False)
        if back is not None:
            asyncio.get_running_loop().create_task(self._listen_after(back))

    def begin_again(self) -> None:
        """Its services start anew, and its counters with them."""
        self.began = time.time()
        self.counters.clear()

    async def reboot(self, back: float | None = 0.0) -> None:
        """Lose running, timers and sessions; start from the saved file."""
        self.journal.event("reboot", self.name)
        self.timers.clear()
        self._end_work()
        self.folder.wipe_run()
        self.store.boot()
        self.klish.boot()
        self.begin_again()
        self.restarting = False
        await self.cut(back)

    async def run_unit(self, argv: tuple[str, ...]) -> None:
        """Run a transient unit's command, as root and without a session."""
        await self._run(self, shlex.join(argv), Silent(), "timer")

    def settle_daemons(self) -> None:
        """Let the daemons write the rows that are theirs, where the switch has them."""
        if self.spec.daemons:
            new = with_daemon_rows(self.store.running, self.spec)
            if new != self.store.running:
                self.store.put(new, "lossless rows", "buffermgrd")

    def wake_daemons(self) -> None:
        """Let the daemons follow a live change: a moment later, as they do."""
        if self.spec.daemons:
            self.start(self._follow())

    def _follow_lines(self, fresh: bool) -> None:
        """The CONFIG_DB below klish holds what its lines stand for."""
        if self.spec.nos == "asternos":
            ports = tuple(self.store.running.get("PORT", {}))
            self.store.follow(rows_below(self.klish.views, ports), fresh=fresh)

    async def _follow(self) -> None:
        await self.clock.sleep(DAEMON_SECONDS)
        self.settle_daemons()

    def note_files(self, by: str) -> None:
        """Note which files were written or removed since the last look."""
        for path in self.folder.changed():
            self.journal.wrote("saved" if path == SAVED else "file", path, by[:200])

    def end(self) -> None:
        """Stop everything that runs on it."""
        self.timers.clear()
        self._end_work()

    async def _listen_after(self, seconds: float) -> None:
        await self.clock.sleep(seconds)
        if self.on_listen is not None:
            await self.on_listen(True)

    def _end_work(self) -> None:
        current = asyncio.current_task()
        for task in tuple(self._tasks):
            if task is not current:
                task.cancel()
        for pid in tuple(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)


def _merge(into: dict[str, Any], change: dict[str, Any]) -> None:
    for key, value in change.items():
        if value is None:
            into.pop(key, None)
        elif isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = copy.deepcopy(value)
