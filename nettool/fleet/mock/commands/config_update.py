"""`config apply-patch`, `replace`, `rollback`: live changes through the updater."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

from nettool.fleet.mock.command import COMMANDS, Call, failed, ok
from nettool.fleet.mock.updater.apply import UpdateError, update
from nettool.fleet.mock.updater.changes import changed_rows
from nettool.fleet.mock.updater.patch import PatchError, apply_patch, parts

if TYPE_CHECKING:
    from nettool.fleet.mock.spec import ConfigDb
    from nettool.fleet.transport.transport import Reply

DRY = frozenset({"-d", "--dry-run"})
USAGE = "Usage: config {name} [OPTIONS] {argument}\nTry 'config {name} -h' for help.\n\n"
DRY_LINE = "** DRY RUN EXECUTION **\n"


@COMMANDS.add("config apply-patch")
async def apply_a_patch(call: Call) -> Reply:
    """Apply a JSON Patch from a file or from standard input."""
    usage = USAGE.format(name="apply-patch", argument="PATCH_FILE_PATH")
    try:
        operations = await _json(call, "apply-patch")
        target = _target(call.switch.store.running, operations)
        touched = {parts(str(op["path"]))[0] for op in operations if op.get("path")}
        count = await update(call, target, touched, dry=_dry(call))
    except (UpdateError, PatchError, OSError, ValueError, KeyError) as exc:
        return failed(f"Failed to apply patch due to: {exc}\n{usage}Error: {exc}", 2)
    notes = _notes(count)
    return ok(f"{_dry_line(call)}{notes}Patch applied successfully.")


@COMMANDS.add("config replace")
async def replace(call: Call) -> Reply:
    """Go to a whole configuration, by the same way as a patch."""
    usage = USAGE.format(name="replace", argument="TARGET_FILE_PATH")
    try:
        count = await _go_to(call, await _json(call, "replace"))
    except (UpdateError, OSError, ValueError) as exc:
        return failed(f"Failed to replace config\n{usage}Error: {exc}", 2)
    return ok(f"{_dry_line(call)}{_notes(count)}Config replaced successfully.")


@COMMANDS.add("config rollback")
async def rollback(call: Call) -> Reply:
    """Go back to a checkpoint: a replace, which can be refused like any other."""
    usage = USAGE.format(name="rollback", argument="CHECKPOINT_NAME")
    names = call.operands("config", "rollback")
    target = call.switch.store.checkpoint_config(names[0]) if names else None
    try:
        if target is None:
            name = names[0] if names else ""
            raise UpdateError(f"Checkpoint '{name}' does not exist")  # noqa: TRY301  # one way out
        count = await _go_to(call, target)
    except UpdateError as exc:
        return failed(f"Failed to rollback config\n{usage}Error: {exc}", 2)
    return ok(f"{_dry_line(call)}{_notes(count)}Config rolled back successfully.")


async def _go_to(call: Call, target: ConfigDb) -> int:
    running = call.switch.store.running
    touched = {table for table, _ in changed_rows(running, target)}
    return await update(call, copy.deepcopy(target), touched, dry=_dry(call))


async def _json(call: Call, verb: str) -> Any:
    paths = call.operands("config", verb)
    if not paths:
        raise ValueError(f"Missing argument of config {verb}")
    return json.loads(await call.read(paths[0]))


def _target(running: ConfigDb, operations: Any) -> ConfigDb:
    if not isinstance(operations, list) or not all(isinstance(op, dict) for op in operations):
        raise PatchError("a patch is a list of operations")
    if any(not op.get("path") for op in operations):
        raise PatchError("Wrong patch with empty path.")
    target: ConfigDb = apply_patch(running, operations)
    return target


def _dry(call: Call) -> bool:
    return bool(DRY & set(call.options()))


def _dry_line(call: Call) -> str:
    return DRY_LINE if _dry(call) else ""


def _notes(count: int) -> str:
    plural = "" if count == 1 else "s"
    return (
        "Patch Applier: localhost: Patch application starting.\n"
        f"Patch Applier: The localhost patch was converted into {count} change{plural}"
        f"{':' if count else '.'}\n"
        "Patch Applier: localhost patch application completed.\n"
    )
