"""Drift through Ansible and ssh: whose doing it is, what it does to a job, and nothing written."""

import copy
import json
import shutil

import pytest

from nettool.fleet.deploy.drifting import drift
from nettool.fleet.mock.fault import Fault
from tests.e2e.test_push_cases import Site
from tests.unit.fleet.deploy.test_collecting import LOSSLESS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client"),
]
NAMES = ("leaf01", "leaf02", "leaf03")


@pytest.fixture
def site(tmp_path):
    target = copy.deepcopy(LOSSLESS)
    target["WRED_PROFILE"]["R"]["green_min_threshold"] = "1500"
    return Site(tmp_path, copy.deepcopy(LOSSLESS), target, NAMES)


def intend(site, **fields):
    """Change what the build wants of the marking, as a new render would."""
    for name in NAMES:
        path = site.build / "devices" / name / "config_db.json"
        tables = json.loads(path.read_text())
        tables["WRED_PROFILE"]["R"].update(fields)
        path.write_text(json.dumps(tables))


def test_drift_is_told_from_an_intent_that_is_ahead(site):
    with site.fleet as fleet:
        assert site.push().exit_code == 0
        clean = drift(site.build, site.reach())
        assert (clean.exit_code(differences=True), clean.report.findings) == (0, ())
        assert clean.report.summary["folder"] is None

        fleet["leaf01"].drift({"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}}})
        fleet["leaf02"].drift({"PORT": {"Ethernet1": {"description": "spare"}}})
        fleet["leaf03"].inject(Fault(".", "refuse", times=None, back=None))
        intend(site, green_max_threshold="4000")
        writes = [len(each.writes()) for each in fleet]
        look = drift(site.build, site.reach())
        assert [len(each.writes()) for each in fleet] == writes
    told = {(each.device, each.rule, each.severity) for each in look.report.findings}
    assert told == {
        ("leaf01", "DRF001", "error"),
        ("leaf01", "DRF010", "info"),
        ("leaf01", "DRF011", "info"),
        ("leaf02", "DRF009", "info"),
        ("leaf02", "DRF010", "info"),
        ("leaf02", "DRF011", "info"),
        ("leaf03", "DRF000", "error"),
    }
    assert look.exit_code() == 4
    assert look.found.behind == ("leaf01", "leaf02")
    assert "error DRF001 breaks losslessness: changed on the switch" in look.found.as_text()
