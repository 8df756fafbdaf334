"""What each kind of fault does to the command it falls on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from nettool.fleet.transport.transport import Reply

if TYPE_CHECKING:
    from nettool.fleet.mock.console import Console
    from nettool.fleet.mock.fault import Fault
    from nettool.fleet.mock.switch import MockSwitch

Go = Callable[[], Awaitable[Reply]]
NOISE = "\x1b[2J\x00\x07~~\ufffd{]>> %$ error? 0x1f\r\n"


class SessionLostError(Exception):
    """The session was cut before its command ran; nobody gets an answer."""


async def strike(fault: Fault, switch: MockSwitch, console: Console, go: Go) -> Reply:
    """Play the fault; `go` runs the command itself where the fault lets it run."""
    return await _ACTS[fault.do](fault, switch, console, go)


async def _fail(fault: Fault, _s: MockSwitch, _c: Console, _go: Go) -> Reply:
    return Reply(fault.status, fault.stdout, _line(fault.stderr))


async def _reply(fault: Fault, _s: MockSwitch, _c: Console, _go: Go) -> Reply:
    return Reply(0 if fault.status == 1 else fault.status, fault.stdout, _line(fault.stderr))


async def _delay(fault: Fault, switch: MockSwitch, _c: Console, go: Go) -> Reply:
    await switch.clock.sleep(fault.seconds)
    return await go()


async def _hang(fault: Fault, _s: MockSwitch, console: Console, _go: Go) -> Reply:
    console.out(fault.stdout)
    await asyncio.Event().wait()
    raise SessionLostError


async def _stuck(fault: Fault, switch: MockSwitch, console: Console, go: Go) -> Reply:
    await go()
    return await _hang(fault, switch, console, go)


async def _drop(fault: Fault, switch: MockSwitch, console: Console, _go: Go) -> Reply:
    await _cut(fault, switch, console)
    raise SessionLostError


async def _drop_during(fault: Fault, switch: MockSwitch, console: Console, go: Go) -> Reply:
    await _cut(fault, switch, console)
    return await go()


async def _drop_after(fault: Fault, switch: MockSwitch, console: Console, go: Go) -> Reply:
    reply = await go()
    await _cut(fault, switch, console)
    return reply


async def _reboot(fault: Fault, switch: MockSwitch, _c: Console, _go: Go) -> Reply:
    await switch.reboot(fault.back)
    raise SessionLostError


async def _reboot_after(fault: Fault, switch: MockSwitch, console: Console, go: Go) -> Reply:
    await go()
    return await _reboot(fault, switch, console, go)


async def _status(fault: Fault, _s: MockSwitch, _c: Console, go: Go) -> Reply:
    return replace(await go(), status=fault.status)


async def _garbage(fault: Fault, _s: MockSwitch, _c: Console, go: Go) -> Reply:
    reply = await go()
    return Reply(reply.status, fault.stdout or NOISE)


async def _drift(fault: Fault, switch: MockSwitch, _c: Console, go: Go) -> Reply:
    switch.drift(dict(fault.config))
    return await go()


async def _inside(_f: Fault, _s: MockSwitch, _c: Console, go: Go) -> Reply:
    """It strikes within the command, or in what the switch shows: they look at it themselves."""
    return await go()


async def _cut(fault: Fault, switch: MockSwitch, console: Console) -> None:
    console.abort()
    if fault.back != 0.0:
        await switch.cut(fault.back)


def _line(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


_ACTS: dict[str, Callable[[Fault, MockSwitch, Console, Go], Awaitable[Reply]]] = {
    "fail": _fail,
    "reply": _reply,
    "delay": _delay,
    "hang": _hang,
    "stuck": _stuck,
    "stuck_during": _inside,
    "drop": _drop,
    "drop_during": _drop_during,
    "drop_after": _drop_after,
    "reboot": _reboot,
    "reboot_during": _inside,
    "reboot_after": _reboot_after,
    "status": _status,
    "garbage": _garbage,
    "drift": _drift,
    "partial": _inside,
    "full": _inside,
    "refuse": _inside,
    "auth": _inside,
    "unprogrammed": _inside,
    "forgotten": _inside,
    "late": _inside,
}
