"""Verbs that ask switches: what their help claims, before any switch is asked."""

import json
import re
from argparse import Namespace
from pathlib import Path

import pytest

from nettool.cli.live import pushed
from nettool.cli.screen import Screen
from nettool.config.diff.asternos import diff_asternos, plan_lines
from nettool.core.errors import FindingsError, UsageError
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


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """A fabric with a typo, variables beside its inventory source, and a push of it recorded."""
    monkeypatch.chdir(tmp_path)
    fabric, build = tmp_path / "small", tmp_path / "runs" / "r1" / "build"
    (fabric / "group_vars").mkdir(parents=True)
    (fabric / "group_vars" / "all.yml").write_text("ansible_port: 2222\n")
    (fabric / "nettool.yml").write_text("plugin: nettool\n")
    (fabric / "fabric.yaml").write_text("nmae: small\n")
    build.mkdir(parents=True)
    (build / "inventory.yaml").write_text("all: {hosts: {leaf01: {ansible_host: 192.0.2.1}}}\n")
    order = {"playbook": "push", "check": False, "name": "small"}
    source = str((fabric / "fabric.yaml").resolve())
    (build.parent / "order.json").write_text(json.dumps({**order, "source": source}))
    return fabric


def asked(**more):
    return Namespace(**{"fabric": "small", "inventory": [], "limit": None, "build": None, **more})


def test_a_fabric_that_does_not_plan_is_reached_by_its_push_with_its_own_variables(broken, capsys):
    with pushed(asked(), Screen()) as reach:
        assert reach.hosts() == {"leaf01": {"ansible_host": "192.0.2.1", "ansible_port": 2222}}
        assert reach.name == "small"
    assert re.fullmatch(
        r"warning: small/fabric\.yaml does not plan \(.+; \d+ more\): "
        r"going by run r1's own record\n",
        capsys.readouterr().err,
    )
    assert [each.name for each in Path("runs").iterdir()] == ["r1"]
    assert (broken / "group_vars" / "all.yml").is_file()


def test_without_a_record_what_is_wrong_is_told(broken):
    Path("runs/r1/order.json").unlink()
    with pytest.raises(FindingsError), pushed(asked(), Screen()):
        pass


def test_a_missing_inventory_is_told_before_anything(broken, capsys):
    with (
        pytest.raises(UsageError, match=r"no\.yml: no such inventory"),
        pushed(asked(inventory=[Path("no.yml")]), Screen()),
    ):
        pass
    assert capsys.readouterr().err == ""
