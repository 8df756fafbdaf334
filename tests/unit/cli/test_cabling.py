"""`nettool cabling`: sheets out and in, and what LLDP printed held against the plan."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

FABRIC = "rail-optimized-256"
SONIC = """\
Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
{rows}
--------------------------------------------------
Total entries displayed:  2
"""
ASTERNOS = """\
Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort   RemoteDevice   RemotePort   Capability   RemotePortDescr
{rows}
"""
RIGHT = {"Ethernet0": ("node01", "nic1"), "Ethernet4": ("node02", "nic1")}
SWAPPED = {"Ethernet0": ("node02", "nic1"), "Ethernet4": ("node01", "nic1")}
OFF_RAIL = {"Ethernet0": ("node01", "nic2")}


def as_sonic(seen):
    rows = [f"{port:<13}{device:<16}{far:<16}BR" for port, (device, far) in seen.items()]
    return SONIC.format(rows="\n".join(rows))


def as_asternos(seen):
    rows = [
        f"{port.replace('Ethernet', '0/'):<12}{device:<15}{far:<13}BR   up"
        for port, (device, far) in seen.items()
    ]
    return ASTERNOS.format(rows="\n".join(rows))


def as_lldpctl(seen):
    rows = [
        {port: {"chassis": {device: {}}, "port": {"id": {"type": "ifname", "value": far}}}}
        for port, (device, far) in seen.items()
    ]
    return json.dumps({"lldp": {"interface": rows}})


FORMS = {"sonic": as_sonic, "asternos": as_asternos, "lldpctl": as_lldpctl, "json": json.dumps}


@pytest.fixture
def run(nettool):
    return partial(nettool, "cabling")


@pytest.fixture
def exported(run, tmp_path):
    """The plan as a sheet of a kind, with pieces of its text changed."""

    def make(kind, **changed):
        path = tmp_path / f"cables.{kind}"
        code, out, _ = run("export", FABRIC, "-o", path)
        assert (code, out) == (0, f"384 cable legs written to {path}\n")
        if changed:
            text = path.read_text()
            for old, new in changed.values():
                assert old in text
                text = text.replace(old, new, 1)
            path.write_text(text)
        return path

    return make


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_what_was_exported_is_imported_without_a_word(run, exported, kind):
    code, out, _ = run("import", FABRIC, exported(kind), "--exit-code")
    assert (code, out) == (0, "0 errors, 0 warnings, 0 info\n")


def test_export_as_json_says_what_was_written(run, tmp_path):
    path = tmp_path / "c.csv"
    code, out, _ = run("export", FABRIC, "-o", path, "--format", "json")
    assert (code, json.loads(out)["legs"]) == (0, 384)


def test_a_sheet_that_differs_is_a_warning_and_two_where_asked(run, exported):
    path = exported("csv", length=("400G,rs,5,", "400G,rs,7,"))
    code, out, _ = run("import", FABRIC, path)
    assert code == 0
    assert "warning CAB022 node01:nic1 to leaf01:Ethernet0: length_m is 7 in the sheet, 5" in out
    assert run("import", FABRIC, path, "--exit-code")[0] == 2
    assert run("import", FABRIC, path, "--strict")[0] == 3


@pytest.mark.parametrize("cut", [lambda text: text[: len(text) // 2], lambda text: text[:9000]])
def test_a_sheet_that_is_cut_short_is_one_error(run, exported, cut):
    path = exported("csv")
    path.write_text(cut(path.read_text()))
    code, out, _ = run("import", FABRIC, path, "--exit-code")
    assert code == 1
    assert out.count("CAB021") == 1
    assert "of 384 planned legs: " in out


def test_a_missing_row_is_an_error_with_its_ends(run, exported):
    path = exported("csv")
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    code, out, _ = run("import", FABRIC, path)
    assert (code, "no row for 1 of 384 planned legs: " in out) == (1, True)


def test_cables_joined_otherwise_are_a_difference_not_a_gap(run, exported):
    path = exported("csv", one=(",node01,", ",nodeX,"), two=(",node02,", ",node01,"),
                    three=(",nodeX,", ",node02,"))  # fmt: skip
    code, out, _ = run("import", FABRIC, path, "--exit-code")
    assert (code, "CAB021" in out, out.count("warning CAB020")) == (2, False, 2)


def test_faults_of_a_sheet_are_told_together_with_their_cells(run, exported):
    path = exported("csv", device=(",node01,", ",nodeX,"), port=(",Ethernet4,", ",Ethernet999,"))
    code, out, _ = run("import", FABRIC, path, "--exit-code", "--format", "json")
    errors = [each for each in json.loads(out)["findings"] if each["severity"] == "error"]
    assert code == 1
    assert [(each["rule"], each["key"]) for each in errors] == [
        ("CAB021", None), ("CAB003", "C2"), ("CAB004", "F3"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("export", FABRIC), "cabling export needs -o FILE"),
        (("export", FABRIC, "-o", "c.pdf"), "a cable plan is written as .csv or .xlsx"),
        (("export", FABRIC, "-o", "no/such/c.csv"), "no/such/c.csv: No such file"),
        (("import", FABRIC), "cabling import needs FILE"),
        (("import", FABRIC, "nowhere.csv"), "nowhere.csv: no such file"),
        (("import", FABRIC, Path(__file__).parent), "a folder, not a sheet"),
        (("import", FABRIC, __file__), "a cable plan is csv, tsv, xlsm, xlsx, not py"),
        (("check", FABRIC), "cabling check needs --lldp PATH"),
        (("check", FABRIC, "--lldp", "nowhere.txt"), "nowhere.txt: No such file"),
        (("mend", FABRIC), "invalid choice"),
    ],
)
def test_wrong_calls(run, words, said):
    code, out, err = run(*words)
    assert (code, said in out + err) == (64, True), out + err


def test_one_sheet_of_a_workbook(run, exported):
    path = exported("xlsx")
    assert run("import", FABRIC, path, "--sheet", "Cabling")[0] == 0
    code, _, err = run("import", FABRIC, path, "--sheet", "Old")
    assert (code, "has no sheet 'Old'; it has 'cabling'" in err) == (64, True)


def test_a_damaged_workbook(run, tmp_path):
    (tmp_path / "c.xlsx").write_bytes(b"PK\x03\x04 no more")
    code, _, err = run("import", FABRIC, tmp_path / "c.xlsx")
    assert (code, "not readable as an Excel workbook" in err) == (64, True)


@pytest.mark.parametrize("form", FORMS)
def test_right_cables_in_every_form(run, tmp_path, form):
    file = tmp_path / ("leaf01.json" if form in ("lldpctl", "json") else "leaf01.txt")
    file.write_text(FORMS[form](RIGHT))
    for given in (file, tmp_path):
        code, out, _ = run("check", FABRIC, "--lldp", given, "--exit-code")
        assert code == 0
        assert "2 of 384 cables right, 0 wrong, the rest unknown\n" in out
        assert "94 of 96 planned neighbours are not seen" in out


@pytest.mark.parametrize("form", FORMS)
def test_a_swapped_pair_in_every_form(run, tmp_path, form):
    (tmp_path / "leaf01.lldp").write_text(FORMS[form](SWAPPED))
    code, out, _ = run("check", FABRIC, "--lldp", tmp_path)
    assert code == 1
    assert "CAB030 node02:nic1 and node01:nic1 are swapped: planned leaf01:Ethernet4 and" in out
    assert (
        "0 of 384 cables right, 2 wrong, the rest unknown; 2 moves to mend it (1 swap of plugs)"
        in out
    )
    assert "  1. node02:nic1 -> node01:nic1 (other end leaf01:Ethernet0 stays; label leaf01" in out


def test_moves_as_json(run, tmp_path):
    (tmp_path / "leaf01.txt").write_text(as_sonic(OFF_RAIL))
    code, out, _ = run("check", FABRIC, "--lldp", tmp_path, "--format", "json", "--exit-code")
    said = json.loads(out)
    assert code == 2
    assert [each["rule"] for each in said["findings"]] == ["CAB036", "CAB031"]
    assert "off its rail: NIC of rail 2 on a leaf of rail 1" in said["findings"][1]["message"]
    assert said["repairs"][0]["kind"] == "chain"
    assert said["repairs"][0]["moves"][0]["put"] == ["node01:nic1"]
    assert said["summary"] == {
        "error": 1, "warning": 0, "info": 1, "planned": 384, "right": 0, "wrong": 1, "moves": 1,
        "swaps": 0,
    }  # fmt: skip


def test_all_switches_in_one_file(run, tmp_path):
    file = tmp_path / "lldp.json"
    file.write_text(json.dumps({"leaf01": RIGHT, "LEAF2": {"Ethernet0": ["node01", "nic2"]}}))
    code, out, _ = run("check", FABRIC, "--lldp", file)
    assert (code, "3 of 384 cables right" in out) == (0, True)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("leaf99.txt", as_sonic(RIGHT), "'leaf99' is no switch of the plan: did you mean"),
        ("leaf01.txt", "bash: show: command not found", "neither an LLDP table with a LocalPort"),
        ("leaf01.json", '{"Ethernet0": 5}', "neighbours in JSON are"),
        ("leaf01.json", "{", "Expecting property name"),
    ],
)
def test_what_cannot_be_read_is_an_error_of_its_file(run, tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    (tmp_path / "leaf02.txt").write_text(as_sonic({"Ethernet0": ("node01", "nic2")}))
    code, out, _ = run("check", FABRIC, "--lldp", tmp_path)
    assert code == 1
    assert f"{tmp_path / name}: error CAB037 {said}" in out
    assert "1 of 384 cables right" in out
