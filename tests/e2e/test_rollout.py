"""A rollout stops where it goes wrong, by any sign, and goes on where it was broken off."""

import copy
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from nettool.core.errors import RefusedError, UsageError
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.push import Consent, push, rollback
from nettool.fleet.deploy.runner import environment
from nettool.fleet.mock.fault import Fault
from tests.e2e.test_push_cases import Site
from tests.unit.fleet.deploy.test_collecting import LOSSLESS

NAMES = ("leaf01", "leaf02", "leaf03")
ROOT = Path(__file__).parents[2]
DONE, BACK, LATER = Outcome.CHANGED, Outcome.ROLLED_BACK, Outcome.NOT_STARTED

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client")


@pytest.fixture
def site(tmp_path):
    target = copy.deepcopy(LOSSLESS)
    target["PORT"]["Ethernet1"]["mtu"] = "9216"
    return Site(tmp_path, copy.deepcopy(LOSSLESS), target, NAMES)


def outcomes(report):
    return [each.outcome for each in report.hosts]


def writes(fleet):
    return [each for switch in fleet for each in switch.writes()]


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
        assert fleet["leaf03"].writes() == []
    assert report.exit_code == 5


@pytest.mark.slow
def test_a_chip_that_does_not_follow_stops_the_waves(site):
    with site.fleet as fleet:
        fleet["leaf01"].inject(Fault(r"BUFFER_PG\|Ethernet0", "unprogrammed", times=None))
        report = site.push()
        assert outcomes(report) == [BACK, LATER, LATER]
    assert "has no BUFFER_PROFILE|lossless on the chip" in report.hosts[0].message


@pytest.mark.slow
def test_an_unreachable_switch_counts_as_failed(site):
    with site.fleet as fleet:
        fleet["leaf01"].inject(Fault(".", "refuse", times=None, back=None))
        report = site.push()
        assert outcomes(report) == [Outcome.UNREACHABLE, LATER, LATER]
        assert writes(fleet) == []
    assert report.exit_code == 4


def unreadable(switch):
    switch.inject(Fault("sonic-cfggen", "reply", stdout="{garbage", times=None))


def unreachable(switch):
    switch.inject(Fault(".", "refuse", times=None, back=None))


def another_key(switch):
    """After the known hosts were written."""
    switch.new_host_key()


def held(switch):
    switch.inject(Fault("^systemctl is-active", "reply", stdout="active\ninactive\n", times=None))


@pytest.mark.parametrize(
    ("switches", "expected", "said"),
    [
        (
            "wave_02",
            [LATER, Outcome.REFUSED, LATER],
            "brief drop is forbidden every day UTC on wave_02",
        ),
        pytest.param(
            "leaf01",
            [Outcome.REFUSED, LATER, LATER],
            "brief drop is forbidden every day UTC on leaf01",
            marks=pytest.mark.slow,
        ),
        (
            "wave_04",
            [Outcome.FAILED] * 3,
            "policy.yaml:2: rules.0.switches.0: 'wave_04' is no switch",
        ),
    ],
)
def test_a_rule_for_one_group_stops_all_before_anything_is_written(
    site, tmp_path, switches, expected, said
):
    policy = tmp_path / "policy.yaml"
    rule = f"{{at_least: brief drop, switches: [{switches}]}}"
    policy.write_text(f"timezone: UTC\nrules: [{rule}]\n")
    with site.fleet as fleet:
        report = site.push(consent=Consent(policy=policy))
        assert outcomes(report) == expected
        assert any(said in each.message for each in report.hosts), report
        assert writes(fleet) == []


@pytest.mark.parametrize(
    ("spoil", "outcome", "code", "said"),
    [
        (unreadable, Outcome.FAILED, 1, "the answer is not JSON"),
        (unreachable, Outcome.UNREACHABLE, 4, "leaf03"),
        (held, Outcome.REFUSED, 7, "holds it"),
    ],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_a_switch_that_does_not_allow_it_is_seen_before_any_is_written_to(
    site, spoil, outcome, code, said
):
    with site.fleet as fleet:
        assert site.overlay.is_file()
        spoil(fleet["leaf03"])
        report = site.push()
        assert outcomes(report) == [LATER, LATER, outcome]
        assert [each for each in writes(fleet) if each.by != "someone else"] == []
    assert report.exit_code == code
    assert said in report.hosts[2].message
    assert report.hosts[0].message == "nothing was written: another switch does not allow it"
    assert report.message == (
        "nothing was written: 1 of 3 switches does not allow it; the others alone: "
        "--limit 'all:!leaf03'"
    )


def test_a_changed_host_key_stops_that_switch_only(site):
    with site.fleet as fleet:
        assert site.overlay.is_file()
        another_key(fleet["leaf02"])
        report = site.push()
        assert outcomes(report) == [DONE, Outcome.UNREACHABLE, DONE]
        assert "host" in report.hosts[1].message.lower()
        assert fleet["leaf02"].commands() == []
        assert report.exit_code == 4
        back = rollback(site.reach())
        assert [(each.device, each.outcome) for each in back.hosts] == [
            ("leaf01", DONE),
            ("leaf02", Outcome.UNCHANGED),
            ("leaf03", DONE),
        ]


@pytest.mark.slow
def test_a_changed_host_key_stops_that_switch_only_on_the_way_back(site):
    with site.fleet as fleet:
        assert outcomes(site.push()) == [DONE] * 3
        another_key(fleet["leaf01"])
        report = rollback(site.reach())
        assert outcomes(report) == [Outcome.UNREACHABLE, DONE, DONE]
        assert report.exit_code == 4


def test_plain_ansible_fails_a_switch_with_another_key_at_the_end(site):
    with site.fleet as fleet:
        assert site.overlay.is_file()
        another_key(fleet["leaf01"])
        done = playbook(site, "push")
        assert [bool(each.writes()) for each in fleet] == [False, True, True]
    assert done.returncode == 2
    assert "another host key than the known one: nothing was written to it" in done.stdout


def playbook(site, name):
    """A playbook as `ansible-playbook` runs it."""
    command = [Path(sys.executable).with_name("ansible-playbook"), f"playbooks/{name}.yml"]
    command += ["-i", site.inventory, "-i", site.overlay]
    command += ["-e", f"nettool_build={site.build}", "-e", "nettool_poll=0"]
    env = {**os.environ, **environment()}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_rollback_looks_at_all_before_it_writes_to_one(site):
    with site.fleet as fleet:
        assert outcomes(site.push()) == [DONE] * 3
        unreachable(fleet["leaf03"])
        for each in fleet:
            each.forget()
        report = rollback(site.reach())
        assert outcomes(report) == [LATER, LATER, Outcome.UNREACHABLE]
        assert writes(fleet) == []
        assert "--limit 'all:!leaf03'" in report.message
        told = rollback(site.reach(limit="all:!leaf03"))
        assert [(each.device, each.outcome) for each in told.hosts] == [
            ("leaf01", DONE),
            ("leaf02", DONE),
        ]


@pytest.mark.slow
def test_the_others_alone_are_pushed_by_the_limit_that_is_told(site):
    with site.fleet as fleet:
        unreachable(fleet["leaf03"])
        limit = site.push().message.rpartition("--limit ")[2].strip("'")
        report = site.push(limit=limit)
        assert [(each.device, each.outcome) for each in report.hosts] == [
            ("leaf01", DONE),
            ("leaf02", DONE),
        ]


@pytest.mark.slow
def test_waves_are_waves_whatever_the_order_of_an_inventory(site):
    first = site.folder / "first.yaml"
    first.write_text(json.dumps({"all": {"hosts": {"leaf03": {}, "leaf02": {}}}}))
    with site.fleet as fleet:
        reach = site.reach()
        report = push(site.build, replace(reach, inventory=(first, *reach.inventory)))
        assert outcomes(report) == [DONE] * 3, report
        began = [min(each.at for each in switch.writes()) for switch in fleet]
    assert began == sorted(began)


@pytest.mark.parametrize("limit", ["", " "])
def test_an_empty_limit_is_not_taken_for_all(site, limit):
    with site.fleet as fleet, pytest.raises(UsageError, match="--limit is empty"):
        site.push(limit=limit)
    assert writes(fleet) == []


@pytest.mark.slow
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
        assert outcomes(checked) == [Outcome.WOULD_REFUSE] * 3
        assert "brief drop is forbidden every day" in checked.hosts[0].message
        assert (checked.exit_code, checked.hosts[0].diff != "") == (7, True)
        assert checked.message == "nothing would be written: 3 of 3 switches do not allow it"
        report = site.push(consent=Consent(policy=policy))
        assert outcomes(report) == [Outcome.REFUSED] * 3
        assert writes(fleet) == []
    assert report.exit_code == 7
