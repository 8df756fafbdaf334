"""An SSH session on a mock switch: one command, or a dialogue with prompts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from nettool.fleet.mock.klish import klish
from nettool.fleet.mock.shell import run_line
from nettool.fleet.mock.strike import SessionLostError
from nettool.fleet.mock.terminal import Process, SshConsole

if TYPE_CHECKING:
    from nettool.fleet.mock.switch import MockSwitch

BECOME_ROOT = frozenset({"sudo -s", "sudo -i", "sudo su", "sudo su -", "sudo bash"})


async def serve_session(switch: MockSwitch, process: Process) -> None:
    """Serve one session to its end."""
    console = SshConsole(process)
    if process.command is None:
        console.out(motd(switch))
        number = switch.sessions.open(console)
        await bash(switch, console)
        switch.sessions.close(number)
        process.exit(0)
        return
    # the work is the switch's: without a terminal it outlives a lost connection
    work = switch.start(run_line(switch, process.command, console))
    try:
        process.exit(await asyncio.shield(work))
    except (SessionLostError, asyncio.CancelledError):
        process.channel.get_connection().abort()


async def bash(switch: MockSwitch, console: SshConsole) -> None:
    """A bash prompt until `exit` or a hang-up; AsterNOS has `sonic-cli` in it."""
    root = False
    while console.out(prompt(switch, root=root)):
        line = await console.line()
        if line is None or line in {"exit", "logout"}:
            if root and line is not None:
                root = False
                continue
            return
        if line in BECOME_ROOT:
            root = True
        elif line == "sonic-cli" and switch.spec.nos == "asternos":
            await klish(switch, console, bash)
        elif line:
            await console.foreground(switch, run_line(switch, line, console, "shell"))


def motd(switch: MockSwitch) -> str:
    """What a login prints."""
    return f"Linux {switch.hostname} 6.1.0-29-2-amd64 #1 SMP x86_64\n"


def prompt(switch: MockSwitch, *, root: bool) -> str:
    """The prompt of bash."""
    if root:
        return f"root@{switch.hostname}:/home/{switch.spec.user}# "
    return f"{switch.spec.user}@{switch.hostname}:~$ "
