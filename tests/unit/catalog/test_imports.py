"""Import of SONiC platforms: real shapes in small, re-entered from public device folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.catalog.imports import About, import_platform, write_import
from nettool.core.errors import UsageError
from nettool.core.provenance import Trust

PLATFORMS = Path(__file__).parent / "platforms"


def ports(name, sku, **about):
    model = import_platform(PLATFORMS / name, about=About(**about)).model
    layout = model.layout(sku)
    return [
        (p.name, ",".join(map(str, p.lanes)), p.alias, p.index, p.subport, p.speed, p.fec)
        for p in (*layout.slots, *layout.extras)
    ]


SKUS = [
    ("scattered", "whole", [
        ("Ethernet0", "137,138,139,140,141,142,143,144", "etp1", 0, 0, 800_000, "rs"),
        ("Ethernet8", "153,154,155,156,157,158,159,160", "etp2", 1, 0, 800_000, "rs"),
        ("Ethernet16", "9,10,11,12,13,14,15,16", "etp3", 2, 0, 800_000, "none"),
    ]),
    ("scattered", "mixed", [
        ("Ethernet0", "137,138,139,140", "etp1a", 0, 1, 400_000, "rs"),
        ("Ethernet4", "141,142,143,144", "etp1b", 0, 2, 400_000, "rs"),
        ("Ethernet8", "153,154,155,156", "etp2a", 1, 1, 400_000, "rs"),
        ("Ethernet12", "157,158", "etp2c", 1, 2, 200_000, "rs"),
        ("Ethernet14", "159,160", "etp2d", 1, 3, 200_000, "rs"),
    ]),
    ("from-one", "only", [
        ("Ethernet1", "1,2,3,4,5,6,7,8", "eightHundredGigE0/1", 1, 0, 800_000, "rs"),
        ("Ethernet9", "9,10,11,12", "fourHundredGigE0/2/1", 2, 1, 400_000, "rs"),
        ("Ethernet13", "13,14,15,16", "fourHundredGigE0/2/2", 2, 2, 400_000, "rs"),
    ]),
    ("step-one", "flat", [
        ("Ethernet1", "89,90,91,92,93,94,95,96", "fourHundredGigE1", 1, 0, 400_000, "rs"),
        ("Ethernet2", "81,82,83,84,85,86,87,88", "fourHundredGigE2", 2, 0, 400_000, "rs"),
        ("Ethernet3", "252,251,250,249,1,2,3,4", "fourHundredGigE3", 3, 0, 400_000, "rs"),
    ]),
    ("slashed", "plain", [
        ("Ethernet0", "17,18,19,20", "Ethernet1/1", 1, 0, 100_000, "none"),
        ("Ethernet8", "1,2,3,4", "Ethernet2/1", 2, 1, 400_000, "rs"),
        ("Ethernet12", "5,6,7,8", "Ethernet2/5", 2, 2, 400_000, "rs"),
        ("Ethernet512", "515", "Ethernet65", 65, 0, 10_000, "none"),
    ]),
    ("ini-only", "wide", [
        ("Ethernet0", "8,7,6,5,4,3,2,1", "etp1", 1, 0, 800_000, "rs"),
        ("Ethernet8", "16,15,14,13,12,11,10,9", "etp2", 2, 0, 800_000, "rs"),
    ]),
    ("ini-only", "split", [
        ("Ethernet0", "8,7,6,5", "etp1a", 1, 1, 400_000, "rs"),
        ("Ethernet4", "4,3,2,1", "etp1b", 1, 2, 400_000, "rs"),
        ("Ethernet8", "16,15,14,13", "etp2a", 2, 0, 100_000, "none"),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "sku", "expected"), SKUS, ids=[f"{x[0]}-{x[1]}" for x in SKUS])
def test_ports_are_the_files_own(name, sku, expected):
    assert ports(name, sku) == expected


def test_sfp_ports_beside_wide_cages_are_extras():
    model = import_platform(PLATFORMS / "slashed").model
    assert [each.port for each in model.extras] == ["Ethernet512"]
    assert [each.port for each in model.cages] == ["Ethernet0", "Ethernet8"]


@pytest.mark.parametrize(
    ("name", "numbers"), [("scattered", [1, 2, 3]), ("slashed", [1, 2]), ("step-one", [1, 2, 3])]
)
def test_cages_count_from_1_whatever_the_index(name, numbers):
    assert [each.cage for each in import_platform(PLATFORMS / name).model.cages] == numbers


def test_equal_headroom_rows_become_one_table():
    imported = import_platform(PLATFORMS / "scattered", about=About(source="a public document"))
    (table,) = imported.tables
    assert table.row(400_000, 3).xoff == 129_920
    assert (table.row(800_000, 5).threshold, table.row(800_000, 5).xon_offset) == (-2, 13_824)
    assert {each.headroom for each in imported.model.skus} == {table.name}
    assert table.source == "a public document/pg_profile_lookup.ini"


def test_what_the_files_do_not_say_comes_from_the_user():
    about = About(name="box 1", vendor="Acme", asic="th5", trust=Trust.REFERENCE_BOARD)
    model = import_platform(PLATFORMS / "from-one", about=about).model
    assert (model.name, model.vendor, model.variant().asic) == ("box-1", "Acme", "th5")
    assert model.layout().slots[0].lane_trust is Trust.REFERENCE_BOARD


def test_an_unknown_chip_is_said_not_guessed():
    variant = import_platform(PLATFORMS / "from-one").model.variant()
    assert (variant.asic, variant.trust) == ("unknown", Trust.UNVERIFIED)


def test_one_sku_folder_finds_the_platform_above_it():
    model = import_platform(PLATFORMS / "scattered" / "mixed").model
    assert [each.name for each in model.skus] == ["mixed"]
    assert len(model.cages) == 3


def found(imported):
    return [
        (x.rule, str(x.severity), Path(x.file).name, x.line, x.message)
        for x in imported.report.findings
    ]


def test_differences_between_the_files_are_told():
    assert found(import_platform(PLATFORMS / "slashed")) == [
        (
            "IMP008",
            "warning",
            "port_config.ini",
            1,
            "port_config.ini differs from the breakout of hwsku.json in 2 values; "
            "the first: Ethernet12 alias Ethernet2/9 against Ethernet2/5",
        )
    ]


def test_what_sonic_reads_otherwise_is_told_and_taken_as_sonic_takes_it():
    imported = import_platform(PLATFORMS / "silent")
    model = imported.model
    assert [(rule, severity, line) for rule, severity, _, line, _ in found(imported)] == [
        ("IMP009", "error", 3),
        ("IMP012", "info", 5),
        ("IMP005", "warning", 3),
        ("IMP005", "warning", 3),
        ("IMP006", "warning", 3),
        ("IMP006", "warning", 11),
    ]
    messages = [each[-1] for each in found(imported)]
    assert "Ethernet0: SONiC silently drops '[100G, 50G]' of mode '1x200G[100G, 50G]'" in messages
    assert "Ethernet0: SONiC silently drops '[10G]' of mode '4x25G(4)[10G]'" in messages
    assert "Ethernet4: aliases of mode '1x200G' are the text 'etp2', not a list" in messages
    assert "Ethernet-Rec0 is no front port" in messages
    assert model.choose(1, "1x200G").text == "1x200G[100G, 50G]"


def test_speeds_come_from_platform_json_where_the_rows_have_none():
    imported = import_platform(PLATFORMS / "silent")
    assert [each[-1] for each in found(imported) if each[0] == "IMP009"] == [
        "odd: Ethernet4 has no speed, and no platform.json gives it"
    ]
    rated = import_platform(PLATFORMS / "silent", about=About(lane_rate=50_000))
    assert [(p.name, p.speed) for p in rated.model.layout("odd").slots] == [
        ("Ethernet0", 200_000),
        ("Ethernet4", 100_000),
        ("Ethernet6", 100_000),
    ]
    assert "odd: 1 cages are in a mode that platform.json does not list" in [
        each[-1] for each in found(rated)
    ]


BROKEN = """{
  "interfaces": {
    "Ethernet0": {"index": "1,1", "lanes": "1,2", "breakout_modes": {"2x50G": ["a", "b"]}},
    "Ethernet2": {"index": "2,2", "lanes": "3,x", "breakout_modes": {"1x100G": ["c"]}},
    "Ethernet4": {"index": "3,3", "lanes": "5,6", "breakout_modes": ["1x100G"]},
    "Ethernet6": {"index": "4,4", "lanes": "7,8", "breakout_modes": {"fast": ["d"]}},
    "Port8": {"index": "5", "lanes": "9", "breakout_modes": {"1x10G": ["e"]}}
  }
}
"""


def test_everything_wrong_is_told_at_once_by_line(tmp_path):
    (tmp_path / "platform.json").write_text(BROKEN)
    (tmp_path / "sku").mkdir()
    sku = {"interfaces": {"Ethernet0": {"default_brkout_mode": "1x100G"}}}
    (tmp_path / "sku" / "hwsku.json").write_text(json.dumps(sku, indent=1))
    (tmp_path / "sku" / "pg_profile_lookup.ini").write_text("# speed cable size\n100000 5m x\n")
    imported = import_platform(tmp_path)
    assert found(imported) == [
        ("IMP002", "error", "platform.json", 4,
         "Ethernet2 lanes are '3,x', not numbers with commas"),
        ("IMP004", "error", "platform.json", 5,
         "Ethernet4 has no breakout_modes object of mode to aliases"),
        ("IMP004", "error", "platform.json", 6,
         "Ethernet6: breakout mode 'fast': 'fast' is not COUNTxSPEED[alt,alt](LANES), "
         "such as 4x200G[100G](8)"),
        ("IMP002", "error", "platform.json", 7, "'Port8' is not EthernetN with its fields"),
        ("IMP003", "error", "hwsku.json", 3,
         "Ethernet0 does not allow 1x100G: allowed are 2x50G"),
        ("IMP007", "error", "pg_profile_lookup.ini", 2,
         "no number for size, xon, xoff, threshold"),
    ]  # fmt: skip
    assert [each.port for each in imported.model.cages] == ["Ethernet0"]


NOTHING = [
    ("platform.json", "{", "IMP001", "not valid JSON"),
    ("platform.json", "[]", "IMP001", "the file is not a JSON object"),
    ("platform.json", "[" * 100_000, "IMP001", "nested too deeply"),
    ("platform.json", "{}", "IMP002", "no object `interfaces`"),
    ("port_config.ini", "", "IMP002", "no usable port in these files"),
    ("port_config.ini", "# name lanes\nEthernet0 1,2\n", "IMP009", "Ethernet0 has no speed"),
    ("port_config.ini", "# name lanes speed\nEthernet0 1 1000\nEthernet1 1 1000\n", "IMP010",
     "Ethernet1 has a lane of Ethernet0"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "text", "rule", "message"), NOTHING)
def test_hopeless_files_are_findings_not_tracebacks(tmp_path, file, text, rule, message):
    (tmp_path / file).write_text(text)
    imported = import_platform(tmp_path)
    assert any(x.rule == rule and message in x.message for x in imported.report.findings)
    assert imported.report.has_errors


@pytest.mark.parametrize("name", ["missing", "."])
def test_a_path_without_platform_files_is_a_usage_error(tmp_path, name):
    with pytest.raises(UsageError, match=r"no such file or folder|none of platform\.json"):
        import_platform(tmp_path / name)


def test_a_sku_that_uses_a_lane_twice_is_left_out(tmp_path):
    shared = {
        "Ethernet0": {"index": "1", "lanes": "1,2", "breakout_modes": {"1x100G": ["a"]}},
        "Ethernet2": {"index": "2", "lanes": "2", "breakout_modes": {"1x10G": ["b"]}},
    }
    skus = {"both": ["1x100G", "1x10G"], "one": ["1x100G"]}
    (tmp_path / "platform.json").write_text(json.dumps({"interfaces": shared}))
    for name, modes in skus.items():
        ports = {
            port: {"default_brkout_mode": mode} for port, mode in zip(shared, modes, strict=False)
        }
        (tmp_path / name).mkdir()
        (tmp_path / name / "hwsku.json").write_text(json.dumps({"interfaces": ports}))
    imported = import_platform(tmp_path)
    assert [each.name for each in imported.model.skus] == ["one"]
    (finding,) = imported.report.findings
    assert "both: lane 2 is taken by skus.0.Ethernet0" in finding.message


@pytest.mark.parametrize("name", ["scattered", "from-one", "step-one", "slashed", "ini-only"])
def test_an_import_written_as_files_is_read_back_the_same(tmp_path, name):
    imported = import_platform(PLATFORMS / name)
    write_import(imported, tmp_path)
    catalog = load_catalog(tmp_path)
    assert catalog.switch(imported.model.name) == imported.model
    assert [catalog.headroom_table(each.name) for each in imported.tables] == list(imported.tables)
    for sku in imported.model.skus:
        again = catalog.switch(imported.model.name).layout(sku.name)
        assert again == imported.model.layout(sku.name)


FEC_OF_THE_SKU = [("1x800G", "none"), ("1x800G[400G,200G]", "none"), ("2x400G", "rs")]


@pytest.mark.parametrize(("mode", "fec"), FEC_OF_THE_SKU)
def test_fec_of_a_sku_holds_in_its_own_mode_however_spelled(mode, fec):
    model = import_platform(PLATFORMS / "scattered").model
    slots = [x for x in model.layout("whole", {3: mode}).slots if x.cage == 3]
    assert {each.fec for each in slots} == {fec}


def test_an_index_that_no_file_tells_is_the_place_and_said(tmp_path):
    rows = "# name lanes alias speed\nEthernet0 1,2,3,4 a 400000\nEthernet4 5,6,7,8 b 400000\n"
    (tmp_path / "sku").mkdir()
    (tmp_path / "sku" / "port_config.ini").write_text(rows)
    imported = import_platform(tmp_path / "sku")
    assert [each.index for each in imported.model.cages] == [1, 2]
    (said,) = [each for each in imported.report.findings if each.rule == "IMP014"]
    assert "tells no index" in said.message
    assert "assumed" in said.hint
