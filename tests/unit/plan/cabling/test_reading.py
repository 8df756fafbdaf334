"""Sheets as people keep them become the legs that they mean, and errors carry their cells."""

import openpyxl
import pytest

from nettool.plan.cabling.grid import grid, read_grids
from nettool.plan.cabling.header import columns_of
from nettool.plan.cabling.reading import read_rows

HEAD = ["a_device", "a_port", "b_device", "b_port"]
TWO = [("node01", "leaf01", "Ethernet0"), ("node02", "leaf01", "Ethernet4")]


def legs(fabric, lines, file="plan.xlsx"):
    rows, findings = read_rows([grid("S", lines)], fabric, file)
    return [(r.row.a_device, r.row.b_device, r.row.b_port) for r in rows], findings


@pytest.mark.parametrize(
    "head",
    [
        ["Source Device", "Source Port", "Destination Switch", "Dest. Interface"],
        ["Device A", "Port A", "Device Z", "Port Z"],
        ["From Host", "From NIC", "To Switch", "To Port"],
        ["device", "port", "device", "port"],
        ["Node", "NIC", "Leaf", "Port"],
        ["localDevice", "localPort", "remoteDevice", "remotePort"],
    ],
)
def test_heads_in_many_words(head):
    assert {*columns_of(head)} == {*HEAD}


def test_a_title_is_no_head():
    assert columns_of(["Cable plan of hall 3", "", "", ""]) == {}


@pytest.mark.parametrize(
    "lines",
    [
        [["node01", "nic1", "leaf01", "Ethernet0"], ["node02", "nic1", "leaf01", "Ethernet4"]],
        [["NODE1", "NIC 1", "LEAF1", "E1/1"], ["node2", "nic-1", "leaf01", "e1_2"]],
        [["node01", "1", "leaf01", "Eth1/1/1"], ["node02", "nic1", "leaf01", "Eth1/1/2"]],
        [["node01,node02", "nic1", "leaf01", "Eth1/1/1-2"]],
        [["node01\nnode02", "nic1", "leaf01", "Ethernet0-4"]],
        [["node01; node02", "nic1", "leaf01.dc.example", "E1"]],
        [["node01", "nic1", "leaf01", "0/0"], ["node02", "nic1", "leaf01", "0/4"]],
        [["node01", "nic1", "leaf01", "E1"], ["", "", "", ""], ["node02", "nic1", "", "E1"]],
        [["node01", "nic1", "leaf01", "E1"], HEAD, ["node02", "nic1", "leaf01", "E1"]],
    ],
)
def test_spellings_mean_the_same_two_legs(shipped_fabric, lines):
    fabric = shipped_fabric("rail-optimized-256").fabric
    assert legs(fabric, [["Hall 3"], [], HEAD, *lines]) == (TWO, ())


def test_ends_in_one_cell(shipped_fabric):
    fabric = shipped_fabric("rail-optimized-256").fabric
    lines = [["A", "B"], ["node01:nic1", "leaf01:E1/1"], ["node02 nic1", "leaf01/Ethernet4"]]
    assert legs(fabric, lines) == (TWO, ())


def test_merged_cells_of_a_workbook(shipped_fabric, tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Cables"])
    sheet.append(HEAD)
    sheet.append(["node01", "nic1", "leaf01", "E1"])
    sheet.append(["node02", "nic1", None, None])
    sheet.merge_cells("C3:C4")
    sheet.merge_cells("D3:D4")
    book.save(tmp_path / "cables.xlsx")
    fabric = shipped_fabric("rail-optimized-256").fabric
    rows, findings = read_rows(read_grids(tmp_path / "cables.xlsx"), fabric, "cables.xlsx")
    assert findings == ()
    assert [(r.row.a_device, r.row.b_device, r.row.b_port) for r in rows] == TWO


def test_every_error_at_once_with_its_cell(shipped_fabric):
    fabric = shipped_fabric("rail-optimized-256").fabric
    lines = [
        [*HEAD, "length", "speed", "Remark"],
        ["nodeX", "nic1", "leaf01", "E99", "five", "fast", ""],
        ["node01", "", "leaf01", "E1", "", "", ""],
        ["node01", "nic1", "leaf01", "Ethernet0", "", "", ""],
        ["node02", "nic1", "leaf01", "Ethernet0", "", "", ""],
        ["node03-05", "nic1", "leaf01", "E3", "", "", ""],
    ]
    _, findings = legs(fabric, lines)
    assert {(each.rule, each.file, each.key) for each in findings} == {
        ("CAB008", "plan.xlsx", "S!G1"),
        ("CAB003", "plan.xlsx", "S!A2"),
        ("CAB004", "plan.xlsx", "S!D2"),
        ("CAB006", "plan.xlsx", "S!E2"),
        ("CAB006", "plan.xlsx", "S!F2"),
        ("CAB002", "plan.xlsx", "S!B3"),
        ("CAB007", "plan.xlsx", "S!D5"),
        ("CAB003", "plan.xlsx", "S!A6"),
    }


def test_no_head_is_said(shipped_fabric):
    _, findings = legs(shipped_fabric("rail-optimized-256").fabric, [["just"], ["notes"]])
    assert [each.rule for each in findings] == ["CAB001"]
