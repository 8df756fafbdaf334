"""`config load` and `config reload`: whole files into the running configuration."""

from __future__ import annotations

import copy
import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nettool.fleet.mock.command import COMMANDS, Call, failed, ok
from nettool.fleet.mock.store import SAVED
from nettool.fleet.mock.strike import SessionLostError
from nettool.fleet.mock.updater.models import unmodelled, violation

if TYPE_CHECKING:
    from nettool.fleet.mock.spec import ConfigDb
    from nettool.fleet.transport.transport import Reply

LOCK = "/etc/sonic/reload.lock"
INIT = "/etc/sonic/init_cfg.json"
RESTART_SECONDS = 30.0


@COMMANDS.add("config load")
async def load(call: Call) -> Reply:
    """Merge a file into running: nothing is removed, nothing is checked."""
    path = (call.operands("config", "load") or (SAVED,))[0]
    if not {"-y", "--yes"} & set(call.options()):
        return failed("Aborted!")
    try:
        given = json.loads(await call.read(path))
    except OSError:
        return ok(f"The config_db file {path} doesn't exist")
    except ValueError as exc:
        return failed(str(exc))
    call.switch.store.put(_merged(call.switch.store.running, given), path, call.by)
    return ok(f"Running command: /usr/local/bin/sonic-cfggen -j {path} --write-to-db")


@COMMANDS.add("config reload")
async def reload(call: Call) -> Reply:
    """Stop the services, load a file in place of running, start them again.

    On AsterNOS the command lines that `write` saved are loaded with it (assumed).
    """
    options = set(call.options())
    if not {"-y", "--yes"} & options:
        return failed("Aborted!")
    if "-b" in options or "--bypass-lock" in options:
        return await _reload(call)
    with _lock(call) as held:
        if not held:
            return failed(f"Failed to acquire lock on {LOCK}")
        return await _reload(call)


async def _reload(call: Call) -> Reply:
    named = call.operands("config", "reload")
    path = named[0] if named else SAVED
    forced = bool({"-f", "--force"} & set(call.options()))
    try:
        text = await call.read(path)
        given = json.loads(text)
    except OSError:
        return failed(f"The config file {path} doesn't exist\nAborted!")
    except ValueError as exc:
        return failed(f"Failed to read config file {path}: {exc}\nAborted!")
    unread = path == "/dev/stdin" or (forced and not named)
    refused = None if unread else _refused(path, given)
    if refused is not None:
        return failed(f"{refused}\nAborted!")
    return await _restart(call, path, given)


def _refused(path: str, given: Any) -> str | None:
    """A named file is checked even with -f; only the default file and a pipe go unchecked."""
    bad = violation(given)
    if bad is not None:
        return f"{path} fails YANG validation! Error: {bad}"
    unknown = unmodelled(given)
    if unknown:
        return f"Config tables are missing yang models: dict_keys({unknown})"
    return None


async def _restart(call: Call, path: str, given: ConfigDb) -> Reply:
    switch = call.switch
    switch.journal.event("services stopped", path)
    fault = call.fault
    if fault is not None and fault.do == "reboot_during":
        await switch.reboot(fault.back)
        raise SessionLostError
    new = _with_system_facts(call, given)
    switch.restarting = True
    switch.store.put(new, path, call.by)
    switch.frr.start(new)
    switch.klish.boot()
    switch.begin_again()
    try:
        await switch.clock.sleep(RESTART_SECONDS)
    finally:
        switch.restarting = False
    switch.settle_daemons()
    switch.journal.event("services started", path)
    return ok(
        "Acquired lock on /etc/sonic/reload.lock\n"
        "Disabling container and routeCheck monitoring ...\n"
        "Stopping SONiC target ...\n"
        f"Running command: /usr/local/bin/sonic-cfggen -j {path} --write-to-db\n"
        "Restarting SONiC target ...\n"
        "Enabling container and routeCheck monitoring ...\n"
        "Released lock on /etc/sonic/reload.lock"
    )


def _with_system_facts(call: Call, given: ConfigDb) -> ConfigDb:
    """The file over init_cfg.json, with platform and MAC filled in where the file lacks them."""
    spec, folder = call.switch.spec, call.switch.folder
    init = folder.host(INIT)
    base: ConfigDb = json.loads(init.read_text()) if init.exists() else {}
    metadata = given.get("DEVICE_METADATA", {}).get("localhost", {})
    if not metadata.get("platform") or not metadata.get("mac"):
        facts = {"platform": spec.platform, "mac": spec.mac}
        base = _merged(base, {"DEVICE_METADATA": {"localhost": facts}})
    return _merged(base, given)


def _merged(base: ConfigDb, over: ConfigDb) -> ConfigDb:
    new = copy.deepcopy(base)
    for table, rows in over.items():
        for key, row in rows.items():
            new.setdefault(table, {}).setdefault(key, {}).update(copy.deepcopy(row))
    return new


@contextmanager
def _lock(call: Call) -> Iterator[bool]:
    with call.switch.folder.host(LOCK).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        call.switch.folder.settle(LOCK)
        yield True
