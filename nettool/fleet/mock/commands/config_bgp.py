"""`config bgp shutdown` and `startup`: sessions by admin_status, as sonic-utilities does them."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from nettool.fleet.mock.command import COMMANDS, Call, failed, ok

if TYPE_CHECKING:
    from nettool.fleet.transport.transport import Reply

_SAYS = {"down": "Shutting down", "up": "Starting up"}


@COMMANDS.add("config bgp shutdown")
async def shutdown(call: Call) -> Reply:
    """Take sessions down: `all`, or `neighbor` and its address or name."""
    return _sessions(call, "shutdown", "down")


@COMMANDS.add("config bgp startup")
async def startup(call: Call) -> Reply:
    """Bring sessions up again."""
    return _sessions(call, "startup", "up")


def _sessions(call: Call, verb: str, status: str) -> Reply:
    words = call.operands("config", "bgp", verb)
    rows = call.switch.store.running.get("BGP_NEIGHBOR", {})
    named = words[1:] if words[:1] == ("neighbor",) else ()
    wanted = [
        key for key, row in rows.items() if words == ("all",) or {key, row.get("name")} & {*named}
    ]
    if not wanted and words != ("all",):
        return failed("Error: Could not locate neighbor", 2)
    new = copy.deepcopy(call.switch.store.running)
    for key in wanted:
        new["BGP_NEIGHBOR"][key]["admin_status"] = status
    if new != call.switch.store.running:
        call.switch.store.put(new, f"bgp {verb} {' '.join(words)}", call.by)
    return ok("".join(f"{_SAYS[status]} BGP session with neighbor {key}...\n" for key in wanted))
