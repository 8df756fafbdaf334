"""The updater itself: validate, order, apply change by change, compare. No lock, no way back."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from nettool.fleet.mock.strike import SessionLostError
from nettool.fleet.mock.updater.changes import changed_rows
from nettool.fleet.mock.updater.models import violation
from nettool.fleet.mock.updater.order import steps
from nettool.fleet.mock.updater.refusals import refusal
from nettool.fleet.mock.updater.rules import updater_rules

if TYPE_CHECKING:
    from nettool.fleet.mock.command import Call
    from nettool.fleet.mock.spec import ConfigDb

SECONDS_A_CHANGE = 1.0


class UpdateError(Exception):
    """The updater gave up; what it had changed stays."""


async def update(call: Call, target: ConfigDb, touched: Iterable[str], *, dry: bool) -> int:
    """Bring running to `target` and return the number of changes it took.

    A fault of kind partial, stuck_during or reboot_during strikes after its `changes`.
    """
    switch = call.switch
    old = switch.store.running
    why = refusal(switch.spec, old, target, touched)
    if why is not None:
        raise UpdateError(why)
    bad = violation(target)
    if bad is not None:
        raise UpdateError(f"Given patch will produce invalid config. Error: {bad}")
    states = [old, *steps(copy.deepcopy(old), target)]
    count = len(states) - 1
    if dry:
        return count
    for number, (before, after) in enumerate(pairwise(states)):
        await _interrupt(call, number)
        new = _carry(switch.store.running, before, after)
        switch.store.put(new, f"change {number + 1}/{count}", call.by)
        await switch.clock.sleep(SECONDS_A_CHANGE)
    await _interrupt(call, count)
    switch.wake_daemons()
    if _compared(switch.store.running) != _compared(target):
        raise UpdateError(
            "localhost: after applying patch to config, there are still some parts not updated"
        )
    return count


async def _interrupt(call: Call, done: int) -> None:
    fault = call.fault
    if fault is None or fault.changes != done:
        return
    match fault.do:
        case "partial":
            raise UpdateError(fault.stderr or "localhost: change could not be applied")
        case "stuck_during":
            await asyncio.Event().wait()
        case "reboot_during":
            await call.switch.reboot(fault.back)
            raise SessionLostError
        case _:
            return


def _carry(running: ConfigDb, before: ConfigDb, after: ConfigDb) -> ConfigDb:
    """Running with the rows that differ between two states; what others changed stays."""
    new = dict(running)
    for table, key in changed_rows(before, after):
        rows = dict(new.get(table, {}))
        rows.pop(key, None)
        if key in after.get(table, {}):
            rows[key] = after[table][key]
        new[table] = rows
        if not rows:
            del new[table]
    return new


def _compared(config: ConfigDb) -> ConfigDb:
    backend = updater_rules()["backend_tables"]
    return {table: rows for table, rows in config.items() if table not in backend}
