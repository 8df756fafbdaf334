"""Files that are whole or not there: written aside, then renamed into place.

What is written aside is called `.NAME.new-PID`; what a killed process left so is swept by the
next one that writes NAME.
"""

from __future__ import annotations

import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from nettool.core.errors import UsageError

_MANY = 100
"""Folders from which threads save more time than they take."""
_SIDE_BY_SIDE = 8


def write_file(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write one file; the old one stays as it was until the new one is complete.

    `private`: from its first byte on its owner alone can read it. Raises UsageError where it
    cannot be written (no space, read-only, a folder in its place).
    """
    try:
        replace_file(path, content, private=private)
    except OSError as exc:
        raise UsageError(f"{path}: {exc.strerror or exc}; nothing was written") from exc


def replace_file(path: Path, content: bytes, *, private: bool = False) -> None:
    """The same, for who says itself what went wrong. Raises OSError."""
    path = path.resolve()
    sweep(path)
    aside = aside_of(path, "new")
    try:
        if private:
            aside.touch(mode=0o600)
        aside.write_bytes(content)
        if path.exists() and not private:
            shutil.copymode(path, aside)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def aside_of(path: Path, kind: str) -> Path:
    """The name beside `path` that this process writes to first (`new`) or keeps it as (`old`)."""
    return path.with_name(f".{path.name}.{kind}-{os.getpid()}")


def remove_folder(folder: Path) -> None:
    """Remove a folder and all in it; what cannot be removed stays, without a word.

    Where it holds many folders they are removed side by side: on a disk that is told at once of
    what is free, each takes a millisecond of waiting, half a minute for a build of 5,120 switches.
    """
    many = [inner for outer in _folders(folder) for inner in _folders(outer)]
    if len(many) > _MANY:
        with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
            list(pool.map(partial(shutil.rmtree, ignore_errors=True), many))
    shutil.rmtree(folder, ignore_errors=True)


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(each.path) for each in entries if each.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def sweep(path: Path) -> None:
    """Remove what processes that are gone left beside `path`.

    Where one was killed between taking the old folder away and putting the new one in its place,
    the old one is put back.
    """
    if not path.parent.is_dir():
        return
    form = re.compile(rf"\.{re.escape(path.name)}\.(new|old)-(\d{{1,9}})")
    for left in sorted(path.parent.iterdir()):
        match = form.fullmatch(left.name)
        if not match or _is_alive(int(match[2])):
            continue
        if match[1] == "old" and not path.exists():
            left.rename(path)
        elif left.is_dir() and not left.is_symlink():
            remove_folder(left)
        else:
            left.unlink(missing_ok=True)


def _is_alive(pid: int) -> bool:
    """Whether a process has this number; one of another user has, too."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True
