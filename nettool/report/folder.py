"""A build folder that is whole or not there: written aside, then renamed into place.

`files.json` in it lists every file with its digest. What an older build of the folder does not
list is not ours: it is taken over. What it lists otherwise was edited: the edited file is kept
beside the new one, as NAME.edited.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path

import orjson

from nettool.core.beside import beside
from nettool.core.errors import UsageError
from nettool.core.finding import Finding, Severity
from nettool.core.written import aside_of, remove_folder, sweep
from nettool.report.documents import document

MARKER = "fabric.json"
LISTING = "files.json"
MANIFEST = "manifest.json"
SCHEMA_VERSION = 1
_SHOWN = 5
READERS = 4
"""Threads that read and digest files: neither holds the others up."""


@dataclass(frozen=True, slots=True)
class Written:
    """How many files were written, and what of the old folder was kept though it is not ours."""

    count: int
    foreign: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    """Names that edited files were kept under."""

    def findings(self, out: Path) -> Iterator[Finding]:
        """What was kept, said to the user."""
        if self.foreign:
            yield _said(
                "BLD001", Severity.INFO, out,
                f"kept what nettool did not write: {_named(self.foreign)}",
                "move it out of the build where it is not meant to stay",
            )  # fmt: skip
        if self.edited:
            yield _said(
                "BLD002", Severity.WARNING, out,
                f"edited since nettool wrote them, kept as {_named(self.edited)}",
                "bring the change into fabric.yaml, templates/ or extra/; then remove the file",
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Old:
    """The folder before: its files, and the digests of those that nettool wrote."""

    folder: Path
    names: tuple[str, ...] = ()
    listed: Mapping[str, str] = field(default_factory=dict)

    def is_replaced(self, name: str, new: Mapping[str, str], aside: Path) -> bool:
        """Whether a file may go: it is in the new build, or it is ours and nobody edited it."""
        if name in new and not self.listed:
            return True
        path = self.folder / name
        if path.is_symlink():
            return False
        if name in new and path.samefile(aside / name):
            return True
        return digest(path.read_bytes()) in (new.get(name), self.listed.get(name))


Files = Iterable[tuple[str, bytes | Path]]
"""Path in the folder, and content; one that is a path is a file of the old folder, taken over."""


def write_folder(
    out: Path, files: Files, others: Files = (), *, apart: bool = False, marker: str = MARKER
) -> Written:
    """Write `files` and `others` as the folder `out`; `apart`, a second process makes the others.

    The old folder stays as it was until the new one is complete; it is replaced only where it
    is one of ours (it has the file `marker`, which the listing of a report names) or empty, and
    nothing in it that is not ours is lost.
    Raises UsageError where it is neither, or cannot be written.
    """
    out = out.resolve()
    if out == out.parent:
        raise UsageError(f"{out} is the root of the file system; name a folder to write")
    aside = aside_of(out, "new")
    try:
        sweep(out)
        _refuse_foreign(out, marker)
        remove_folder(aside)
        old = _read_old(out)
        aside.mkdir(parents=True)
        with beside(lambda: _put(aside, others, old), apart=apart) as rest:
            new = _put(aside, files, old) | rest()
        _list(aside, new)
        foreign, edited = _keep(aside, old, new)
        _swap(aside, out)
    except OSError as exc:
        raise UsageError(f"{out}: {exc.strerror or exc}; nothing was changed") from exc
    finally:
        remove_folder(aside)
    return Written(len(new) + 1, foreign, edited)


def digest(content: bytes) -> str:
    """The digest of a file's bytes."""
    return blake2b(content, digest_size=16).hexdigest()


def _refuse_foreign(out: Path, marker: str) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder to write")
    what = "build" if marker == MARKER else "report"
    if any(out.iterdir()) and not (out / marker).is_file():
        raise UsageError(f"{out} is not a {what} of nettool (no {marker}); it is left alone")
    if marker != MARKER and any(out.iterdir()) and marker not in listing_of(out):
        said = f"no {LISTING} that lists {marker}"  # others may call a file of theirs so
        raise UsageError(f"{out} is not a {what} of nettool ({said}); it is left alone")


def _read_old(out: Path) -> _Old:
    if not out.exists():
        return _Old(out)
    own = (LISTING, MANIFEST)
    return _Old(out, tuple(n for n in sorted(_names(out, "")) if n not in own), listing_of(out))


def listing_of(out: Path) -> dict[str, str]:
    """Digests by name of the files of a build; empty where there is no listing to be read."""
    try:
        files = orjson.loads((out / LISTING).read_bytes())["files"]
        return {str(name): str(known) for name, known in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _names(folder: Path, inside: str) -> Iterator[str]:
    """Every file below a folder, links as such."""
    with os.scandir(folder / inside) as entries:
        for entry in entries:
            name = f"{inside}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                yield from _names(folder, f"{name}/")
            else:
                yield name


def _put(aside: Path, files: Files, old: _Old) -> dict[str, str]:
    """Write every file; returns their digests by name."""
    made: set[Path] = set()
    new: dict[str, str] = {}
    for name, content in files:
        path = aside / name
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        if isinstance(content, Path):
            _take_over(content, path)
            new[name] = old.listed.get(name) or digest(content.read_bytes())
        else:
            path.write_bytes(content)
            new[name] = digest(content)
    return new


def _list(aside: Path, new: Mapping[str, str]) -> None:
    listed = {name: known for name, known in new.items() if name != MANIFEST}
    listing = {"schema_version": SCHEMA_VERSION, "files": listed}
    (aside / LISTING).write_bytes(document(listing, compact=True))


def _keep(
    aside: Path, old: _Old, new: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Take over what is not ours: files that nobody listed, and edited ones as NAME.edited."""
    foreign: list[str] = []
    edited: list[str] = []
    with ThreadPoolExecutor(READERS) as pool:
        replaced = list(pool.map(lambda name: old.is_replaced(name, new, aside), old.names))
    for name in (each for each, gone in zip(old.names, replaced, strict=True) if not gone):
        is_foreign = name not in new and name not in old.listed
        kept = name if is_foreign else _free(f"{name}.edited", old)
        (aside / kept).parent.mkdir(parents=True, exist_ok=True)
        _take_over(old.folder / name, aside / kept)
        (foreign if is_foreign else edited).append(kept)
    return tuple(foreign), tuple(edited)


def _free(name: str, old: _Old) -> str:
    """The name, or the first of it with a number that no file of the old folder has."""
    numbered = (f"{name}-{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in old.names)


def _take_over(old: Path, new: Path) -> None:
    try:
        os.link(old, new, follow_symlinks=False)
    except OSError:
        shutil.copy2(old, new, follow_symlinks=False)


def _swap(aside: Path, out: Path) -> None:
    old = aside_of(out, "old")
    if out.exists():
        out.rename(old)
    try:
        aside.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    remove_folder(old)


def _named(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _said(rule: str, severity: Severity, out: Path, message: str, hint: str) -> Finding:
    return Finding(rule=rule, severity=severity, message=message, hint=hint, file=str(out))
