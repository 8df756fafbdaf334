"""An SSH session on a mock switch: one command, or a dialogue with prompts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import asyncssh

from nettool.fleet.mock.shell import run_line
from nettool.fleet.mock.strike import SessionLostError

if TYPE_CHECKING:
    from nettool.fleet.mock.switch import MockSwitch

CHUNK = 65536
INTERRUPTS = (asyncssh.BreakReceived, asyncssh.SignalReceived, asyncssh.TerminalSizeChanged)
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
        except (asyncssh.Error, OSError, *INTERRUPTS):
            return ""

    def out(self, text: str) -> bool:
        """Write to standard output."""
        return self._write(self._process.stdout, text)

    def err(self, text: str) -> bool:
        """Write to standard error."""
        return self._write(self._process.stderr, text)

    def abort(self) -> None:
        """Cut the connection."""
        self._gone = True
        self._process.channel.get_connection().abort()

    def _write(self, stream: asyncssh.SSHWriter[str], text: str) -> bool:
        if self._gone or self._process.is_closing():
            return False
        if text:
            try:
                stream.write(text)
            except (BrokenPipeError, asyncssh.Error):
                self._gone = True
        return not self._gone


async def serve_session(switch: MockSwitch, process: Process) -> None:
    """Serve one session to its end."""
    if process.command is None:
        await dialogue(switch, process)
        return
    console = SshConsole(process)
    # the work is the switch's: without a terminal it outlives a lost connection
    work = switch.start(run_line(switch, process.command, console))
    try:
        process.exit(await asyncio.shield(work))
    except (SessionLostError, asyncio.CancelledError):
        process.channel.get_connection().abort()


async def dialogue(switch: MockSwitch, process: Process) -> None:
    """A bash prompt; a lost connection interrupts the command that runs."""
    console = SshConsole(process)
    root = False
    process.stdout.write(motd(switch))
    while True:
        process.stdout.write(prompt(switch, root=root))
        line = await _line(process)
        if line is None or line.strip() in {"exit", "logout"}:
            if root and line is not None:
                root = False
                continue
            process.exit(0)
            return
        if line.strip() in {"sudo -s", "sudo -i", "sudo su", "sudo su -", "sudo bash"}:
            root = True
        elif line.strip():
            await _foreground(switch, process, console, line.strip())


async def _foreground(switch: MockSwitch, process: Process, console: SshConsole, line: str) -> None:
    work = switch.start(run_line(switch, line, console, "shell"))
    closed = asyncio.ensure_future(process.wait_closed())
    await asyncio.wait({work, closed}, return_when=asyncio.FIRST_COMPLETED)
    if not work.done():
        work.cancel()
    closed.cancel()
    if work.done() and not work.cancelled() and isinstance(work.exception(), SessionLostError):
        console.abort()


async def _line(process: Process) -> str | None:
    while True:
        try:
            line = await process.stdin.readline()
        except (asyncssh.BreakReceived, asyncssh.SignalReceived):
            return ""
        except asyncssh.TerminalSizeChanged:
            continue
        except (asyncssh.Error, OSError):
            return None
        return line or None


def motd(switch: MockSwitch) -> str:
    """What a login prints."""
    return f"Linux {switch.hostname} 6.1.0-29-2-amd64 #1 SMP x86_64\n"


def prompt(switch: MockSwitch, *, root: bool) -> str:
    """The prompt of bash."""
    if root:
        return f"root@{switch.hostname}:/home/{switch.spec.user}# "
    return f"{switch.spec.user}@{switch.hostname}:~$ "
