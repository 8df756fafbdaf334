"""Verbs that ask switches: what their help claims, before any switch is asked."""

import re
from pathlib import Path

import pytest

from nettool.config.diff.asternos import diff_asternos, plan_lines
from nettool.intent.load import find_fabric

FABRIC = "rail-only-128"


@pytest.fixture
def idle(tmp_path, monkeypatch):
    """A fabric with a warning: its job leaves GPUs idle."""
    folder = tmp_path / "idle"
    folder.mkdir()
    text = Path(find_fabric(FABRIC)).read_text()
    text, found = re.subn(r"\bdp: (\d+)", lambda m: f"dp: {int(m[1]) // 2}", text)
    assert found
    (folder / "fabric.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    return folder


def test_a_strict_push_asks_no_switch_while_there_are_warnings(idle, nettool):
    code, out, _ = nettool("push", idle, "--strict")
    assert code == 3
    assert "warning DEM014" in out
    assert not any(Path("runs").glob("*/report.json"))


def test_a_strict_diff_tells_differences_and_ends_with_warnings(idle, nettool):
    against = ("diff", idle, "--against", idle)
    assert nettool(*against)[0] == 0
    code, out, _ = nettool(*against, "--strict")
    assert (code, "no difference" in out) == (3, True)


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (("-l", "rail_01"), "--limit"),
        (("-i", "x.yml"), "--inventory"),
        (("--build", "x"), "--build"),
    ],
    ids="".join,
)
def test_a_flag_for_switches_says_so_where_none_is_asked(nettool, words, flag):
    code, _, err = nettool("diff", FABRIC, "--against", FABRIC, *words)
    assert (code, f"{flag} goes with --live" in err) == (64, True)


def test_every_push_of_lines_needs_consent():
    lines = {"global": {"vlan 2": {}}}
    assert plan_lines(diff_asternos("leaf01", {}, lines)).undo_reasons
