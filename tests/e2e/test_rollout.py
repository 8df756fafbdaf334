"""A rollout stops where it goes wrong, by any sign, and goes on where it was broken off."""

import copy
import json
import shutil

import pytest

from nettool.core.errors import RefusedError
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.push import Consent
from nettool.fleet.mock.fault import Fault
from tests.e2e.test_push_cases import Site
from tests.unit.fleet.deploy.test_collecting import LOSSLESS

NAMES = ("leaf01", "leaf02", "leaf03")
DONE, BACK, LATER = Outcome.CHANGED, Outcome.ROLLED_BACK, Outcome.NOT_STARTED

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client")


@pytest.fixture
def site(tmp_path):
    target = copy.deepcopy(LOSSLESS)
    target["PORT"]["Ethernet1"]["mtu"] = "9216"
    return Site(tmp_path, copy.deepcopy(LOSSLESS), target, NAMES)


def outcomes(report):
    return [each.outcome for each in report.hosts]


def table(counts):
    """`show priority-group drop counters`, with drops of one group of one port."""
    head = "     Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6    PG7"
    rule = "---------  -----  -----  -----  -----  -----  -----  -----  -----"
    row = f"Ethernet0      0      0      0  {counts:>5}      0      0      0      0"
    return "\n".join(["Ingress PG dropped packets:", head, rule, row, ""])


def test_drops_stop_the_waves(site):
    with site.fleet as fleet:
        command = "^show priority-group drop counters"
        fleet["leaf02"].inject(Fault(command, "reply", stdout=table(0)))
        fleet["leaf02"].inject(Fault(command, "reply", stdout=table(12), times=None))
        report = site.push()
        assert outcomes(report) == [DONE, BACK, LATER]
        assert "12 packets dropped in a priority group since the change" in report.hosts[1].message
        assert fleet["leaf02"].running() == fleet["leaf02"].saved() == LOSSLESS
        assert fleet["leaf03"].commands() == []
    assert report.exit_code == 5


@pytest.mark.slow
def test_a_chip_that_does_not_follow_stops_the_waves(site):
    with site.fleet as fleet:
        fleet["leaf01"].inject(Fault(r"BUFFER_PG\|Ethernet0", "unprogrammed", times=None))
        report = site.push()
        assert outcomes(report) == [BACK, LATER, LATER]
    assert "has no BUFFER_PROFILE|lossless on the chip" in report.hosts[0].message


def test_an_unreachable_switch_counts_as_failed(site):
    with site.fleet as fleet:
        fleet["leaf01"].inject(Fault(".", "refuse", times=None, back=None))
        report = site.push()
        assert outcomes(report) == [Outcome.UNREACHABLE, LATER, LATER]
        assert fleet["leaf02"].commands() == []
    assert report.exit_code == 4


def test_resume_goes_on_where_it_stopped_and_touches_nobody_else(site):
    with site.fleet as fleet:
        fleet["leaf02"].inject(Fault("^sudo config apply-patch", "fail", stderr="no"))
        assert outcomes(site.push()) == [DONE, Outcome.FAILED, LATER]
        fleet["leaf01"].forget()
        report = site.push(resume=True)
        assert outcomes(report) == [Outcome.UNCHANGED, DONE, DONE]
        assert report.hosts[0].message.startswith("done by run ")
        assert fleet["leaf01"].commands() == []
        again = site.push(resume=True)
        assert outcomes(again) == [Outcome.UNCHANGED] * 3
        assert again.exit_code == 0


@pytest.mark.slow
def test_resume_refuses_another_build(site):
    with site.fleet as fleet:
        fleet["leaf02"].inject(Fault("^sudo config apply-patch", "fail", stderr="no"))
        site.push()
        path = site.build / "devices" / "leaf03" / "config_db.json"
        path.write_text(json.dumps(LOSSLESS))
        for each in fleet:
            each.forget()
        with pytest.raises(RefusedError, match="look at the difference, then push without"):
            site.push(resume=True)
        assert all(each.commands() == [] for each in fleet)


def test_a_policy_holds_back_the_waves_and_is_told_before(site, tmp_path):
    policy = tmp_path / "policy.yaml"
    policy.write_text("timezone: Europe/Berlin\nrules: [{at_least: brief drop, why: jobs run}]\n")
    with site.fleet as fleet:
        checked = site.push(check=True, consent=Consent(policy=policy))
        assert outcomes(checked) == [Outcome.WOULD_CHANGE] * 3
        assert "brief drop is forbidden every day" in checked.hosts[0].message
        report = site.push(consent=Consent(policy=policy))
        assert outcomes(report) == [Outcome.REFUSED, LATER, LATER]
        assert all(each.writes() == [] for each in fleet)
    assert report.exit_code == 7
