"""Reading the configuration: `show runningconfiguration`, `sonic-cfggen`, `sonic-db-cli`."""

from __future__ import annotations

import fnmatch
import json
from typing import TYPE_CHECKING, Any

from nettool.fleet.mock.command import COMMANDS, Call, failed, ok

if TYPE_CHECKING:
    from nettool.fleet.transport.transport import Reply

LONG = {"--from-db": "-d", "--platform-info": "-H", "--json": "-j", "--var": "-v", "--hwsku": "-k"}
VALUED = frozenset({"-j", "-v", "-k", "-n", "--var-json"})
FLAGS = frozenset({"-d", "-H", "--print-data", "--write-to-db"})


@COMMANDS.add("show runningconfiguration all")
async def running_all(call: Call) -> Reply:
    """The whole CONFIG_DB as JSON."""
    return ok(_dump(call.switch.store.running))


@COMMANDS.add("show runningconfiguration ports")
async def running_ports(call: Call) -> Reply:
    """The PORT table as JSON."""
    return ok(_dump(call.switch.store.running.get("PORT", {})))


@COMMANDS.add("sonic-cfggen")
async def cfggen(call: Call) -> Reply:
    """Print the running DB (-d), a file (-j) or the hardware's facts (-H): all, or one value."""
    options, unknown = _options(call.argv[1:])
    if unknown:
        return failed(f"sonic-cfggen: error: unrecognized arguments: {unknown}", 2)
    data: dict[str, Any] = {}
    if "-H" in options:
        _over(data, _hardware(call))
    if "-d" in options:
        _over(data, call.switch.store.running)
    if "-j" in options:
        _over(data, json.loads(await call.read(options["-j"])))
    if "--write-to-db" in options:
        call.switch.store.put(data, "sonic-cfggen", call.by)
        return ok()
    if "-v" in options:
        return ok(_value(data, options["-v"]))
    return ok(_dump(data.get(options["--var-json"], {}) if "--var-json" in options else data))


@COMMANDS.add("sonic-db-cli CONFIG_DB")
async def db_cli(call: Call) -> Reply:
    """Raw Redis reads and writes of CONFIG_DB."""
    return _redis(call, call.argv[2:])


@COMMANDS.add("sonic-db-cli PING")
async def db_ping(_call: Call) -> Reply:
    """The database answers."""
    return ok("PONG")


def _redis(call: Call, words: tuple[str, ...]) -> Reply:
    verb = words[0].lower() if words else ""
    if verb == "keys":
        return ok(_keys(call, words[1] if len(words) > 1 else "*"))
    table, _, key = words[1].partition("|") if len(words) > 1 else ("", "", "")
    row = call.switch.store.running.get(table, {}).get(key)
    if verb in {"hset", "del"}:
        change = {words[2]: words[3]} if verb == "hset" else None
        call.switch.drift({table: {key: change}}, call.by)
        return ok("1")
    answers = {
        "hgetall": "{}" if row is None else str(_flat(row)),
        "hget": "" if row is None or len(words) < 3 else _flat(row).get(words[2], ""),
        "exists": str(int(row is not None)),
    }
    return ok(answers[verb]) if verb in answers else failed(f"ERR unknown command '{verb}'")


def _keys(call: Call, pattern: str) -> str:
    found = [f"{t}|{k}" for t, rows in call.switch.store.running.items() for k in rows]
    return "\n".join(sorted(name for name in found if fnmatch.fnmatchcase(name, pattern)))


def _options(words: tuple[str, ...]) -> tuple[dict[str, str], str | None]:
    """The options by their short name, and the first word that is none."""
    rest = list(words)
    options: dict[str, str] = {}
    while rest:
        word = LONG.get(rest[0], rest[0])
        rest.pop(0)
        if word in VALUED:
            options[word] = rest.pop(0) if rest else ""
        elif word in FLAGS:
            options[word] = ""
        else:
            return options, word
    return options, None


def _flat(row: dict[str, Any]) -> dict[str, str]:
    """A row as Redis has it: lists as `field@`, an empty row as NULL."""
    if not row:
        return {"NULL": "NULL"}
    return {
        f"{name}@" if isinstance(value, list) else name: ",".join(value)
        if isinstance(value, list)
        else str(value)
        for name, value in row.items()
    }


def _hardware(call: Call) -> dict[str, Any]:
    spec = call.switch.spec
    facts = {"platform": spec.platform, "mac": spec.mac, "hwsku": spec.hwsku}
    return {"DEVICE_METADATA": {"localhost": facts}}


def _value(data: dict[str, Any], dotted: str) -> str:
    value: Any = data
    for part in dotted.replace("['", ".").replace("']", "").replace('["', ".").split("."):
        value = value.get(part, "") if isinstance(value, dict) else ""
    return str(value)


def _over(base: dict[str, Any], over: dict[str, Any]) -> None:
    for name, value in over.items():
        if isinstance(value, dict) and isinstance(base.get(name), dict):
            base[name] = dict(base[name])
            _over(base[name], value)
        else:
            base[name] = value


def _dump(data: Any) -> str:
    return json.dumps(data, indent=4, sort_keys=True)
