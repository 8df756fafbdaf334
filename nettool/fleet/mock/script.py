"""Lines with shell syntax: a real /bin/sh in the switch's folder, with shims for its commands."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from nettool.fleet.mock.folder import Outward

if TYPE_CHECKING:
    from collections.abc import Callable

    from nettool.fleet.mock.console import Console
    from nettool.fleet.mock.switch import MockSwitch

_READS_SCRIPT = re.compile(r"(?:^|[\s;&|/])(?:ba|da)?sh(?:\s+-[a-z]*s\b[^;&|]*)?\s*$")
CHUNK = 65536


async def run_script(switch: MockSwitch, line: str, console: Console) -> int:
    """Run `line` by /bin/sh and return its exit status; output streams to the console.

    Where the console is gone the script goes on until it writes, as on a switch without a tty.
    """
    session = switch.scripts.enlist(switch, console)
    shell = await _spawn(switch, line, session.token)
    session.pid = shell.pid
    switch.processes.add(shell.pid)
    feeder = asyncio.create_task(_feed(switch, line, shell.stdin, console))
    try:
        await asyncio.gather(
            _drain(switch, shell.stdout, console.out), _drain(switch, shell.stderr, console.err)
        )
        return _status(await shell.wait())
    finally:
        feeder.cancel()
        _close(shell)
        await shell.wait()
        switch.processes.discard(shell.pid)
        switch.scripts.dismiss(session)
        switch.note_files(line)


async def _spawn(switch: MockSwitch, line: str, token: str) -> asyncio.subprocess.Process:
    home = switch.folder.home
    environment = {
        "PATH": f"{switch.scripts.path}:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": str(home),
        "USER": switch.spec.user,
        "LOGNAME": switch.spec.user,
        "TMPDIR": str(switch.folder.host("/tmp")),  # noqa: S108  # inside the switch's folder
        "LANG": "C.UTF-8",
        "MOCK_CALLS": switch.scripts.socket,
        "MOCK_SESSION": token,
    }
    return await asyncio.create_subprocess_exec(
        "/bin/sh",
        "-c",
        switch.folder.inward(line),
        cwd=home,
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )


async def _feed(
    switch: MockSwitch, line: str, pipe: asyncio.StreamWriter | None, console: Console
) -> None:
    assert pipe is not None  # noqa: S101  # stdin=PIPE above
    script = _READS_SCRIPT.search(line) is not None
    try:
        while piece := await console.chunk():
            text = switch.folder.inward(piece) if script else piece
            pipe.write(text.encode("utf-8", "surrogateescape"))
            await pipe.drain()
        pipe.close()
    except (BrokenPipeError, ConnectionResetError):
        return


async def _drain(
    switch: MockSwitch, pipe: asyncio.StreamReader | None, write: Callable[[str], bool]
) -> None:
    assert pipe is not None  # noqa: S101  # PIPE above
    outward = Outward(switch.folder)
    listening = True
    while listening and (data := await pipe.read(CHUNK)):
        listening = write(outward.feed(data.decode("utf-8", "surrogateescape")))
    if listening:
        write(outward.flush())
    else:
        _hang_up(pipe)


def _close(shell: asyncio.subprocess.Process) -> None:
    """Close its pipes, which what it left in the background may hold, and end it if it runs."""
    transport = shell._transport  # type: ignore[attr-defined]  # there is no public way
    transport.close()


def _hang_up(pipe: asyncio.StreamReader) -> None:
    """Close our end, so that the script's next write fails."""
    transport = pipe._transport  # type: ignore[attr-defined]  # there is no public way
    transport.close()


def _status(code: int) -> int:
    """A shell's own convention for a death by signal."""
    return code if code >= 0 else 128 - code
