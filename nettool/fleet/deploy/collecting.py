"""Reading a switch for verify, health and backups. Nothing is written on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nettool.config.nos.dialects.sonic import asic, printed
from nettool.fleet.deploy.switch import Switch, last_line
from nettool.fleet.verify.observed import Observed

Parser = Callable[[str], Any]

PORTS = "show interfaces status"
SESSIONS = "sudo -n vtysh -c 'show bgp summary json'"
COUNTERS: Mapping[str, tuple[str, Parser]] = {
    "pg_drop": ("show priority-group drop counters", lambda text: printed.by_index(text, "PG")),
    "queue_drop": ("show queue counters", lambda text: printed.by_queue(text, "Drop/pkts")),
    "ecn_marked": ("show queue wredcounters", lambda t: printed.by_queue(t, "EcnMarked/pkts")),
    "storm": ("show pfcwd stats", printed.storms),
    "rx_err": ("show interfaces counters", printed.errors),
    "pfc_rx": ("show pfc counters", lambda text: printed.pfc_frames(text)["rx"]),
    "pfc_tx": ("show pfc counters", lambda text: printed.pfc_frames(text)["tx"]),
    "pfc_enabled": ("show pfc priority", printed.lossless_priorities),
}


@dataclass
class _Reading:
    switch: Switch
    unread: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str | None] = field(default_factory=dict)

    def ask(self, name: str, command: str, parse: Parser) -> Any:
        """The parsed answer of a command; empty and noted where it fails. Asked once."""
        if command not in self.texts:
            reply = self.switch.run(command)
            self.texts[command] = None if reply.status else reply.stdout
            if reply.status:
                self.unread[name] = f"exit status {reply.status}: {last_line(reply)}"
        text = self.texts[command]
        try:
            return {} if text is None else parse(text)
        except (ValueError, KeyError) as exc:
            self.unread[name] = f"{command} answered what nobody can read ({exc})"
            return {}


def observe(device: str, switch: Switch) -> Observed:
    """Everything that checks look at, in a dozen reads. Raises DeviceError, CommandError."""
    reading = _Reading(switch)
    return Observed(
        device=device,
        running=switch.running(),
        saved=switch.saved(),
        guard=str(switch.holder()) if switch.guard_waits() else "",
        ports=reading.ask("ports", PORTS, printed.port_states),
        lldp=reading.ask("lldp", "show lldp table", printed.lldp_neighbors),
        bgp=reading.ask("bgp", SESSIONS, printed.bgp_states),
        counters={name: reading.ask(name, *how) for name, how in COUNTERS.items()},
        programmed=_programmed(reading),
        unread=reading.unread,
    )


def _programmed(reading: _Reading) -> asic.Programmed:
    objects = reading.ask("programmed", asic.OBJECTS, asic.hashes)
    names = reading.ask("programmed", asic.NAMES, asic.hashes)
    try:
        return asic.programmed(objects, names)
    except ValueError as exc:
        reading.unread.setdefault("programmed", str(exc))
        return {}


def backup(switch: Switch, device: str, folder: Path, *, check: bool) -> bool:
    """Keep the running configuration in `folder/<device>.json`; whether that file changed."""
    text = json.dumps(switch.running(), indent=4, sort_keys=True) + "\n"
    path = folder / f"{device}.json"
    if path.is_file() and path.read_text() == text:
        return False
    if not check:
        write_private(path, text)
    return True


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read: configurations hold secrets."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.touch(mode=0o600)
    beside.write_text(text)
    beside.replace(path)
