"""The one protocol to a device: run a line, get its output and exit status."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Reply:
    """What a command gave: exit status, standard output, standard error."""

    status: int
    stdout: str
    stderr: str = ""


class Transport(Protocol):
    """A connection to one device. Raises DeviceError where the device cannot be reached."""

    def run(self, command: str, *, stdin: str | None = None, timeout: float = 60.0) -> Reply:
        """Run one command line; `stdin` is fed to it."""
        ...

    def reconnect(self) -> None:
        """Drop the connection, so that the next command proves the device is reachable."""
        ...
