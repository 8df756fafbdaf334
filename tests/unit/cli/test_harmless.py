"""What files and switches say cannot steer a terminal."""

from __future__ import annotations

import pytest

from nettool.cli.screen import Screen
from nettool.core.finding import Finding, Report, Severity


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("\x1b[2J\x1b[1;1Hcleared", "\\x1b[2J\\x1b[1;1Hcleared"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("over\rwritten\x9b31m", "over\\x0dwritten\\x9b31m"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("tabs\tand\nlines stay", "tabs\tand\nlines stay"),
    ],
)
def test_control_characters_are_shown_not_sent(
    said: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen()
    screen.text(said)
    screen.progress(said)
    screen.problem(said)
    out, err = capsys.readouterr()
    assert out == shown + "\n"
    assert err == f"{shown}\nnettool: {shown}\n"


def test_a_file_of_two_lines_keeps_its_place_in_one(capsys: pytest.CaptureFixture[str]) -> None:
    finding = Finding(
        rule="JSN001", severity=Severity.ERROR, message="T\nX is broken", file="a\nb.json", line=3,
        column=1,
    )  # fmt: skip
    Screen().report(Report.of([finding]))
    assert capsys.readouterr().out.startswith("a\\nb.json:3:1: error JSN001 T\\nX is broken\n")
