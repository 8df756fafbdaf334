"""A mock switch's bash: simple commands from a table, everything else through a real /bin/sh.

Both layers end in `run_command`: the real shell reaches it through the shims on its PATH.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from nettool.fleet.mock.command import Call, Handler, lookup
from nettool.fleet.mock.console import Console, read_all
from nettool.fleet.mock.script import run_script
from nettool.fleet.mock.strike import strike
from nettool.fleet.transport.transport import Reply

if TYPE_CHECKING:
    from nettool.fleet.mock.fault import Fault
    from nettool.fleet.mock.switch import MockSwitch

_SYNTAX = re.compile(r"[|&;<>()$`\\\n*?{}#~!]|\[")


async def run_line(switch: MockSwitch, line: str, console: Console, origin: str = "ssh") -> int:
    """Run one line as the login shell would and return its exit status."""
    switch.journal.command(origin, line)
    fault = switch.faults.strike(line, "line")
    if fault is not None:
        return await _struck_line(switch, line, console, origin, fault)
    return await _run(switch, line, console, origin)


async def run_command(call: Call, handler: Handler, console: Console) -> Reply:
    """Run one command of the table, with the fault that falls on it."""
    fault = call.switch.faults.strike(call.text)
    if fault is None:
        return await _answer(call, handler)
    call.fault = fault
    return await strike(fault, call.switch, console, lambda: _answer(call, handler))


def simple(line: str) -> tuple[tuple[str, ...], bool] | None:
    """The words of a line without shell syntax and whether sudo was given; None for the rest."""
    bare = re.sub(r"'[^']*'", "''", line)
    if _SYNTAX.search(bare) or not line.strip():
        return None
    try:
        words = shlex.split(line)
    except ValueError:
        return None
    if words[0] != "sudo":
        return tuple(words), False
    rest = words[1:]
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in {"-u", "-p"} else rest[1:]
    return (tuple(rest), True) if rest else None


async def _answer(call: Call, handler: Handler) -> Reply:
    """The handler's reply; input it cannot take ends as in the switch's own Python scripts."""
    try:
        return await handler(call)
    except (ValueError, LookupError, TypeError, AttributeError, OSError) as exc:
        trace = f"Traceback (most recent call last):\n{type(exc).__name__}: {exc}\n"
        return Reply(1, "", call.switch.folder.outward(trace))


async def _run(switch: MockSwitch, line: str, console: Console, origin: str) -> int:
    parsed = simple(line)
    handler = lookup(parsed[0]) if parsed else None
    if parsed is None or handler is None:
        return await _run_real(switch, line, console, origin, known=parsed is not None)

    async def stdin() -> str:
        return await read_all(console)

    home = switch.folder.outward(str(switch.folder.home))
    call = Call(switch, parsed[0], origin, stdin, parsed[1], home, console=console)
    reply = await run_command(call, handler, console)
    console.out(reply.stdout)
    console.err(reply.stderr)
    return reply.status


async def _run_real(
    switch: MockSwitch, line: str, console: Console, origin: str, *, known: bool
) -> int:
    fault = switch.faults.strike(line) if known else None
    if fault is not None:
        return await _struck_line(switch, line, console, origin, fault)
    return await run_script(switch, line, console)


async def _struck_line(
    switch: MockSwitch, line: str, console: Console, origin: str, fault: Fault
) -> int:
    async def go() -> Reply:
        return Reply(await _run(switch, line, console, origin), "")

    reply = await strike(fault, switch, console, go)
    console.out(reply.stdout)
    console.err(reply.stderr)
    return reply.status
