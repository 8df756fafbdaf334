"""`ps` and `pkill`, as far as sessions go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nettool.fleet.mock.command import COMMANDS, Call, failed, ok

if TYPE_CHECKING:
    from nettool.fleet.transport.transport import Reply


@COMMANDS.add("ps")
async def ps(call: Call) -> Reply:
    """The session of whoever asks: `ps -o sess= -p $$`."""
    if "sess=" not in call.argv:
        return failed("error: unsupported option")
    return ok(f"{call.switch.sessions.of(call.console):>7}")


@COMMANDS.add("pkill")
async def pkill(call: Call) -> Reply:
    """End a session: `pkill -KILL -s NUMBER`; exit 1 where nothing matched."""
    number = call.argv[-1]
    killed = "-s" in call.argv and number.isdecimal() and call.switch.sessions.kill(int(number))
    return ok() if killed else failed("")
