"""The cable plan as files of a build: the sheet twice, and the labels to print."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.plan.cabling.sheet import HEAD, LABEL_HEAD, cable_rows, cells, csv_text, labels
from nettool.plan.cabling.workbook import workbook
from nettool.plan.design.fabric import Fabric


def cabling_files(fabric: Fabric) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file, in link order."""
    rows = list(cable_rows(fabric))
    yield "labels.csv", csv_text(LABEL_HEAD, labels(rows)).encode()
    sheet = [cells(row) for row in rows]
    del rows
    yield "cabling.csv", csv_text(HEAD, sheet).encode()
    yield "cabling.xlsx", workbook("cabling", HEAD, sheet)
