"""One push of a fabric at a time on this machine: the early, friendly refusal.

The truth is the guard on each switch; this only spares a second operator the way there.
"""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nettool.core.errors import RefusedError
from nettool.fleet.deploy.record import room


@contextmanager
def controller_lock(runs: Path, fabric: str, run: str, operator: str) -> Iterator[None]:
    """Hold the lock of one fabric. Raises RefusedError naming who holds it, or NoRecordError."""
    name = hashlib.sha256(fabric.encode()).hexdigest()[:12]
    with room(runs):
        runs.mkdir(parents=True, exist_ok=True)
        opened = (runs / f".{name}.lock").open("a+", encoding="utf-8")
    with opened as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            file.seek(0)
            raise RefusedError(f"{fabric} is being pushed by {file.read().strip()}") from exc
        with room(runs):
            file.truncate(0)
            file.write(f"{operator} (run {run})")
            file.flush()
        yield
