"""`config save`, `load`, `reload`, checkpoints: files and the running configuration."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from nettool.fleet.mock.command import COMMANDS, Call, failed, ok
from nettool.fleet.mock.store import SAVED

if TYPE_CHECKING:
    from nettool.fleet.transport.transport import Reply


@COMMANDS.add("config save")
async def save(call: Call) -> Reply:
    """Write running to the saved file or to another one."""
    path = call.absolute((call.operands("config", "save") or (SAVED,))[0])
    echo = f"Running command: /usr/local/bin/sonic-cfggen -d --print-data > {path}"
    if not {"-y", "--yes"} & set(call.options()):
        return failed("Aborted!")
    if call.fault is not None and call.fault.do == "full":
        call.switch.store.truncate(path, call.by)
        return failed(f"{echo}\n/bin/sh: 1: cannot create {path}: No space left on device")
    call.switch.store.save(path, call.by)
    return ok(echo)


@COMMANDS.add("config checkpoint")
async def checkpoint(call: Call) -> Reply:
    """Keep running under a name."""
    names = call.operands("config", "checkpoint")
    if not names:
        return failed("Error: Missing argument 'CHECKPOINT_NAME'.", 2)
    if call.fault is not None and call.fault.do == "full":
        return failed("Failed to create a config checkpoint\nError: No space left on device", 2)
    call.switch.store.checkpoint(names[0], call.by)
    return ok("Checkpoint created successfully.")


@COMMANDS.add("config delete-checkpoint")
async def delete_checkpoint(call: Call) -> Reply:
    """Forget a checkpoint."""
    name = call.operands("config", "delete-checkpoint")[0]
    if not call.switch.store.drop_checkpoint(name, call.by):
        return failed(
            f"Failed to delete config checkpoint\nError: Checkpoint '{name}' does not exist", 2
        )
    return ok("Checkpoint deleted successfully.")


@COMMANDS.add("config list-checkpoints")
async def list_checkpoints(call: Call) -> Reply:
    """The names of the checkpoints as JSON."""
    return ok(json.dumps(call.switch.store.checkpoints(), indent=4))
