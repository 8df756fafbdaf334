"""What `simulate` says of a shipped fabric: a change of the model or of the plan shows here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nettool.cli.main import main

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("fabric", "words"), [("rail-optimized-256", ()), ("rail-only-128", ("--no-ecn",))]
)
def test_summary(capsys: pytest.CaptureFixture[str], fabric: str, words: tuple[str, ...]) -> None:
    assert main(["simulate", fabric, "--no-color", *words]) == 0
    text = capsys.readouterr().out
    golden = HERE / fabric / f"simulate{''.join(words)}.txt"
    if os.environ.get("NETTOOL_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
