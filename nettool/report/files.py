"""The files that a plan makes: named, counted, held against a build that is at hand."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nettool.config.nos.artifact import Artifact
from nettool.core.spans import named
from nettool.report.folder import digest
from nettool.report.page import Table

_FEW = 5
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file of a device: where it stands in a build, bytes, digest, what is unverified in it."""

    device: str
    folder: str
    path: str
    size: int
    digest: str
    unverified: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its place in a build."""
        return f"{self.folder}/{self.device}/{self.path}"


def file_rows(artifacts: Iterable[Artifact], switches: Iterable[str]) -> Iterator[FileRow]:
    """A row for every rendered file."""
    known = frozenset(switches)
    for each in artifacts:
        content = each.text.encode()
        folder = "devices" if each.device in known else "hosts"
        yield FileRow(
            each.device, folder, each.path, len(content), digest(content), tuple(each.unverified)
        )


def file_table(files: Iterable[FileRow]) -> Table:
    """Files of one name in a row."""
    alike: dict[tuple[str, str], list[FileRow]] = {}
    for each in files:
        alike.setdefault((each.folder, each.path), []).append(each)
    rows = [
        (path, named([x.device for x in found], folder), len(found), sum(x.size for x in found),
         sum(len(x.unverified) for x in found))
        for (folder, path), found in alike.items()
    ]  # fmt: skip
    return Table(("file", "of", "files", "bytes", "unverified"), rows)


def unverified_table(files: Iterable[FileRow]) -> Table:
    """What nobody has proved on hardware; lines that differ in their numbers alone are one row."""
    found: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for each in files:
        for text in each.unverified:
            key = (each.folder, each.path, _NUMBER.sub("#", text))
            found.setdefault(key, []).append((text, each.device))
    rows = []
    for (folder, path, _), told in found.items():
        texts, devices = dict.fromkeys(text for text, _ in told), [name for _, name in told]
        more = f" (and {len(texts) - 1} alike)" if len(texts) > 1 else ""
        rows.append((path, next(iter(texts)) + more, named(devices, folder), len(told)))
    head = ("file", "unverified on hardware", "of", "number")
    return Table(head, rows)


def listing(files: Iterable[FileRow]) -> bytes:
    """Every file as CSV, with the digest that files.json of a build gives it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("file", "bytes", "digest", "unverified"))
    for each in files:
        writer.writerow((each.name, each.size, each.digest, len(each.unverified)))
    return out.getvalue().encode()


def against_build(files: Sequence[FileRow], build: Path) -> tuple[str, ...]:
    """What a build folder holds of these files: the same, others, or none of that name."""
    same, other, missing = 0, [], []
    for each in files:
        try:
            content = (build / each.name).read_bytes()
        except OSError:
            missing.append(each.name)
            continue
        if digest(content) == each.digest:
            same += 1
        else:
            other.append(each.name)
    return (
        f"build {build}: {same} of {len(files)} files are those of this report",
        *([f"other than planned: {_listed(other)}"] if other else []),
        *([f"not in the build: {_listed(missing)}"] if missing else []),
    )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more
