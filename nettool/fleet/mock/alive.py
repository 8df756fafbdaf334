"""Who lives in a folder: a lock that the system takes back when its holder dies."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

_NAME = ".alive"
_SETTLED_SECONDS = 60
"""How old a lock must be before its folder counts as left behind: its holder may just begin."""


def hold(folder: Path) -> IO[str] | None:
    """The lock of a folder, held until it is closed or this process ends; None: somebody's."""
    file = (folder / _NAME).open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def forget_dead(prefix: str) -> None:
    """Remove the temporary folders of this prefix whose holder has died."""
    for lock in Path(tempfile.gettempdir()).glob(f"{prefix}*/{_NAME}"):
        with suppress(OSError):
            if time.time() - lock.stat().st_mtime < _SETTLED_SECONDS:
                continue
            held = hold(lock.parent)
            if held is not None:
                held.close()
                shutil.rmtree(lock.parent, ignore_errors=True)
