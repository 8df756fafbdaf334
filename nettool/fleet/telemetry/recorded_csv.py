"""A trace as a sheet: one counter a row, as most stores of counters export them.

    time,device,kind,place,value
    2026-03-01T10:00:00Z,leaf01,pfc_tx,Ethernet8|3,40

`started` may be a column too. Rows of one time and switch are one look.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Report
from nettool.core.located import Located
from nettool.core.source import Source, SourceMap

COLUMNS = ("time", "device", "kind", "place", "value")
_OPTIONAL = ("started",)


def parse_sheet(text: str, file: str, at: Located) -> Source:
    """The rows as the data of a trace file, each with its line. Raises FindingsError."""
    places = at.places
    rows = csv.reader(io.StringIO(text))
    try:
        head = next(rows, [])
        if faults := list(_columns(head, at)):
            raise FindingsError(Report.of(faults))
        looks, faults = _looks([(rows.line_num, row) for row in rows if row], head, at)
    except csv.Error as exc:
        places.values[()] = (rows.line_num, 1)
        raise FindingsError(Report.of([at.said(f"not a sheet: {exc}", ())])) from exc
    if faults:
        raise FindingsError(Report.of(faults))
    return Source({"samples": looks}, SourceMap(file, places.values, places.keys))


def _columns(head: list[str], at: Located) -> Iterator[Finding]:
    at.places.values[()] = (1, 1)
    for name in COLUMNS:
        if name not in head:
            yield at.said(f"column {name!r} is expected; given {', '.join(head)!r:.80}", ())
    for name in head:
        if name not in (*COLUMNS, *_OPTIONAL):
            close = get_close_matches(name, (*COLUMNS, *_OPTIONAL), n=1)
            near = f"; did you mean {close[0]!r}?" if close else ""
            yield at.said(f"unknown column {name!r:.60}{near}", ())
        elif head.count(name) > 1:
            yield at.said(f"column {name!r} stands twice", ())


def _looks(
    rows: list[tuple[int, list[str]]], head: list[str], at: Located
) -> tuple[list[dict[str, Any]], list[Finding]]:
    """The looks of rows with their line, and what is wrong with rows as such."""
    looks: dict[tuple[str, str], tuple[int, dict[str, Any]]] = {}
    faults: list[Finding] = []
    places = at.places
    for line, row in rows:
        places.values[(line,)] = (line, 1)
        if len(row) != len(head):
            faults.append(at.said(f"{len(head)} cells are expected, not {len(row)}", (line,)))
            continue
        cells = dict(zip(head, row, strict=True))
        key = (cells["time"], cells["device"])
        number, look = looks.setdefault(key, (len(looks), _look(cells)))
        path = ("samples", number, "counters", cells["kind"])
        for each in (path[:2], path, (*path, cells["place"])):
            places.keys.setdefault(each, (line, 1))
            places.values.setdefault(each, (line, 1))
        counted = look["counters"].setdefault(cells["kind"], {})
        if cells["place"] in counted:
            said = f"{cells['kind']} of {cells['place']} stands twice at {cells['time']}"
            faults.append(at.said(said, (line,)))
        counted[cells["place"]] = _number(cells["value"])
    return [look for _, look in looks.values()], faults


def _look(cells: dict[str, str]) -> dict[str, Any]:
    own = {name: cells[name] for name in ("time", "device", *_OPTIONAL) if name in cells}
    return {**own, "counters": {}}


def _number(cell: str) -> int | str:
    """A whole number as such; other text as it is, for the model to refuse."""
    text = cell.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 20 else cell
