"""Verify through Ansible: a ticket in three forms, and a verdict on counters between two looks."""

import copy
import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.deploy.reach import Reach, Settings
from nettool.fleet.deploy.verifying import verify
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.serve import where
from tests.e2e.test_push_cases import Site
from tests.unit.fleet.deploy.test_collecting import LOSSLESS

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client")


@pytest.fixture
def site(tmp_path):
    config = copy.deepcopy(LOSSLESS)
    return Site(tmp_path, config, config, ("leaf01", "leaf02"))


def look(site, **fields):
    """One verify; its report and its folder."""
    overlay = mock_overlay(where(site.fleet), site.folder / "overlay")
    settings = Settings(runs=site.folder / "runs", contact=3.0)
    report = verify(site.build, Reach([site.inventory, overlay], settings=settings), **fields)
    return report, Path(str(report.summary["folder"]))


def test_the_ticket_says_the_same_in_three_forms(site):
    with site.fleet as fleet:
        fleet["leaf02"].inject(Fault(r"BUFFER_PG\|Ethernet0", "unprogrammed", times=None))
        report, folder = look(site)
    (found,) = [each for each in report.findings if each.rule == "VER008"]
    assert found.message == "leaf02: Ethernet0|3 has no BUFFER_PROFILE|lossless on the chip"
    assert [each.rule for each in report.findings] == ["VER008"]
    told = json.loads((folder / "verify.json").read_text())
    assert [each["message"] for each in told["findings"]] == [found.message]
    suite = Xml.fromstring((folder / "verify.xml").read_text().encode())
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert suite.find("testcase[@name='leaf02']/failure").get("message") == found.message
    text = (folder / "verify.md").read_text()
    assert "2 switches not verified" in text
    assert "| leaf01 | ok | 0 | 0 |" in text
    assert "| leaf02 | **failed** | 1 | 0 |" in text


def test_a_verdict_between_two_looks(site):
    with site.fleet as fleet:
        first, folder = look(site)
        assert first.findings == ()
        fleet["leaf01"].counters.add("pg_drop", "Ethernet0", 3, by=5)
        fleet["leaf02"].counters.add("pfc_tx", "Ethernet0", 3, by=8)
        second, _ = look(site, baseline=folder / "collected")
        assert [(each.rule, each.device) for each in second.findings] == [
            ("VER010", "leaf01"),
            ("VER016", "leaf02"),
            ("VER015", "leaf02"),
        ]
        assert all(each.writes() == [] for each in fleet)


def test_a_switch_that_is_gone_is_not_verified(site):
    with site.fleet as fleet:
        fleet["leaf02"].inject(Fault(".", "refuse", times=None, back=None))
        report, _ = look(site)
    assert [(each.rule, each.device) for each in report.findings] == [("VER000", "leaf02")]
    assert report.has_errors
