"""Excel workbooks, streamed; a merged cell's value counts for every cell of its range."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.cell_range import CellRange

from nettool.core.errors import UsageError
from nettool.plan.cabling.grid import READERS, Grid, grid

_MERGE = re.compile(rb'<(?:\w+:)?mergeCell [^>]*?ref="([A-Z]+\d+:[A-Z]+\d+)"')
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_CHUNK = 1 << 20
_OVERLAP = 128


@READERS.add("xlsx")
def read_xlsx(path: Path) -> tuple[Grid, ...]:
    """The visible sheets of a workbook, in order. Raises UsageError where it is none."""
    try:
        merged = _merged(path)
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        try:
            return tuple(
                _filled(grid(sheet.title, sheet.iter_rows(values_only=True)), merged)
                for sheet in book.worksheets
                if sheet.sheet_state == "visible"
            )
        finally:
            book.close()
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, InvalidFileException) as exc:
        raise UsageError(f"{path}: not readable as an Excel workbook ({exc})") from exc
    except ElementTree.ParseError as exc:
        raise UsageError(f"{path}: a damaged Excel workbook ({exc})") from exc


READERS.add("xlsm")(read_xlsx)


def _filled(sheet: Grid, merged: dict[str, list[str]]) -> Grid:
    ranges = merged.get(sheet.sheet, [])
    if not ranges:
        return sheet
    rows = [list(row) for row in sheet.rows]
    for each in ranges:
        left, top, right, bottom = CellRange(each).bounds
        if top > len(rows) or left > len(rows[0]):
            continue
        value = rows[top - 1][left - 1]
        for row in rows[top - 1 : bottom]:
            row[left - 1 : right] = [value] * len(row[left - 1 : right])
    return Grid(sheet.sheet, tuple(map(tuple, rows)))


def _merged(path: Path) -> dict[str, list[str]]:
    """Merged ranges by sheet title, which a streamed read of the library leaves out."""
    with zipfile.ZipFile(path) as archive:
        relations = _tree(archive, "xl/_rels/workbook.xml.rels")
        targets = {each.attrib["Id"]: each.attrib["Target"] for each in relations}
        sheets = _tree(archive, "xl/workbook.xml").iterfind("{*}sheets/{*}sheet")
        names = {each.attrib["name"]: targets[each.attrib[_RELATION]] for each in sheets}
        known = set(archive.namelist())
        parts = {name: _part(target) for name, target in names.items()}
        return {name: list(_ranges(archive, part)) for name, part in parts.items() if part in known}


def _tree(archive: zipfile.ZipFile, part: str) -> ElementTree.Element:
    data = archive.read(part)
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise ValueError(f"{part} declares entities")
    return ElementTree.fromstring(data)  # noqa: S314 - without entities there is no bomb


def _part(target: str) -> str:
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _ranges(archive: zipfile.ZipFile, part: str) -> Iterator[str]:
    seen: dict[str, None] = {}
    with archive.open(part) as stream:
        tail = b""
        while chunk := stream.read(_CHUNK):
            for found in _MERGE.finditer(tail + chunk):
                seen[found[1].decode()] = None
            tail = chunk[-_OVERLAP:]
    yield from seen
