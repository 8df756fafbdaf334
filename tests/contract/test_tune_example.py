"""The worked example of docs/tune.md does what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nettool.cli.main import main
from nettool.fleet.telemetry.choices import told
from nettool.fleet.telemetry.recorded import COUNTED, PEAKS
from nettool.fleet.telemetry.tuning_rule import RULES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tune.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, flags=re.DOTALL)
LEFT_OUT = "..."


def _calls(block):
    """Each command of a block with the lines that are shown of it."""
    for part in re.split(r"^\$ nettool ", block, flags=re.MULTILINE)[1:]:
        command, *shown = part.splitlines()
        yield command.split(), [each for each in shown if each != LEFT_OUT]


INIT, TUNE, DIFF, AGAIN = (call for block in BLOCKS for call in _calls(block))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the example's files are found by the names on the page."""
    made = tmp_path_factory.mktemp("tune")
    (made / "docs").symlink_to(ROOT / "docs")
    (made / "inventories").symlink_to(ROOT / "inventories")
    return made


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(INIT, id="init"),
        pytest.param(TUNE, id="tune"),
        pytest.param(DIFF, id="diff", marks=pytest.mark.slow),  # renders two fabrics
        pytest.param(AGAIN, id="tune again"),
    ],
)
def test_the_example_runs_as_shown(call, folder, monkeypatch, capsys):
    """In the order of the page."""
    monkeypatch.chdir(folder)
    words, shown = call
    assert main(words) == 0
    lines = iter(capsys.readouterr().out.splitlines())
    for each in shown:
        assert each in lines, f"{words} does not show {each!r}, or not in this order"
    if call is TUNE:
        with Path("site/fabric.yaml").open("a", encoding="utf-8") as file:
            file.write("\nqos: {overrides: tuned.yaml}\n")


@pytest.mark.parametrize("name", [*RULES, *COUNTED, *PEAKS])
def test_the_page_has_every_rule_and_kind(name):
    assert f"`{name}`" in PAGE


def test_each_choice_says_that_it_is_assumed():
    assert all("(assumed: " in each for each in told())
