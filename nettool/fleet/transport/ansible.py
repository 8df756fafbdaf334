"""A device over Ansible's own connection, with its keys, vault, jump hosts and known hosts.

The connection object comes from an action plugin; this file needs only its `exec_command` and
`reset`. Ansible has no wall-clock limit for a command, so there is one here.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

from nettool.core.errors import DeviceError
from nettool.fleet.transport.transport import Reply


class Connection(Protocol):
    """What is used of an Ansible connection."""

    def exec_command(
        self, cmd: str, in_data: bytes | None = None, sudoable: bool = True
    ) -> tuple[int, bytes, bytes]:
        """Run a command: exit status, output, errors."""
        ...

    def reset(self) -> None:
        """Drop the connection that is kept open."""
        ...


class _TimeIsUpError(Exception):
    """A command took longer than its limit."""


class AnsibleTransport:
    """One device. `unreachable` are the exceptions by which Ansible says that it cannot be had."""

    def __init__(
        self, connection: Connection, host: str, unreachable: tuple[type[Exception], ...]
    ) -> None:
        self._connection, self._host, self._unreachable = connection, host, unreachable

    def run(self, command: str, *, stdin: str | None = None, timeout: float = 60.0) -> Reply:
        """Run one command line. Raises DeviceError with host, command and reason."""
        data = (stdin or "").encode() or None
        try:
            with _limit(timeout):
                status, out, err = self._connection.exec_command(
                    command, in_data=data, sudoable=False
                )
        except _TimeIsUpError as exc:
            asks = " (does sudo ask for a password there?)" if "sudo" in command else ""
            raise DeviceError(
                f"{self._host}: no answer to {_short(command)!r} in {timeout:.0f} s{asks}"
            ) from exc
        except self._unreachable as exc:
            raise DeviceError(f"{self._host}: {_last(str(exc))}") from exc
        return Reply(status, out.decode(errors="replace"), err.decode(errors="replace"))

    def reconnect(self) -> None:
        """Drop the connection that Ansible keeps open."""
        self._connection.reset()


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Raise _TimeIsUpError after `seconds`; in the main thread, where signals arrive."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise _TimeIsUpError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _short(command: str) -> str:
    return command if len(command) <= 60 else f"{command[:57]}..."


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "unreachable"
