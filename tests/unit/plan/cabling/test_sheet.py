"""The cable plan: a row a leg, labels for both ends, and the same bytes each time."""

import csv
import io

import openpyxl
import pytest

from nettool.plan.cabling.sheet import HEAD, LABEL_HEAD, cable_rows, cells, csv_text, labels
from nettool.plan.cabling.workbook import workbook


def test_one_row_a_leg_and_two_labels(shipped_fabric):
    fabric = shipped_fabric("rail-optimized-256").fabric
    rows = list(cable_rows(fabric))
    assert len(rows) == len(fabric.links) == 384
    ends = [(r.a_device, r.a_port) for r in rows] + [(r.b_device, r.b_port) for r in rows]
    assert len(set(ends)) == 768
    assert sum(r.tier == "leaf-spine" for r in rows) == 128
    assert {r.speed for r in rows if r.tier == "leaf-spine"} == {"800G"}
    assert len(list(labels(rows))) == 768


def test_csv_and_workbook_hold_the_same_rows(shipped_fabric):
    rows = [cells(row) for row in cable_rows(shipped_fabric("rail-only-128").fabric)]
    read = list(csv.reader(io.StringIO(csv_text(HEAD, rows))))
    sheet = openpyxl.load_workbook(io.BytesIO(workbook("cabling", HEAD, rows))).active
    assert [[cell.value or "" for cell in row] for row in sheet.rows] == read
    assert read[0] == list(HEAD)


def test_text_that_looks_like_markup_survives():
    data = workbook("cabling", LABEL_HEAD, [["a<b>&\"'", "", "", "", "", "C1"]])
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    assert sheet["A2"].value == "a<b>&\"'"


def test_same_rows_same_bytes():
    assert workbook("c", ["a"], [["1"]]) == workbook("c", ["a"], [["1"]])


@pytest.mark.parametrize(
    "row",
    [
        ("a", ""), ("a b", "c"), ("a,b", "c"), ('a"b', "c"), ("a\nb", "c"), ("a\rb", "c"), ("",),
        ("a,b",), ("a", "b", "c"), (" a", "é"), (),
    ],
)  # fmt: skip
def test_csv_is_what_the_standard_writer_makes(row):
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([("x", "y"), row, ("1", "2")])
    assert csv_text(("x", "y"), iter([row, ("1", "2")])) == buffer.getvalue()
