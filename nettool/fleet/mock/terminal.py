"""The user's end of an SSH session on a mock switch: lines in, text out, a hang-up at any time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import asyncssh

from nettool.fleet.mock.strike import SessionLostError

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from nettool.fleet.mock.switch import MockSwitch

CHUNK = 65536
SIGNALS = (asyncssh.BreakReceived, asyncssh.SignalReceived)
Process = asyncssh.SSHServerProcess[str]


class SshConsole:
    """A session's input and output; both go dead quietly with the connection."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._gone = False

    async def chunk(self) -> str:
        """The next piece of input; empty at its end and after a hang-up."""
        try:
            return await self._process.stdin.read(CHUNK)
        except (asyncssh.Error, OSError, *SIGNALS, asyncssh.TerminalSizeChanged):
            return ""

    def out(self, text: str) -> bool:
        """Write to standard output."""
        return self._write(self._process.stdout, text)

    def err(self, text: str) -> bool:
        """Write to standard error; a terminal has one stream for both."""
        one = self._process.term_type is not None
        return self._write(self._process.stdout if one else self._process.stderr, text)

    def abort(self) -> None:
        """Cut the connection."""
        self._gone = True
        self._process.channel.get_connection().abort()

    async def line(self) -> str | None:
        """The next line typed, empty after an interrupt; None after a hang-up."""
        while True:
            try:
                line = await self._process.stdin.readline()
            except SIGNALS:
                return ""
            except asyncssh.TerminalSizeChanged:
                continue
            except (asyncssh.Error, OSError):
                return None
            return line.strip() if line else None

    async def foreground(self, switch: MockSwitch, command: Coroutine[Any, Any, Any]) -> None:
        """Run a command to its end; a lost connection interrupts it."""
        work = switch.start(command)
        closed = asyncio.ensure_future(self._process.wait_closed())
        await asyncio.wait({work, closed}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            work.cancel()
        closed.cancel()
        if work.done() and not work.cancelled() and isinstance(work.exception(), SessionLostError):
            self.abort()

    def _write(self, stream: asyncssh.SSHWriter[str], text: str) -> bool:
        if self._gone or self._process.is_closing():
            return False
        if text:
            try:
                stream.write(text)
            except (BrokenPipeError, asyncssh.Error):
                self._gone = True
        return not self._gone
