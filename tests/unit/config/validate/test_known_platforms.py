"""Platforms that files name themselves, and how far conclusions from their figures go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.config.validate.engine import lint, validate_tables
from nettool.config.validate.known_platforms import KnownPlatforms, platform_at
from nettool.core.errors import UsageError
from nettool.core.finding import Severity
from nettool.core.provenance import Trust


def named(hwsku: str = "", platform: str = "") -> dict[str, dict[str, dict[str, str]]]:
    return {"DEVICE_METADATA": {"localhost": {"hwsku": hwsku, "platform": platform}}}


@pytest.mark.parametrize(
    ("hwsku", "platform", "name"),
    [
        ("ACS-SN5600", "", "SN5600"),
        ("Mellanox-SN5600-O128", "x86_64-nvidia_sn5600-r0", "SN5600"),
        ("never-seen", "x86_64-nvidia_sn5600-r0", "SN5600"),
        ("CX864E-N_64X400G_32X800G", "", "CX864E-N"),
        ("dbmvtx9180_64osfp_128x400G", "", "DBMVTX9180"),
        ("SN5600", "", None),
        ("", "x86_64-nvidia_sn5600", None),
        ("", "", None),
    ],
)
def test_a_file_names_its_switch(hwsku, platform, name):
    found = KnownPlatforms().of(named(hwsku, platform))
    assert (found.name if found else None) == name


@pytest.mark.parametrize("tables", [{}, {"DEVICE_METADATA": []}, {"DEVICE_METADATA": {"a": 1}}])
def test_what_names_nothing_has_no_platform(tables):
    assert KnownPlatforms().of(tables) is None


def test_a_reference_boards_buffer_is_used_and_said():
    platform = KnownPlatforms().named("CX864E-N")
    assert (platform.buffer, platform.size_includes_xoff) == (215_646_208, None)
    assert platform.weak["buffer"] is Trust.REFERENCE_BOARD
    assert platform.lookup[400_000, 40].xoff == 147_072
    tables = {"BUFFER_POOL": {"p": {"size": "215646209"}}}
    report = validate_tables({"leaf01": tables}, platforms={"leaf01": platform})
    (found,) = [each for each in report.findings if each.rule == "BUF003"]
    assert found.severity is Severity.WARNING
    assert found.message.endswith("(CX864E-N: buffer is reference board)")


def test_an_inferred_limit_is_left_out():
    platform = KnownPlatforms().named("7060X6-64PE")
    assert (platform.buffer, platform.size_includes_xoff) == (None, None)


def test_a_table_of_another_board_counts_as_inferred():
    known = KnownPlatforms()
    assert "lookup" not in known.of(named("ACS-SN5600")).weak
    assert known.of(named("Arista-7060X6-64PE-256x200G")).weak["lookup"] is Trust.INFERRED


def test_a_switch_built_with_several_chips_has_no_chip_figures():
    platform = KnownPlatforms().named("CX532P-N")
    assert (platform.asic, platform.buffer, platform.lookup) == ("", None, {})
    assert platform.breakout


def test_a_folder_of_platform_files(tmp_path: Path):
    port = {"index": "1,1", "lanes": "1,2", "breakout_modes": {"1x100G": ["etp1"]}}
    (tmp_path / "platform.json").write_text(json.dumps({"interfaces": {"Ethernet0": port}}))
    (tmp_path / "sku").mkdir()
    sku = {"interfaces": {"Ethernet0": {"default_brkout_mode": "1x100G"}}}
    (tmp_path / "sku" / "hwsku.json").write_text(json.dumps(sku))
    platform, _ = platform_at(str(tmp_path))
    assert platform is not None
    assert platform.modes("Ethernet0") == ("1x100G",)


def test_a_folder_of_catalog_files_serves_what_files_name(tmp_path: Path):
    switches = tmp_path / "switches"
    switches.mkdir()
    source = load_catalog().switch("CX532P-N").model_copy(update={"platform": "my-platform"})
    (switches / "CX532P-N.yaml").write_text(
        json.dumps(source.model_dump(mode="json", exclude_defaults=True))
    )
    platform, known = platform_at(str(tmp_path))
    assert platform is None
    assert known.of(named(platform="my-platform")).name == "CX532P-N"


def test_a_folder_without_either_is_refused(tmp_path: Path):
    with pytest.raises(UsageError):
        platform_at(str(tmp_path))


def test_each_file_is_linted_for_its_own_platform(tmp_path: Path):
    for name, hwsku in (("leaf01", "ACS-SN5600"), ("leaf02", "unheard-of")):
        tables = {"DEVICE_METADATA": {"localhost": {"hwsku": hwsku, "hostname": name}}}
        (tmp_path / f"{name}.json").write_text(json.dumps(tables))
    report = lint(sorted(tmp_path.glob("*.json")), platforms=KnownPlatforms().of)
    assert report.summary["platforms"] == ["SN5600"]
    skipped = report.summary["not_checked"]
    assert skipped["BRK001"] == "--platform with its breakout modes (1 of 2 devices)"
    assert skipped["BUF003"] == "--platform with its packet buffer"
