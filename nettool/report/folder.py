"""A build folder that is whole or not there: written aside, then renamed into place."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from nettool.core.errors import UsageError

MARKER = "fabric.json"


def write_folder(out: Path, files: Iterable[tuple[str, bytes | Path]]) -> int:
    """Write `files` (path in the folder, content) as the folder `out`; returns how many.

    A content that is a path is a file of the old folder, taken over as it is.

    The old folder stays as it was until the new one is complete; it is replaced only where it
    is a build of ours or empty. Raises UsageError where it is neither, or cannot be written.
    """
    out = out.resolve()
    _refuse_foreign(out)
    aside = out.with_name(f".{out.name}.new-{os.getpid()}")
    try:
        shutil.rmtree(aside, ignore_errors=True)
        count = _fill(aside, files)
        _swap(aside, out)
    except OSError as exc:
        raise UsageError(f"{out}: {exc.strerror or exc}; nothing was changed") from exc
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return count


def _refuse_foreign(out: Path) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder to write")
    if any(out.iterdir()) and not (out / MARKER).is_file():
        raise UsageError(f"{out} is not a build of nettool (no {MARKER}); it is left alone")


def _fill(aside: Path, files: Iterable[tuple[str, bytes | Path]]) -> int:
    count = 0
    made: set[Path] = set()
    aside.mkdir(parents=True)
    for name, content in files:
        path = aside / name
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        if isinstance(content, Path):
            _take_over(content, path)
        else:
            path.write_bytes(content)
        count += 1
    return count


def _take_over(old: Path, new: Path) -> None:
    try:
        os.link(old, new)
    except OSError:
        shutil.copy2(old, new)


def _swap(aside: Path, out: Path) -> None:
    old = out.with_name(f".{out.name}.old-{os.getpid()}")
    if out.exists():
        out.rename(old)
    try:
        aside.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    shutil.rmtree(old, ignore_errors=True)
