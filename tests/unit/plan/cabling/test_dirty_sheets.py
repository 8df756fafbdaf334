"""Sheets as people keep them: each row is a sheet, and what is read of it or said about it.

All sheets mean the same two cables, NIC 1 of node01 and node02 to the first cage of leaf01; those
at the end hold faults, told all at once, each with `sheet!cell`.
"""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from nettool.plan.cabling.compare import differences
from nettool.plan.cabling.grid import read_grids
from nettool.plan.cabling.reading import read_rows

HEAD = ["a_device", "a_port", "b_device", "b_port"]
ONE = ["node01", "nic1", "leaf01", "Ethernet0"]
TWO = ["node02", "nic1", "leaf01", "Ethernet4"]
CABLES = {
    (("node01", "nic1"), ("leaf01", "Ethernet0")),
    (("node02", "nic1"), ("leaf01", "Ethernet4")),
}


def book(path, *sheets, merged=(), hidden=()):
    """A workbook of sheets as (title, rows), with merged ranges of the first."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in sheets:
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
        if title in hidden:
            sheet.sheet_state = "hidden"
    for each in merged:
        made.worksheets[0].merge_cells(each)
    made.save(path)


SHEETS = {
    "plain": [HEAD, ONE, TWO],
    "a title above the head": [["Hall 3, row B: cable plan"], HEAD, ONE, TWO],
    "title, date and blank rows": [["Cable plan"], [], ["Rev", "C"], [], HEAD, [], ONE, [], TWO],
    "notes below": [HEAD, ONE, TWO, [], ["Checked at night"], ["* spare cables in rack 4"]],
    "a total below": [HEAD, ONE, TWO, ["Total", 2]],
    "the head again on the next page": [HEAD, ONE, ["Page 2"], HEAD, TWO],
    "other words in the head": [
        ["Source Device", "Source Port", "Destination Switch", "Dest. Interface"], ONE, TWO,
    ],
    "hosts, leaves and NICs in the head": [["Server", "NIC", "Leaf", "Switch Port"], ONE, TWO],
    "sides in a row above device and port": [
        ["A end", "", "B end", ""], ["device", "port", "device", "port"], ONE, TWO,
    ],
    "columns in another order": [
        ["b_port", "a_port", "b_device", "a_device"],
        ["Ethernet0", "nic1", "leaf01", "node01"], ["Ethernet4", "nic1", "leaf01", "node02"],
    ],
    "switch first": [HEAD, [*ONE[2:], *ONE[:2]], [*TWO[2:], *TWO[:2]]],
    "lower and upper case": [HEAD, ["NODE01", "NIC1", "Leaf01", "ethernet0"],
                             ["Node02", "Nic1", "LEAF01", "ETHERNET4"]],
    "blanks that do not break": [HEAD, ["node01\u00a0", "nic1", "\u00a0leaf01", "Ethernet0"],
                                 ["node02", "nic\u00a01", "leaf01", "Ethernet4"]],
    "names with fewer zeros, or with a domain": [
        HEAD, ["node1", "nic1", "leaf1", "Ethernet0"],
        ["node02.gpu.example", "nic1", "leaf01.dc.example", "Ethernet4"],
    ],
    "panel labels of a split cage": [HEAD, [*ONE[:3], "E1/1"], [*TWO[:3], "E1/2"]],
    "slot, port and child": [HEAD, [*ONE[:3], "Eth1/1/1"], [*TWO[:3], "Eth1/1/2"]],
    "a range of children in one row": [HEAD, ["node01, node02", "nic1", "leaf01", "Eth1/1/1-2"]],
    "a range with a long dash": [HEAD, ["node01\nnode02", "nic1", "leaf01", "Eth1/1/1\u20132"]],
    "legs of one cable on several rows": [HEAD, [*ONE[:3], "E1"], [*TWO[:2], "", ""]],
    "a range that stands for several rows": [
        HEAD, [*ONE[:3], "Eth1/1/1-2"], [*TWO[:2], "", ""],
    ],
    "legs counted in a column": [
        ["Cable", "Leg", *HEAD], ["C1", 2, *TWO[:3], "E1"], ["C1", 1, *ONE[:3], "E1"],
    ],
    "device and port in one cell": [["A", "B"], ["node01:nic1", "leaf01:Ethernet0"],
                                    ["node02 nic1", "leaf01 Ethernet4"]],
    "numbers as numbers": [HEAD, ["node01", 1, "leaf01", "Ethernet0"],
                           ["node02", 1.0, "leaf01", "Ethernet4"]],
    "columns of racks and colours between": [
        ["Rack", "a_device", "U", "a_port", "Colour", "b_device", "b_port", "Remark"],
        ["R1", "node01", 12, "nic1", "blue", "leaf01", "Ethernet0", ""],
        ["R1", "node02", 14, "nic1", "blue", "leaf01", "Ethernet4", "re-run"],
    ],
    "lengths with units": [
        [*HEAD, "Length"], [*ONE, "5 m"], [*TWO, "500cm"],
    ],
    "lengths in feet": [[*HEAD, "Length"], [*ONE, "16.4042 ft"], [*TWO, "16.4042'"]],
    "lengths with commas and in words": [
        [*HEAD, "Cable length (m)"], [*ONE, "5,0"], [*TWO, "5 metres"],
    ],
    "speeds in many spellings": [[*HEAD, "Speed"], [*ONE, "400GbE"], [*TWO, "400 Gbps"]],
    "speeds as numbers": [[*HEAD, "Rate"], [*ONE, 400], [*TWO, 400000]],
    "dashes and n/a for nothing": [
        [*HEAD, "Length", "FEC", "Speed"], [*ONE, "-", "n/a", "TBD"], [*TWO, "\u2013", "?", "N/A"],
    ],
    "ditto marks": [[*HEAD, "Length"], [*ONE, "5m"], ["node02", '"', '"', "Ethernet4", '"']],
}  # fmt: skip


def read(path, fabric):
    rows, findings = read_rows(read_grids(path), fabric, path.name)
    ends = [((r.a_device, r.a_port), (r.b_device, r.b_port)) for r in (each.row for each in rows)]
    said = [f"{each.key} {each.rule}" for each in findings if each.rule != "CAB008"]
    differ = [d.message for d in differences(rows, fabric, path.name) if d.rule != "CAB021"]
    by_node = {tuple(sorted(pair, key=lambda end: end[0].startswith("leaf"))) for pair in ends}
    return by_node, said, differ


@pytest.fixture(scope="session")
def fabric(shipped_fabric):
    return shipped_fabric("rail-optimized-256").fabric


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_sheet_means_the_two_cables(fabric, tmp_path, name, kind):
    path = tmp_path / f"cables.{kind}"
    if kind == "xlsx":
        book(path, ("Cables", SHEETS[name]))
    else:
        path.write_text("\n".join(map(line, SHEETS[name])))
    assert read(path, fabric) == (CABLES, [], [])


def line(row):
    return ",".join('"' + str(cell).replace('"', '""') + '"' for cell in row)


FILES = {
    "semicolons and a mark of order": ("csv", ";", "utf-8-sig"),
    "tabs in UTF-16": ("tsv", "\t", "utf-16"),
    "bars": ("csv", "|", "utf-8"),
    "a Western code page": ("csv", ";", "cp1252"),
}


@pytest.mark.parametrize("name", FILES)
def test_text_as_spreadsheets_save_it(fabric, tmp_path, name):
    kind, mark, encoding = FILES[name]
    path = tmp_path / f"cables.{kind}"
    rows = [["Kabelplan Süd, Halle 3"], HEAD, ONE, TWO]
    path.write_bytes("\r\n".join(mark.join(row) for row in rows).encode(encoding))
    assert read(path, fabric) == (CABLES, [], [])


BOOKS = {
    "merged device and cage": (
        [("S", [HEAD, [*ONE[:3], "E1"], [*TWO[:2], None, None]])], ["C2:C3", "D2:D3"], (),
    ),
    "a merged title and merged sides": (
        [("S", [["Cables"], ["A", None, "B", None], ["host", "nic", "switch", "port"], ONE, TWO])],
        ["A1:D1", "A2:B2", "C2:D2"], (),
    ),
    "two sheets": ([("Rail 1", [HEAD, ONE]), ("Rail 1b", [["more"], HEAD, TWO])], (), ()),
    "a cover sheet, and an old plan that is hidden": (
        [("Cover", [["Hall 3"], ["Rev", "C"]]), ("Plan", [HEAD, ONE, TWO]),
         ("Old", [HEAD, ["node01", "nic1", "leaf02", "Ethernet0"]])], (), ("Old",),
    ),
    "an empty sheet": ([("Empty", []), ("Plan", [HEAD, ONE, TWO])], (), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", BOOKS)
def test_workbooks(fabric, tmp_path, name):
    sheets, merged, hidden = BOOKS[name]
    book(tmp_path / "c.xlsx", *sheets, merged=merged, hidden=hidden)
    assert read(tmp_path / "c.xlsx", fabric) == (CABLES, [], [])


FAULTS = {
    "no head": ([["just"], ["notes"]], [" CAB001"]),
    "a port is missing": ([HEAD, ["node01", "", "leaf01", "E1"]], ["S!B2 CAB002"]),
    "a dash where a port belongs": ([HEAD, ["node01", "-", "leaf01", "E1"]], ["S!B2 CAB002"]),
    "unknown devices on both sides": (
        [HEAD, ["nodeX", "nic1", "leafX", "E1"]], ["S!A2 CAB003", "S!C2 CAB003"],
    ),
    "unknown ports on both sides": (
        [HEAD, ["node01", "nic9", "leaf01", "E99"]], ["S!B2 CAB004", "S!D2 CAB004"],
    ),
    "more ports than devices": ([HEAD, ["node01-03", "nic1", "leaf01", "E1"]], ["S!A2 CAB003"]),
    "two ports here, three there": (
        [HEAD, ["node01, node02", "nic1", "leaf01", "Ethernet0-8"]], ["S!D2 CAB005"],
    ),
    "length and speed that are none": (
        [[*HEAD, "Length", "Speed"], [*ONE, "five", "fast"]], ["S!F2 CAB006", "S!E2 CAB006"],
    ),
    "a port used twice, rows apart": (
        [HEAD, ONE, [], ["note"], [*TWO[:3], "Ethernet0"]], ["S!D5 CAB007"],
    ),
    "faults in every row": (
        [["Plan"], [], HEAD, ["nodeX", "nic1", "leaf01", "E1"], [], ["node01", "", "leaf01", "E1"],
         ["node02", "nic1", "leaf01", "E77"]],
        ["S!A4 CAB003", "S!B6 CAB002", "S!D7 CAB004"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_told_all_at_once_with_their_cells(fabric, tmp_path, name):
    rows, expected = FAULTS[name]
    book(tmp_path / "c.xlsx", ("S", rows))
    _, said, _ = read(tmp_path / "c.xlsx", fabric)
    assert said == expected


def test_faults_of_two_sheets_name_their_sheet(fabric, tmp_path: Path):
    book(tmp_path / "c.xlsx", ("A", [HEAD, ["x", *ONE[1:]]]), ("B", [[], HEAD, [*TWO[:3], "E99"]]))
    assert read(tmp_path / "c.xlsx", fabric)[1] == ["A!A2 CAB003", "B!D3 CAB004"]
