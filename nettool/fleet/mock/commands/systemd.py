"""`systemd-run` timers and `systemctl` on them, and the odds and ends of a host."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from nettool.fleet.mock.command import COMMANDS, Call, failed, ok
from nettool.fleet.transport.transport import Reply

if TYPE_CHECKING:
    from nettool.fleet.mock.timers import Unit

UNITS = {"ms": 0.001, "s": 1.0, "sec": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
VALUED = (
    "--unit",
    "--on-active",
    "--description",
    "-p",
    "--property",
    "-u",
    "--on-boot",
    "--slice",
    "--timer-property",
)


_PROPERTIES = frozenset(
    {"ActiveState", "LoadState", "ActiveEnterTimestamp", "ActiveEnterTimestampMonotonic"}
)


@COMMANDS.add("systemd-run")
async def systemd_run(call: Call) -> Reply:
    """Arm a transient timer; a name that is taken is refused."""
    options, argv = _split(call.argv[1:])
    unit = options.get("--unit", options.get("-u", "run-u1")).removesuffix(".timer")
    unit = unit.removesuffix(".service")
    seconds = _seconds(options.get("--on-active", "0"))
    if seconds is None:
        return failed(f"Failed to parse argument of --on-active: {options['--on-active']}")
    if not argv:
        return failed("Command line to execute required.")
    if not call.switch.timers.arm(unit, seconds, argv):
        return failed(
            f"Failed to start transient timer unit: Unit {unit}.timer was already loaded or has "
            "a fragment file."
        )
    return Reply(
        0, "", f"Running timer as unit: {unit}.timer\nWill run service as unit: {unit}.service\n"
    )


@COMMANDS.add("systemctl stop")
async def stop(call: Call) -> Reply:
    """Stop a timer, or what it runs."""
    missing = [u for u in _units(call) if not _stop(call, u)]
    if missing:
        return failed(f"Failed to stop {missing[0]}: Unit {missing[0]} not loaded.", 5)
    return ok()


@COMMANDS.add("systemctl restart")
async def restart(call: Call) -> Reply:
    """Start the bgp container again; others are not there."""
    names = _units(call)
    missing = [name for name in names if _bare(name) != "bgp"]
    if missing:
        return failed(f"Failed to restart {missing[0]}: Unit {missing[0]} not found.", 5)
    call.switch.frr.start(call.switch.store.running)
    call.switch.journal.event("services started", "bgp")
    return ok()


@COMMANDS.add("systemctl is-active")
async def is_active(call: Call) -> Reply:
    """`active`, `activating` or `inactive` (exit 3)."""
    words = [_state(call, name) for name in _units(call)]
    status = 0 if "active" in words or any(w == "activating" for w in words) else 3
    quiet = "-q" in call.argv or "--quiet" in call.argv
    return Reply(status, "" if quiet else "\n".join(words) + "\n")


@COMMANDS.add("systemctl status")
async def status(call: Call) -> Reply:
    """The state of a unit; exit 3 where it does not run, 4 where there is none."""
    name = _units(call)[0]
    unit = call.switch.timers.get(_bare(name))
    if unit is None:
        return failed(f"Unit {name} could not be found.", 4)
    state = _state(call, name)
    text = (
        f"● {name} - {' '.join(unit.argv)}\n"
        f"     Loaded: loaded (/run/systemd/transient/{name}; transient)\n"
        f"     Active: {state} ({'waiting' if name.endswith('.timer') else 'running'})\n"
    )
    return Reply(0 if state == "active" else 3, text)


@COMMANDS.add("systemctl show")
async def show(call: Call) -> Reply:
    """The properties a script asks for: ActiveState, LoadState, and when swss began."""
    name = _units(call)[0]
    if _bare(name) == "swss":
        return ok(_began(call))
    loaded = call.switch.timers.get(_bare(name)) is not None
    lines = {
        "ActiveState": _state(call, name),
        "LoadState": "loaded" if loaded else "not-found",
    }
    wanted = _properties(call) or tuple(lines)
    values = [
        lines[w] if "--value" in call.argv else f"{w}={lines[w]}" for w in wanted if w in lines
    ]
    return ok("\n".join(values))


@COMMANDS.add("systemctl list-timers")
async def list_timers(call: Call) -> Reply:
    """The timers that wait, the next one first."""
    now = call.switch.clock.now()
    units = [u for u in call.switch.timers.list() if not u.running]
    lines = ["NEXT LEFT LAST PASSED UNIT ACTIVATES"]
    lines += [
        f"- {max(0, round(u.fires_at - now))}s left - - {u.name}.timer {u.name}.service"
        for u in units
    ]
    return ok("\n".join([*lines, "", f"{len(units)} timers listed."]))


@COMMANDS.add("systemctl list-units")
async def list_units(call: Call) -> Reply:
    """The transient units there are."""
    return ok("\n".join(_row(u) for u in call.switch.timers.list()))


@COMMANDS.add("systemctl reset-failed")
async def reset_failed(_call: Call) -> Reply:
    """Nothing fails to be reset."""
    return ok()


@COMMANDS.add("sleep")
async def sleep(call: Call) -> Reply:
    """Wait in the switch's own seconds."""
    await call.switch.clock.sleep(_seconds(call.argv[1]) or 0.0)
    return ok()


@COMMANDS.add("hostname")
async def hostname(call: Call) -> Reply:
    """The name in DEVICE_METADATA."""
    return ok(call.switch.hostname)


@COMMANDS.add("logger")
async def logger(call: Call) -> Reply:
    """A line for syslog."""
    call.switch.journal.event("syslog", " ".join(call.operands("logger")))
    return ok()


@COMMANDS.add("reboot")
async def reboot(call: Call) -> Reply:
    """Restart the switch."""
    await call.switch.reboot()
    return ok()


def _split(words: tuple[str, ...]) -> tuple[dict[str, str], tuple[str, ...]]:
    options: dict[str, str] = {}
    rest = list(words)
    while rest and rest[0].startswith("-"):
        word = rest.pop(0)
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if not equals and name in VALUED and rest:
            value = rest.pop(0)
        options[name] = value
    return options, tuple(rest)


def _seconds(text: str) -> float | None:
    found = re.findall(r"([\d.]+)\s*([a-z]*)", text)
    if not found or any(unit not in UNITS for _, unit in found):
        return None
    return sum(float(number) * UNITS[unit] for number, unit in found)


def _units(call: Call) -> tuple[str, ...]:
    return tuple(w for w in call.operands("systemctl", "") if w not in _PROPERTIES)


def _properties(call: Call) -> tuple[str, ...]:
    found = re.findall(r"(?:-p|--property)[ =]?(\S+)", " ".join(call.argv))
    return tuple(name for group in found for name in group.split(","))


def _began(call: Call) -> str:
    """When the services began, as --value prints the two properties: microseconds, date."""
    at = call.switch.began
    date = time.strftime("%a %Y-%m-%d %H:%M:%S UTC", time.gmtime(at))
    return f"{date}\n{round(at * 1e6)}"


def _bare(name: str) -> str:
    return name.removesuffix(".timer").removesuffix(".service")


def _stop(call: Call, name: str) -> bool:
    timers = call.switch.timers
    unit = timers.get(_bare(name))
    if unit is None or (name.endswith(".service") and not unit.running):
        return unit is not None
    return timers.stop(unit.name) is not None


def _state(call: Call, name: str) -> str:
    unit = call.switch.timers.get(_bare(name))
    if unit is None:
        return "inactive"
    if name.endswith(".timer"):
        return "active"
    return "activating" if unit.running else "inactive"


def _row(unit: Unit) -> str:
    return f"{unit.name}.timer loaded active {'running' if unit.running else 'waiting'}"
