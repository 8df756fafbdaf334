"""Reading a switch for verify, health and backups. Nothing is written on it.

A dialect's own question comes before SONiC's; what the first one that answers says is taken.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nettool.config.nos.dialects.sonic import asic
from nettool.core.errors import UsageError
from nettool.core.written import write_file
from nettool.fleet.deploy.questions import (
    AS_NUMBERS,
    COUNTERS,
    LLDP,
    NAMES,
    OBJECTS,
    PORTS,
    SESSIONS,
    STARTED,
    Question,
)
from nettool.fleet.deploy.switch import CommandError, Switch, Tables
from nettool.fleet.transport.transport import Reply
from nettool.fleet.verify.observed import Observed, observed_of


@dataclass
class _Reading:
    switch: Switch
    instead: Mapping[str, Question]
    unread: dict[str, str] = field(default_factory=dict)
    replies: dict[str, Reply] = field(default_factory=dict)

    def see(self, name: str, question: Question) -> Any:
        """What the dialect's own question tells, else this one; empty and noted where none does."""
        own = self.instead.get(name)
        for each in (question,) if own is None else (own, question):
            try:
                seen = each.read(self._reply(each))
            except CommandError as exc:
                why = str(exc)
            else:
                return seen
        self.unread[name] = why
        return {}

    def tables_of(self, running: Tables) -> Tables | None:
        """The CONFIG_DB below `running`; None where it is that itself, or cannot be read."""
        try:
            tables = self.switch.config_db(running)
        except CommandError as exc:
            self.unread["programmed"] = str(exc)
            return {}
        return None if tables is running else tables

    def _reply(self, question: Question) -> Reply:
        """A command's reply; each is asked once."""
        if question.command not in self.replies:
            self.replies[question.command] = question.put(self.switch)
        return self.replies[question.command]


def observe(device: str, switch: Switch, instead: Mapping[str, Question] | None = None) -> Observed:
    """Everything that checks look at, in a dozen reads. Raises DeviceError, CommandError.

    `instead` are the dialect's own questions by what they ask for.
    """
    reading = _Reading(switch, instead or {})
    running = switch.running()
    below = reading.tables_of(running)
    return Observed(
        device=device,
        running=running,
        saved=switch.saved(),
        guard=str(switch.holder()) if switch.guard_waits() else "",
        ports=reading.see("ports", PORTS),
        lldp=reading.see("lldp", LLDP),
        bgp=reading.see("bgp", SESSIONS),
        as_numbers=reading.see("bgp", AS_NUMBERS),
        counters={name: reading.see(name, each) for name, each in COUNTERS.items()},
        programmed=_programmed(reading),
        unread=reading.unread,
        below=below,
        started=reading.see("started", STARTED) or "",
    )


def _programmed(reading: _Reading) -> asic.Programmed:
    objects, names = reading.see("programmed", OBJECTS), reading.see("programmed", NAMES)
    try:
        return asic.programmed(objects, names)
    except ValueError as exc:
        reading.unread.setdefault("programmed", str(exc))
        return {}


def looked_before(folder: str, device: str) -> tuple[Observed | None, str]:
    """What a verify saw of a switch, kept in `folder`; without it, why there is none.

    Both are empty where no folder is named.
    """
    if not folder:
        return None, ""
    path = Path(folder) / f"{device}.json"
    try:
        return observed_of(json.loads(path.read_text())), ""
    except OSError as exc:
        return None, f"{path}: {exc.strerror}"
    except (ValueError, KeyError, TypeError, AttributeError) as exc:
        return None, f"{path} is no look at a switch ({exc})"


def backup(switch: Switch, device: str, folder: Path, *, check: bool) -> bool:
    """Keep the running configuration in `folder`; whether that file changed.

    It is `<device>.json` where CONFIG_DB runs, `<device>.cfg` where command lines do.
    """
    ending, text = switch.kept_text()
    path = folder / f"{device}{ending}"
    if path.is_file() and path.read_text() == text:
        return False
    if not check:
        write_private(path, text)
    return True


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read: configurations hold secrets.

    Raises UsageError where it cannot be written; the old one stays as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise UsageError(f"{path.parent}: {exc.strerror}; nothing was written") from exc
    write_file(path, text.encode(), private=True)
