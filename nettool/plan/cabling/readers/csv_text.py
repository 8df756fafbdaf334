"""Comma, semicolon, tab or bar separated text, in the encodings that spreadsheets save."""

from __future__ import annotations

import csv
from pathlib import Path

from nettool.core.errors import UsageError
from nettool.plan.cabling.grid import READERS, Grid, grid

_DELIMITERS = ",;\t|"
_BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


@READERS.add("csv")
def read_csv(path: Path) -> tuple[Grid, ...]:
    """The one sheet of a text file; the delimiter is the one that its lines have most of."""
    text = _decoded(path)
    delimiter = max(_DELIMITERS, key=lambda each: (text.count(each), each == ","))
    try:
        rows = list(csv.reader(text.splitlines(keepends=True), delimiter=delimiter))
    except csv.Error as exc:
        raise UsageError(f"{path}: not readable as CSV: {exc}") from exc
    return (grid("", rows),)


READERS.add("tsv")(read_csv)


def _decoded(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as exc:
        raise UsageError(f"{path}: {exc.strerror}") from exc
    marked = next((name for bom, name in _BOMS.items() if data.startswith(bom)), "utf-8")
    try:
        return data.decode(marked)
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
