"""Being told to stop: Ctrl-C, SIGTERM and the loss of the terminal end a run, never its report.

And what a run leaves behind: Ansible's workers are sessions of their own, so they are found by
the scratch folder in their environment, and ended before it goes. Where this process is killed
outright, this file, run by another one that waits for that, does so in its place.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PROCESSES = Path("/proc")
_PATIENCE = 2.0


class Stop:
    """Whether somebody asked to stop, and by which signal."""

    def __init__(self) -> None:
        self.by = ""

    def is_asked(self) -> bool:
        """True once a signal has come."""
        return bool(self.by)

    def ask(self, number: int) -> None:
        """Note the first signal; those that follow change nothing."""
        self.by = self.by or signal.Signals(number).name


@contextmanager
def stop_signals() -> Iterator[Stop]:
    """Until the end, signals ask to stop instead of ending this process.

    Outside the main thread nothing is taken. A signal that is ignored (`nohup`) stays so.
    """
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    taken = {n: handler for n, handler in before.items() if handler is not signal.SIG_IGN}
    for number in taken:
        signal.signal(number, lambda got, _frame: stop.ask(got))
    try:
        yield stop
    finally:
        for number, handler in taken.items():
            signal.signal(number, handler)


@contextmanager
def survived(*folders: str) -> Iterator[None]:
    """Until the end, should this process be killed, a small one ends who works in these folders.

    It removes them, too. What a push left half done on a switch goes back by the switch's guard.
    """
    command = [sys.executable, "-I", "-S", __file__, *folders]
    # of a session of its own, so that what ends ours does not end it
    survivor = subprocess.Popen(  # noqa: S603  # our own words
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, cwd="/",
    )  # fmt: skip
    try:
        yield
    finally:
        survivor.kill()  # before its pipe is closed, which it takes for our end
        survivor.communicate()


def end_children(scratch: str) -> None:
    """End what still runs with this scratch folder in its environment, and wait until it is gone.

    Where there is no /proc, nothing is found.
    """
    deadline = time.monotonic() + _PATIENCE
    while (left := _running_in(scratch)) and time.monotonic() < deadline:
        for process in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.02)


def _running_in(scratch: str) -> list[int]:
    """Processes whose environment names the folder; this one and what has ended are not among."""
    found = []
    for entry in _PROCESSES.glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"{scratch}/".encode() in entry.read_bytes():
                found.append(int(entry.parent.name))
    return [each for each in found if each != os.getpid()]


def _survive(folders: list[str]) -> None:
    """Wait for the end of whoever holds the other end of standard input, then clean up."""
    sys.stdin.buffer.read()
    for folder in folders:
        end_children(folder)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _survive(sys.argv[1:])
