"""A fleet of mock switches in one process on loopback, for tests, demos and dry runs.

`MockFleet` runs its own event loop in a thread, so plain synchronous code can use it:

    with MockFleet([SwitchSpec("leaf01", config=...)]) as fleet:
        fleet.addresses["leaf01"]           # ("127.0.0.1", 41871)
        fleet["leaf01"].inject(Fault("apply-patch", "drop_during"))
        fleet["leaf01"].writes()            # [] proves that nothing was written
"""

from __future__ import annotations

import asyncio
import ipaddress
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from nettool.core.errors import UsageError
from nettool.fleet.mock.alive import forget_dead, hold
from nettool.fleet.mock.control import Control
from nettool.fleet.mock.handle import SwitchHandle
from nettool.fleet.mock.network import Network
from nettool.fleet.mock.shell import run_line
from nettool.fleet.mock.shims import Shims
from nettool.fleet.mock.spec import Cable
from nettool.fleet.mock.ssh import Door, shared_options
from nettool.fleet.mock.switch import MockSwitch

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable
    from types import TracebackType

    from nettool.fleet.mock.spec import SwitchSpec

LOOPBACK = "127.0.0.1"
_PREFIX = "mock-fleet-"


class MockFleet:
    """Switches by name, started and stopped together.

    `folder` keeps their files (a temporary one by default). `scale` is how long one of their
    seconds lasts here. Each switch gets a port of its own on `host`; with `addresses=True` each
    gets an address of its own after `host` (127.0.1.1, 127.0.1.2 ...), all on `port`.
    """

    def __init__(
        self,
        specs: Iterable[SwitchSpec],
        cables: Iterable[Cable] = (),
        *,
        folder: Path | None = None,
        scale: float = 0.01,
        host: str = LOOPBACK,
        port: int = 0,
        addresses: bool = False,
    ) -> None:
        if not ipaddress.ip_address(host).is_loopback:
            raise UsageError(f"a mock fleet listens on loopback only, not on {host}")
        self._specs = tuple(specs)
        names = [spec.name for spec in self._specs]
        if len(names) != len(set(names)):
            twice = next(name for name in names if names.count(name) > 1)
            raise UsageError(f"a mock fleet has two switches named {twice}")
        self._cables = tuple(cables)
        self._scale, self._host, self._port, self._each = scale, host, port, addresses
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix=_PREFIX)
        self.folder = folder or Path(self._temporary.name if self._temporary else "")
        self._alive = hold(self.folder) if self._temporary else None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._doors: dict[str, Door] = {}
        self._handles: dict[str, SwitchHandle] = {}
        self.network: Network[MockSwitch] = Network(self._cables)
        self._shims = Shims(self.folder)
        self._control: Control

    def start(self) -> Self:
        """Listen with every switch, once what a fleet that was killed left behind is gone."""
        forget_dead(_PREFIX)
        self._thread.start()
        self.call(self._open())
        return self

    def stop(self) -> None:
        """Close everything; the folder goes too where it was a temporary one."""
        self.call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        if self._alive is not None:
            self._alive.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, _t: type[BaseException] | None, _e: BaseException | None, _tb: TracebackType | None
    ) -> None:
        self.stop()

    def __getitem__(self, name: str) -> SwitchHandle:
        return self._handles[name]

    def __iter__(self) -> Any:
        return iter(self._handles.values())

    @property
    def addresses(self) -> dict[str, tuple[str, int]]:
        """Where each switch listens."""
        return {name: (door.host, door.port) for name, door in self._doors.items()}

    @property
    def known_hosts(self) -> str:
        """The lines of a known_hosts file for all of them."""
        return "".join(f"{door.known_hosts}\n" for door in self._doors.values())

    @property
    def control(self) -> str:
        """The unix socket that takes faults and gives logs."""
        return self._control.path

    def plug(self, a: str, b: str) -> None:
        """Lay a cable between two `device:port`; what was in either port is pulled."""
        self.network.plug(Cable(a, b))

    def call(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine on the fleet's loop and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _open(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        await self._shims.start()
        self._control = Control(self.network, self.folder / "control")
        await self._control.start()
        options = shared_options()
        for number, spec in enumerate(self._specs):
            await self._add(number, spec, options)

    async def _add(self, number: int, spec: SwitchSpec, options: Any) -> None:
        root = self.folder / spec.name
        switch = MockSwitch(spec, root, self.network, self._shims, run_line, self._scale)
        host = str(ipaddress.ip_address(self._host) + number) if self._each else self._host
        port = self._port if self._each or not self._port else self._port + number
        door = Door(switch, host, port)
        await door.open(options)
        switch.on_listen = door.listen
        self.network.switches[spec.name] = switch
        self._doors[spec.name] = door
        self._handles[spec.name] = SwitchHandle(switch, door, self._loop)

    async def _close(self) -> None:
        for door in self._doors.values():
            await door.listen(False)
        await _turns()
        for name in self._doors:
            switch = self.network.switches[name]
            await switch.cut()
            switch.end()
        self._shims.stop()
        self._control.stop()
        await _turns()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            if not task.cancelling():  # a second one would break off its last words
                task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await _turns()


async def _turns() -> None:
    """Some turns of the loop: what was just accepted, cut or closed comes to its end in them."""
    for _ in range(5):
        await asyncio.sleep(0)
