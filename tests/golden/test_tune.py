"""What `tune` says of the example trace: a change of rules, limits or the plan shows here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nettool.cli.main import main

HERE = Path(__file__).parent


def test_summary(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE.parents[1])
    words = ["rail-only-128", "--counters", "docs/examples/counters.yaml", "--no-color"]
    assert main(["tune", *words]) == 0
    text = capsys.readouterr().out
    golden = HERE / "rail-only-128" / "tune.txt"
    if os.environ.get("NETTOOL_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
