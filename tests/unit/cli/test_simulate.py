"""The verb `simulate`: exit codes, JSON, and arguments that are refused."""

from __future__ import annotations

import json

import pytest

from nettool.cli.main import main

FABRIC = "rail-only-128"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--incast", "0"), "--incast takes a number of senders, 1 to 100,000, not '0'"),
        (("--incast", "many"), "not 'many'"),
        (("--incast", "٣"), "not '٣'"),
        (("--time", "2"), "--time takes a time such as 500us or 2ms, up to 100ms, not '2'"),
        (("--time", "0us"), "not '0us'"),
        (("--time", "1000ms"), "not '1000ms'"),
    ],
)
def test_wrong_calls(capsys, words, said):
    assert main(["simulate", FABRIC, *words]) == 64
    assert said in capsys.readouterr().err


def test_json_gives_units_and_provenance(capsys):
    assert main(["simulate", FABRIC, "--time", "50us", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    case = told["cases"][0]
    assert (case["case"], case["port"], case["faces"]) == ("incast", "Ethernet0", "nic-leaf")
    assert case["dropped"]["unit"] == "B"
    assert told["provenance"][case["queue_peak"]["why"]]["trust"] == "recalled"
    assert case["senders"]["value"] == 2
    assert told["summary"]["dropped_bytes"] == 0
    assert told["assumptions"]


def test_loss_exits_1(capsys, tmp_path):
    assert main(["init", str(tmp_path)]) == 0
    fabric = tmp_path / "fabric.yaml"
    fabric.write_text(fabric.read_text() + "\nqos: {overrides: own.yaml}\n")
    profile = "pg_lossless_400000_5m_profile"
    (tmp_path / "own.yaml").write_text(f"profiles: {{{profile}: {{xoff: 50000}}}}\n")
    assert main(["simulate", str(tmp_path), "--no-ecn"]) == 1
    assert "SIM001" in capsys.readouterr().out
