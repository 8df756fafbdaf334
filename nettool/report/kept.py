"""What of an older build still holds: files of devices whose intended state did not change.

A build that keeps a manifest says of each device what its files were made from, and what they
were. A file is taken over only where the device, the tool and its templates are the same and the
file is still what was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import ValidationError

import nettool
from nettool.core.model import Model
from nettool.core.resources import shipped
from nettool.report.documents import document
from nettool.report.folder import MANIFEST, READERS, digest, listing_of

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class File:
    """One file of a build: a path is a file of the build before; and what is unverified in it."""

    device: str
    name: str
    content: bytes | Path
    unverified: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """One device of a build: the digest of its state, its files, and what is unverified in them."""

    state: str
    files: list[str] = field(default_factory=list)
    unverified: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a build was made with, and its devices by name."""

    tool: str = ""
    devices: dict[str, Made] = field(default_factory=dict)

    def text(self) -> bytes:
        """The manifest as it is written into the build."""
        rows = {
            name: {"state": each.state, "files": each.files, "unverified": each.unverified}
            for name, each in self.devices.items()
        }
        head = {"schema_version": SCHEMA_VERSION, "tool": self.tool}
        return document({**head, "devices": rows}, compact=True)


class _Written(Model):
    """The file of a manifest."""

    schema_version: Literal[1]
    tool: str
    devices: dict[str, Made]


class Rebuild:
    """A build on top of the one in a folder: what must be made again, and what is taken over.

    `now` is the manifest of the new build; its devices get their files as they are made.
    """

    def __init__(self, out: Path, now: Manifest) -> None:
        self.now = now
        self.kept = _kept(out, now)
        self.changed = tuple(name for name in now.devices if name not in self.kept)
        self._out = out

    def made(self, file: File) -> bool:
        """Note a file that was rendered; False where the old one is taken over instead."""
        if file.device in self.kept:
            return False
        device = self.now.devices[file.device]
        device.files.append(file.name)
        device.unverified.extend(file.unverified)
        return True

    def taken_over(self) -> Iterator[File]:
        """The files of the devices that did not change."""
        for device, made in self.kept.items():
            self.now.devices[device] = made
            for number, name in enumerate(made.files):
                yield File(device, name, self._out / name, () if number else made.unverified)


def read_manifest(out: Path) -> Manifest:
    """The manifest of the build in `out`; an empty one where there is none that can be read."""
    try:
        read = _Written.model_validate_json((out / MANIFEST).read_bytes())
    except (OSError, ValidationError):
        return Manifest()
    return Manifest(read.tool, read.devices)


def manifest_of(states: Mapping[str, str], *folders: Path) -> Manifest:
    """A manifest of devices that are still to be made; `folders` hold the user's templates."""
    devices = {name: Made(state) for name, state in states.items()}
    return Manifest(f"{_tool()}-{_stamp(folders)}", devices)


def _kept(out: Path, now: Manifest) -> dict[str, Made]:
    """Devices whose files in `out` are whole, listed, and what a full run would write."""
    before, listed = read_manifest(out), listing_of(out)
    if before.tool != now.tool:
        return {}
    same = {
        device: made
        for device, made in before.devices.items()
        if device in now.devices and now.devices[device].state == made.state and made.files
    }
    with ThreadPoolExecutor(READERS) as pool:
        whole = pool.map(partial(_are, out, listed), same.values())
    return {device: same[device] for device, good in zip(same, whole, strict=True) if good}


def _are(out: Path, listed: Mapping[str, str], made: Made) -> bool:
    """Whether all files of a device are still those of the listing."""
    return all(_is(out, name, listed.get(name)) for name in made.files)


def _is(out: Path, name: str, known: str | None) -> bool:
    """Whether a file of a build is still the one with this digest."""
    parts, path = PurePosixPath(name).parts, out / name
    if parts[:1] not in (("devices",), ("hosts",)) or ".." in parts or path.is_symlink():
        return False
    try:
        return digest(path.read_bytes()) == known
    except OSError:
        return False


@cache
def _tool() -> str:
    """The stamp of the tool and its templates, as they were when it started."""
    return _stamp((Path(nettool.__file__).parent, shipped("templates")))


def _stamp(folders: Iterable[Path]) -> str:
    """One digest over every file that decides what a device's files look like."""
    found = blake2b(digest_size=16)
    for folder in folders:
        for path in _sources(folder):
            found.update(path.relative_to(folder).as_posix().encode() + b"\0")
            found.update(digest(path.read_bytes()).encode())
    return found.hexdigest()


def _sources(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".pyc")
