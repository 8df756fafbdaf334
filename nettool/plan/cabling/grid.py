"""A sheet as people keep it: text cells with their places, and the readers of file kinds.

A reader is one module in `readers/`, filed under a file ending. The vendor's own planning tool
writes workbooks and JSON whose schema is not public; a reader for them would be one more module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from nettool.core.errors import UsageError
from nettool.core.registry import Registry


@dataclass(frozen=True, slots=True)
class Grid:
    """One sheet: rows of stripped text cells, all as long as the longest; merged cells filled.

    `sheet` is empty where the file kind has no sheets.
    """

    sheet: str
    rows: tuple[tuple[str, ...], ...]

    def place(self, row: int, column: int) -> str:
        """`Sheet!B7` of a cell given by its indexes from 0."""
        cell = f"{column_name(column)}{row + 1}"
        return f"{self.sheet}!{cell}" if self.sheet else cell


_WHOLE = re.compile(r"\d+\.0+")
"""A number that a spreadsheet made of another."""
Reader = Callable[[Path], tuple[Grid, ...]]
READERS: Registry[Reader] = Registry("nettool.plan.cabling.readers")


def read_grids(path: Path, sheet: str | None = None) -> tuple[Grid, ...]:
    """The sheets of a file, or the one named. Raises UsageError where file or sheet is missing."""
    kind = path.suffix.lower().lstrip(".")
    if not path.is_file():
        raise UsageError(f"{path}: {'a folder, not a sheet' if path.is_dir() else 'no such file'}")
    if kind not in READERS:
        raise UsageError(f"{path}: a cable plan is {', '.join(READERS)}, not {kind or 'bare'}")
    grids = READERS[kind](path)
    if sheet is None:
        return grids
    chosen = tuple(each for each in grids if each.sheet.casefold() == sheet.casefold())
    if not chosen:
        names = ", ".join(repr(each.sheet) for each in grids if each.sheet) or "no sheets"
        raise UsageError(f"{path} has no sheet {sheet!r}; it has {names}")
    return chosen


def grid(sheet: str, rows: Iterable[Iterable[object]]) -> Grid:
    """A grid of raw cell values: numbers as people write them, rows padded to equal length."""
    texts = [[_text(value) for value in row] for row in rows]
    width = max((len(row) for row in texts), default=0)
    return Grid(sheet, tuple(tuple(row + [""] * (width - len(row))) for row in texts))


def column_name(number: int) -> str:
    """A column's letters: 0 is A, 26 is AA."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}"
    text = str(value).replace("\u00a0", " ").strip()
    return text.partition(".")[0] if _WHOLE.fullmatch(text) else text
