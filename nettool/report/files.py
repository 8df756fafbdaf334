"""The files that a plan makes: named, counted, held against a build that is at hand."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nettool.config.nos.artifact import Artifact
from nettool.core.spans import named
from nettool.fleet.deploy.pushed import Pushed
from nettool.report.folder import digest
from nettool.report.page import Table

_FEW = 5
_WRITTEN = frozenset(("config_db.json", "asternos.cfg"))
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


class FileRows:
    """Rows of the files that pass by: whoever needs the files takes them from `noted`."""

    def __init__(self, switches: Iterable[str]) -> None:
        self.rows: list[FileRow] = []
        self._switches = frozenset(switches)

    def noted(self, artifacts: Iterable[Artifact]) -> Iterator[Artifact]:
        """The files as they come, each noted."""
        for each in artifacts:
            content = each.text.encode()
            folder = "devices" if each.device in self._switches else "hosts"
            self.rows.append(
                FileRow(
                    each.device, folder, each.path, len(content), digest(content), each.unverified
                )
            )
            yield each


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
    held = [(each, _digest_of(build / each.name)) for each in files]
    missing = [each.name for each, known in held if known is None]
    return (
        *_compared(f"build {build}", [pair for pair in held if pair[1]], len(files)),
        *([f"not in the build: {_listed(missing)}"] if missing else []),
    )


def against_pushes(files: Iterable[FileRow], pushed: Mapping[str, Pushed]) -> tuple[str, ...]:
    """What was last pushed to each switch and stayed, from the copies that runs keep."""
    own = {(each.device, each.path): each for each in files}
    held, unknown = [], defaultdict(list)
    for switch, last in pushed.items():
        if last.path is None:
            unknown[last.why].append(switch)
        else:
            held.append((own[switch, last.path.name], _digest_of(last.path)))
    return (
        *(_compared("last push of each switch", held, len(held)) if held else ()),
        *(f"{named(switches, 'switches')}: {why}" for why, switches in unknown.items()),
    )


def configurations(files: Iterable[FileRow]) -> dict[str, str]:
    """The file that a push writes, of each switch."""
    return {x.device: x.path for x in files if x.folder == "devices" and x.path in _WRITTEN}


def _digest_of(path: Path) -> str | None:
    """The digest of a file, None where there is none."""
    try:
        return digest(path.read_bytes())
    except OSError:
        return None


def _compared(what: str, held: Sequence[tuple[FileRow, str | None]], count: int) -> tuple[str, ...]:
    other = [each.name for each, known in held if known != each.digest]
    same = f"{what}: {len(held) - len(other)} of {count} files are those of this report"
    return (same, *([f"other than planned: {_listed(other)}"] if other else []))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more
