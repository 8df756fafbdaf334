"""`config interface startup`, `shutdown`, `breakout`: as sonic-utilities config/main.py does them.

A breakout shuts the old ports, takes them out, waits for the chip and puts the children in. Rows
that refer to an old port stop it, unless -f takes them out as well.
"""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING

from nettool.fleet.mock.breakout import children, holding, without
from nettool.fleet.mock.command import COMMANDS, Call, failed, ok
from nettool.fleet.mock.strike import SessionLostError
from nettool.fleet.mock.updater.models import unmodelled
from nettool.fleet.transport.transport import Reply

if TYPE_CHECKING:
    from nettool.fleet.mock.spec import ConfigDb

CHIP_SECONDS = 5.0
"""How long the chip takes to let go of a port; the real command waits up to a minute."""
UNMODELLED = (
    "Below Config can not be verified, It may cause harm to the system\n"
    "Do you wish to Continue? [y/N]: \n"
    "Failed to break out Port. Error: Failed in breakout_warnUser_extraTables.\n"
)
DEPENDENCIES = (
    "Dependencies Exist. No further action will be taken\n*** Printing dependencies ***\n"
)
_TABLES = ("PORT", "PORTCHANNEL", "VLAN_SUB_INTERFACE", "LOOPBACK_INTERFACE")
_RANGE = re.compile(r"([A-Za-z]+)\[(\d+)-(\d+)\]")


@COMMANDS.add("config interface startup")
async def startup(call: Call) -> Reply:
    """Enable a port, or several named `Ethernet0,Ethernet4` or `Ethernet[0-8]`."""
    return _admin(call, "startup", "up")


@COMMANDS.add("config interface shutdown")
async def shutdown(call: Call) -> Reply:
    """Disable a port, or several."""
    return _admin(call, "shutdown", "down")


@COMMANDS.add("config interface breakout")
async def breakout(call: Call) -> Reply:
    """Change the breakout mode of a cage."""
    words, options = call.operands("config", "interface", "breakout"), set(call.options())
    if len(words) < 2:
        return failed("Usage: config interface breakout [OPTIONS] <interface_name> MODE", 2)
    parent, mode = words[:2]
    if not {"-y", "--yes"} & options:
        return failed("Aborted!")
    wrong = _wrong(call, parent, mode)
    if wrong is not None:
        return wrong
    running = call.switch.store.running
    before = running["BREAKOUT_CFG"][parent]["brkout_mode"]
    old, new = (children(call.switch.spec, parent, each) for each in (before, mode))
    held = list(holding(running, set(old)))
    said = _told(old, new)
    if unmodelled(running):
        return Reply(1, said + UNMODELLED)
    if held and not {"-f", "--force-remove-dependencies"} & options:
        rows = "".join(f"{table}|{key}\n" for table, key in held)
        return Reply(1, said + DEPENDENCIES + rows)
    return await _made(call, parent, mode, set(old), new, held, said)


def _admin(call: Call, verb: str, status: str) -> Reply:
    running = call.switch.store.running
    names = _names((call.operands("config", "interface", verb) or ("",))[0])
    known = [(table, n) for table in _TABLES for n in names if n in running.get(table, {})]
    if not known and len(names) == 1:
        return failed("Error: Interface name is invalid. Please enter a valid interface name!!", 2)
    new = copy.deepcopy(running)
    for table, name in known:
        new[table][name]["admin_status"] = status
    if new != running:
        call.switch.store.put(new, f"{verb} {', '.join(names)}", call.by)
        call.switch.wake_daemons()
    return ok()


def _names(text: str) -> list[str]:
    found = []
    for part in text.split(","):
        span = _RANGE.fullmatch(part)
        numbers = range(int(span[2]), int(span[3]) + 1) if span else ()
        found += [f"{span[1]}{n}" for n in numbers] if span else [part]
    return found


def _wrong(call: Call, parent: str, mode: str) -> Reply | None:
    """What the command says where it does nothing at all."""
    spec, running = call.switch.spec, call.switch.store.running
    rows = running.get("BREAKOUT_CFG", {})
    current = rows.get(parent, {}).get("brkout_mode")
    if not spec.breakouts:
        text = "Breakout feature is not available without platform.json file"
    elif not rows:
        text = "BREAKOUT_CFG table is NOT present in CONFIG DB"
    elif current is None:
        text = f"{parent} interface is NOT present in BREAKOUT_CFG table of CONFIG DB"
    elif parent not in spec.breakouts:
        text = f"{parent} is not a Parent port. So, Breakout Mode is not available on this port"
    elif mode not in spec.breakouts[parent]:
        text = f"Target mode {mode} is not available for the port {parent}"
    elif parent not in running.get("PORT", {}):
        text = f"{parent} is not in port_dict"
    elif current == mode:
        return ok(
            f"\nRunning Breakout Mode : {mode} \nTarget Breakout Mode : {mode}\n"
            "[WARNING] No action will be taken as current and desired Breakout Mode are same."
        )
    else:
        return None
    return Reply(1, f"[ERROR] {text}\n", "Aborted!\n")


async def _made(
    call: Call,
    parent: str,
    mode: str,
    old: set[str],
    new: dict[str, dict[str, str]],
    held: list[tuple[str, str]],
    said: str,
) -> Reply:
    switch = call.switch
    switch.store.put(_shut(switch.store.running, old), f"shut {parent}", call.by)
    switch.store.put(without(switch.store.running, old, held), f"take out {parent}", call.by)
    if call.fault is not None and call.fault.do == "partial":
        return Reply(1, f"{said}[ERROR] Port breakout Failed!!! Opting Out\n", "Aborted!\n")
    await switch.clock.sleep(CHIP_SECONDS)
    if call.fault is not None and call.fault.do == "reboot_during":
        await switch.reboot(call.fault.back)
        raise SessionLostError
    after = copy.deepcopy(switch.store.running)
    after.setdefault("PORT", {}).update(copy.deepcopy(new))
    after["BREAKOUT_CFG"][parent]["brkout_mode"] = mode
    switch.born.update(dict.fromkeys(new, switch.clock.now()))
    switch.store.put(after, f"breakout {parent} {mode}", call.by)
    return ok(
        f"{said}Breakout process got successfully completed.\n"
        "Please note loaded setting will be lost after system reboot. To preserve setting, "
        "run `config save`."
    )


def _shut(config: ConfigDb, ports: set[str]) -> ConfigDb:
    new = copy.deepcopy(config)
    for port in ports & set(new.get("PORT", {})):
        new["PORT"][port]["admin_status"] = "down"
    return new


def _told(old: dict[str, dict[str, str]], new: dict[str, dict[str, str]]) -> str:
    gone, come = (
        json.dumps({name: row["speed"] for name, row in rows.items()}, indent=4)
        for rows in (old, new)
    )
    return f"\nPorts to be deleted : \n {gone}\nPorts to be added : \n {come}\n"
