"""Stand-ins on a script's PATH for the switch's commands; they call back over a unix socket.

A shim sends its words, gets exit status and output, and prints them. When it is killed, the
command it stands for is interrupted too.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nettool.fleet.mock.command import Call, lookup
from nettool.fleet.mock.shell import run_command
from nettool.fleet.mock.strike import SessionLostError
from nettool.fleet.transport.transport import Reply

if TYPE_CHECKING:
    from pathlib import Path

    from nettool.fleet.mock.console import Console
    from nettool.fleet.mock.switch import MockSwitch

COMMANDS = (
    "config",
    "show",
    "sonic-cfggen",
    "sonic-db-cli",
    "sonic-db-dump",
    "systemd-run",
    "systemctl",
    "vtysh",
    "sonic-clear",
    "counterpoll",
    "pfcwd",
    "hostname",
    "reboot",
    "sleep",
    "logger",
    "ps",
    "pkill",
)
LIMIT = 1 << 26

# `_socket` and no site: a script runs dozens of these, and this starts twice as fast
SHIM = """#!{python} -ISE
import _socket, os, sys
from json import dumps, loads
words = [os.path.basename(sys.argv[0]), *sys.argv[1:]]
request = dict(session=os.environ.get("MOCK_SESSION", ""), argv=words, cwd=os.getcwd(),
               sudo=os.environ.get("MOCK_SUDO") == "1")
if "/dev/stdin" in sys.argv or "-" in sys.argv[1:]:
    request["stdin"] = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
line.connect(os.environ["MOCK_CALLS"])
line.sendall(dumps(request).encode() + b"\\n")
pieces = []
while piece := line.recv(65536):
    pieces.append(piece)
answer = loads(b"".join(pieces) or b'{{"status": 255, "stdout": "", "stderr": ""}}')
os.write(2, answer["stderr"].encode("utf-8", "surrogateescape"))
out = answer["stdout"].encode("utf-8", "surrogateescape")
while out:
    out = out[os.write(1, out):]
os._exit(answer["status"])
"""

SUDO = """#!/bin/sh
while :; do
  case "$1" in
    -u|-p|-g) shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
MOCK_SUDO=1 exec "$@"
"""


@dataclass(slots=True)
class Session:
    """A script that runs: its switch, its console, its process group."""

    switch: MockSwitch
    console: Console
    pid: int = 0
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    def kill(self) -> None:
        """End the script at once, with all it started."""
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)


class Shims:
    """The shims of a fleet, the socket they call, and the sessions they belong to."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "bin")
        self.socket = str(folder / "calls")
        self._folder = folder
        self._sessions: dict[str, Session] = {}
        self._server: asyncio.AbstractServer | None = None

    async def start(self) -> None:
        """Write the shims and listen."""
        binaries = self._folder / "bin"
        binaries.mkdir(parents=True, exist_ok=True)
        python = getattr(sys, "_base_executable", sys.executable)
        for name in COMMANDS:
            _executable(binaries / name, SHIM.format(python=python))
        _executable(binaries / "sudo", SUDO)
        self._server = await asyncio.start_unix_server(self._answer, self.socket, limit=LIMIT)

    def stop(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()

    def enlist(self, switch: MockSwitch, console: Console) -> Session:
        """A session under whose token a script's shims find their switch."""
        session = Session(switch, console)
        self._sessions[session.token] = session
        return session

    def dismiss(self, session: Session) -> None:
        """Forget a session; what a script left in the background finds no switch any more."""
        self._sessions.pop(session.token, None)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = json.loads(await reader.readline())
            session = self._sessions[request["session"]]
            reply = await _unless_killed(reader, session, request)
            answer = {"status": reply.status, "stdout": reply.stdout, "stderr": reply.stderr}
            writer.write(json.dumps(answer).encode())
            await writer.drain()
        except SessionLostError:
            session.kill()
        except (OSError, KeyError, ValueError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


async def _unless_killed(
    reader: asyncio.StreamReader, session: Session, request: dict[str, Any]
) -> Reply:
    """The reply; where the shim dies first, its command dies with it."""
    work = session.switch.start(_execute(session.switch, session.console, request))
    gone = asyncio.create_task(reader.read(1))
    await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    if not work.done():
        work.cancel()
    reply: Reply = await work
    return reply


async def _execute(switch: MockSwitch, console: Console, request: dict[str, Any]) -> Reply:
    words = tuple(switch.folder.outward(word) for word in request["argv"])
    cwd = switch.folder.outward(request["cwd"]) or "/"

    async def stdin() -> str:
        return str(request.get("stdin", ""))

    call = Call(switch, words, "script", stdin, request["sudo"], cwd, console=console)
    switch.journal.command("script", call.text)
    handler = lookup(words)
    if handler is None:
        return Reply(2, "", f"Error: No such command {' '.join(words[:2])!r}.\n")
    return await run_command(call, handler, console)


def _executable(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)
