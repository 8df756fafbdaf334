"""A transport straight into a mock switch's shell: everything is real but the ssh between."""

from __future__ import annotations

import asyncio
import time

from nettool.core.errors import DeviceError
from nettool.fleet.mock.shell import run_line
from nettool.fleet.mock.strike import SessionLostError
from nettool.fleet.transport.transport import Reply


class _Console:
    def __init__(self, stdin: str | None) -> None:
        self._stdin = [stdin] if stdin else []
        self.stdout, self.stderr, self.cut = [], [], asyncio.Event()

    async def chunk(self) -> str:
        return self._stdin.pop() if self._stdin else ""

    def out(self, text: str) -> bool:
        self.stdout.append(text)
        return not self.cut.is_set()

    def err(self, text: str) -> bool:
        self.stderr.append(text)
        return not self.cut.is_set()

    def abort(self) -> None:
        self.cut.set()


class MockTransport:
    """Runs lines on one switch of a started fleet; a cut or a closed listener is a DeviceError."""

    def __init__(self, fleet, name: str) -> None:
        self._fleet, self._switch = fleet, fleet.network.switches[name]
        self._open = True
        listen = self._switch.on_listen

        async def listening(value: bool) -> None:
            self._open = value
            await listen(value)

        self._switch.on_listen = listening

    def run(self, command: str, *, stdin: str | None = None, timeout: float = 60.0) -> Reply:
        if not self._open:
            raise DeviceError(f"{self._switch.name} refuses the connection")
        return self._fleet.call(self._run(command, stdin, timeout))

    def reconnect(self) -> None:
        """Each line is a session of its own."""

    async def _run(self, command: str, stdin: str | None, timeout: float) -> Reply:
        console = _Console(stdin)
        self._switch.connections.add(console)
        work = self._switch.start(run_line(self._switch, command, console))
        cut = asyncio.ensure_future(console.cut.wait())
        limit = timeout * self._switch.clock.scale + 5
        await asyncio.wait({work, cut}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        cut.cancel()
        self._switch.connections.discard(console)
        return self._reply(work, console, command)

    def _reply(self, work: asyncio.Task[int], console: _Console, command: str) -> Reply:
        if console.cut.is_set() or not work.done() or work.cancelled():
            console.cut.set()
            raise DeviceError(f"{self._switch.name}: lost while running {command[:40]}")
        if isinstance(work.exception(), SessionLostError):
            raise DeviceError(f"{self._switch.name}: lost while running {command[:40]}")
        return Reply(work.result(), "".join(console.stdout), "".join(console.stderr))


class MockClock:
    """The mock's own seconds."""

    def __init__(self, scale: float) -> None:
        self._scale = scale

    def now(self) -> float:
        return time.monotonic() / self._scale

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds * self._scale)
