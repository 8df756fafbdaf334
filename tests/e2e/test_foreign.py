"""Tables that SONiC has no model of, on one of two switches, pushed to through Ansible and ssh."""

import copy
import json
import shutil

import pytest

from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.push import Consent, diff_live
from nettool.fleet.deploy.verifying import verify
from tests.e2e.test_push_cases import Site
from tests.unit.fleet.deploy.conftest import OLD

NAMED = "left alone: MY_TABLE (1 row), SONiC has no model of it"
OWN, OURS = {"a": {"f": "1"}}, {"b": {"f": "2"}}

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client")


@pytest.fixture
def site(tmp_path):
    """Two switches, the second one with a vendor's row that the build knows nothing of."""
    target = copy.deepcopy(OLD)
    target["PORT"]["Ethernet1"]["mtu"] = "9216"
    made = Site(tmp_path, OLD, target, ("leaf01", "leaf02"))
    with made.fleet as fleet:
        fleet["leaf02"].drift({"MY_TABLE": OWN})
        fleet["leaf02"].forget()
        yield made


@pytest.mark.slow
def test_rows_of_others_stay_through_diff_check_push_and_verify(site):
    for report in (diff_live(site.build, site.reach()), site.push(check=True), site.push()):
        assert report.exit_code == 0
        assert [each.notes for each in report.hosts] == [(), (NAMED,)]
        assert report.as_json()["devices"][1]["left_alone"] == {"MY_TABLE": 1}
        assert "MY_TABLE" not in json.dumps([each.changes for each in report.hosts])
    assert [each.outcome for each in report.hosts] == [Outcome.CHANGED] * 2
    assert site.fleet["leaf02"].running()["MY_TABLE"] == OWN
    seen = verify(site.build, site.reach())
    assert not [each for each in seen.findings if each.rule == "VER001"]


@pytest.mark.slow
def test_rows_of_the_build_are_refused_before_any_switch_is_written_to(site):
    path = site.build / "devices" / "leaf02" / "config_db.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "MY_TABLE": OURS}))
    refused = site.push()
    assert [each.outcome for each in refused.hosts] == [Outcome.NOT_STARTED, Outcome.REFUSED]
    assert "MY_TABLE cannot be changed live: SONiC has no model of it" in refused.hosts[1].message
    assert "--consent reload" in refused.hosts[1].message
    assert [site.fleet[name].writes() for name in ("leaf01", "leaf02")] == [[], []]
    pushed = site.push(consent=Consent(reload=True))
    assert [each.way for each in pushed.hosts] == ["patch", "install"]
    assert [each.outcome for each in pushed.hosts] == [Outcome.CHANGED] * 2
    assert site.fleet["leaf02"].running()["MY_TABLE"] == {**OWN, **OURS}
