"""What happened on a mock switch: every command, every write, every event, with its time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal

WriteKind = Literal["running", "saved", "checkpoint", "timer", "file"]


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command as the switch received it, with its exit status once it ended (None before)."""

    at: float
    origin: str
    """`ssh`, `shell`, `klish`, `script` or `timer`."""
    text: str


@dataclass(frozen=True, slots=True)
class WriteEntry:
    """One change of something the switch keeps: running, saved file, checkpoint, timer, file."""

    at: float
    kind: WriteKind
    what: str
    by: str


@dataclass(frozen=True, slots=True)
class EventEntry:
    """Something that happens to the network: a link flap, a session reset, a restart."""

    at: float
    kind: str
    what: str


@dataclass(slots=True)
class Journal:
    """The three logs of one switch, in order of time (seconds of the monotonic clock)."""

    commands: list[CommandEntry] = field(default_factory=list)
    writes: list[WriteEntry] = field(default_factory=list)
    events: list[EventEntry] = field(default_factory=list)

    def command(self, origin: str, text: str) -> None:
        """Note a command."""
        self.commands.append(CommandEntry(time.monotonic(), origin, text))

    def wrote(self, kind: WriteKind, what: str, by: str) -> None:
        """Note a write and who made it."""
        self.writes.append(WriteEntry(time.monotonic(), kind, what, by))

    def event(self, kind: str, what: str) -> None:
        """Note an event."""
        self.events.append(EventEntry(time.monotonic(), kind, what))

    def clear(self) -> None:
        """Forget everything, so that a test can look at one step alone."""
        self.commands.clear()
        self.writes.clear()
        self.events.clear()
