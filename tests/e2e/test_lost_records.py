"""A push whose own files cannot be kept: it says so, no success is claimed, nothing is halved."""

import copy
import json
import shutil
from pathlib import Path

import pytest

from nettool.cli.main import main
from nettool.core.written import aside_of
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.push import history, rollback
from tests.e2e.test_push_cases import Site
from tests.unit.fleet.deploy.test_collecting import LOSSLESS

NAMES = ("leaf01", "leaf02")

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client")


@pytest.fixture
def site(tmp_path):
    target = copy.deepcopy(LOSSLESS)
    target["PORT"]["Ethernet1"]["mtu"] = "9216"
    site = Site(tmp_path, copy.deepcopy(LOSSLESS), target, NAMES)
    with site.fleet:
        yield site


def full(folder: Path) -> None:
    """No room for another line (a folder is in its place), nor for the last report."""
    (folder / "state.jsonl").unlink()
    (folder / "state.jsonl").mkdir()
    aside_of(folder / "report.json", "new").symlink_to("/dev/full")


def vanished(folder: Path) -> None:
    shutil.rmtree(folder)


def pushed(site, spoil, when="start"):
    """A push whose folder is spoilt when that is first said of a switch."""

    def watch(_device, what, _message):
        if what == when:
            for order in (site.folder / "runs").glob("*/order.json"):
                spoil(order.parent)

    return site.push(progress=watch)


def test_a_push_that_cannot_keep_its_record_is_no_success(site):
    report = pushed(site, full)
    assert [each.outcome for each in report.hosts] == [Outcome.CHANGED] * 2
    assert report.exit_code == 4
    assert f"the record of run {report.run} has gaps; this report is whole" in report.message
    assert f"each switch keeps its own in /var/lib/nettool/{report.run}.json" in report.message
    for name in NAMES:
        switch = site.fleet[name]
        kept = json.loads((switch.folder / f"var/lib/nettool/{report.run}.json").read_text())
        assert kept["state"] == "saved"
    for path in (site.folder / "runs").rglob("*.json"):
        assert isinstance(json.loads(path.read_text()), dict)


def test_a_run_whose_folder_is_gone_stops_and_says_how_far_it_came(site):
    report = pushed(site, vanished, "changed")
    assert [each.outcome for each in report.hosts] == [Outcome.CHANGED, Outcome.FAILED]
    assert "config_db.json: No such file or directory" in report.hosts[1].message
    assert report.exit_code == 4
    assert f"the record of run {report.run} has gaps; this report is whole" in report.message
    assert site.fleet["leaf02"].writes() == []


@pytest.mark.slow
def test_what_no_record_tells_of_is_rolled_back_by_the_switches_own_word(site):
    pushed(site, full)
    known = history(site.folder / "runs")[0]
    assert (known["state"], known["exit_code"]) == ("interrupted", 4)
    back = rollback(site.reach())
    assert [each.outcome for each in back.hosts] == [Outcome.CHANGED] * 2
    assert all(site.fleet[name].running() == LOSSLESS for name in NAMES)
    assert back.exit_code == 0


def test_a_folder_for_runs_that_cannot_be_made_is_told_before_anything_is_asked(
    tmp_path, monkeypatch, capsys
):
    (tmp_path / "runs").write_text("a file in the way")
    monkeypatch.chdir(tmp_path)
    assert main(["push", "rail-only-128"]) == 64
    said = capsys.readouterr().err
    assert "runs/" in said
    assert said.strip().endswith("Not a directory; nothing was changed")
