"""The verb `tune`: exit codes, JSON, and the overrides file that `plan` and `diff` take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from nettool.cli.main import main
from tests.unit.fleet.telemetry.traces import look, steady

ROOT = Path(__file__).parents[3]
FABRIC = "rail-only-128"
PROFILE = "pg_lossless_400000_5m_profile"
FULL = {"headroom_watermark": 110_000}


@pytest.fixture
def site(tmp_path):
    """A folder of one's own with the shipped fabric, planned with figures of one's own."""
    text = (ROOT / "inventories" / FABRIC / "fabric.yaml").read_text(encoding="utf-8")
    (tmp_path / "fabric.yaml").write_text(text + "\nqos: {overrides: own.yaml}\n")
    own = {"x-by": "ops", "ecn": {"400G": {"pmax": 12}}}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(own))
    return tmp_path


def _counters(folder, looks):
    path = folder / "counters.json"
    path.write_text(json.dumps({"samples": looks}))
    return str(path)


@pytest.mark.parametrize(
    ("looks", "flags", "code"),
    [
        (steady(), (), 0),
        (steady(), ("--exit-code",), 0),
        (steady(**FULL), ("--exit-code",), 2),
        ([look(0), look(1, pg_drop=3)], ("--exit-code",), 1),
        ([*steady(), *steady(device="leaf9")], ("--strict",), 3),
        ([{**look(0), "device": ""}], (), 1),
    ],
)
def test_exit_codes(capsys, tmp_path, looks, flags, code):
    assert main(["tune", FABRIC, "--counters", _counters(tmp_path, looks), *flags]) == code
    assert "Traceback" not in capsys.readouterr().err


def test_wrong_calls(capsys, tmp_path):
    assert main(["tune", FABRIC]) == 64
    assert main(["tune", FABRIC, "--counters", str(tmp_path / "none.yaml")]) == 64
    assert "none.yaml" in capsys.readouterr().err


def test_nothing_suggested_writes_nothing(capsys, tmp_path):
    out = tmp_path / "tuned.yaml"
    counters = _counters(tmp_path, steady())
    assert main(["tune", FABRIC, "--counters", counters, "-o", str(out)]) == 0
    told = capsys.readouterr()
    assert not out.exists()
    assert "nothing is suggested" in told.out
    assert "is not written" in told.err


@pytest.mark.parametrize(
    ("text", "code"),
    [("mine: 1\n", 64), ("# Suggested by `nettool tune` from an older trace.\necn: {}\n", 0)],
)
def test_a_file_of_something_else_is_not_written_over(capsys, tmp_path, text, code):
    out = tmp_path / "notes.yaml"
    out.write_text(text)
    words = ["--counters", _counters(tmp_path, steady(**FULL)), "-o", str(out)]
    assert main(["tune", FABRIC, *words]) == code
    told = capsys.readouterr().err
    assert ("is not the fabric's overrides file" in told) == (code == 64)
    assert (out.read_text() == text) == (code == 64)


def test_json_has_reasons_limits_and_provenance(capsys, site):
    counters = _counters(site, steady(**FULL))
    assert main(["tune", str(site), "--counters", counters, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (one,) = told["suggestions"]
    assert one["setting"] == f"profiles.{PROFILE}.xoff"
    assert [one[each]["value"] for each in ("lower", "present", "suggested", "upper")] == [
        76_976, 117_536, 137_728, 1_013_760,
    ]  # fmt: skip
    assert told["provenance"][one["lower"]["why"]]["source"] == "IEEE 802.1Qbb annex O"
    assert "xoff holds what arrives after a pause" in one["proof"][0]["claim"]
    assert one["seen"][0]["place"] == "Ethernet8|3"
    assert told["overrides"] == {"profiles": {PROFILE: {"xoff": 137_728}}}
    assert told["summary"]["used"] == 6
    assert {each["case"] for each in told["simulation"]} == {"incast", "stopped"}


def test_the_file_is_planned_with_and_asks_for_nothing_more(capsys, site):
    counters, out = _counters(site, steady(**FULL)), site / "own.yaml"
    assert main(["tune", str(site), "--counters", counters, "-o", str(out)]) == 0
    assert "qos.overrides" in capsys.readouterr().err
    assert yaml.safe_load(out.read_text()) == {
        "x-by": "ops", "ecn": {"400G": {"pmax": 12}}, "profiles": {PROFILE: {"xoff": 137_728}},
    }  # fmt: skip
    assert main(["explain", str(site), "leaf01", f"BUFFER_PROFILE|{PROFILE}|xoff"]) == 0
    assert "= 137728" in capsys.readouterr().out
    assert main(["tune", str(site), "--counters", counters, "--exit-code"]) == 0
    assert "nothing is suggested" in capsys.readouterr().out


def test_counters_as_large_as_they_come_are_printed(capsys, tmp_path):
    most = 2**64 - 1
    looks = steady(queue_watermark=9_000, pfc_tx=5)
    for number, each in enumerate(looks):
        each["counters"]["ecn_marked"] |= {f"Ethernet{8 * n}|3": most * (number > 2) for n in
                                           range(8)}  # fmt: skip
    counters = _counters(tmp_path, looks)
    assert main(["tune", FABRIC, "--counters", counters, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["suggestions"]


def test_the_schema_is_printed(capsys):
    assert main(["schema", "--counters"]) == 0
    assert "ecn_marked" in str(json.loads(capsys.readouterr().out)["$defs"]["Sample"])
    assert main(["schema", "--counters", "--hosts"]) == 64
