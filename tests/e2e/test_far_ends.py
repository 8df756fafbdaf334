"""A push looks at the far ends of the cables of what it changes: before each wave, and after it."""

import copy
import json
import shutil
from pathlib import Path

import pytest

from nettool.core.finding import Severity
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.deploy.push import Consent, push
from nettool.fleet.deploy.reach import Reach, Settings
from nettool.fleet.deploy.verifying import verify
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import where
from nettool.fleet.mock.spec import Cable
from tests.e2e.test_push_cases import Site
from tests.e2e.test_rollout import DONE, LATER, outcomes, table
from tests.unit.fleet.deploy.klish.test_klish_verify import LEAF, MODEL, SPINE, spec
from tests.unit.fleet.deploy.test_collecting import LOSSLESS

DROPS = "^show priority-group drop counters"
LEAVES = "leaf01:leaf02"

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client")


@pytest.fixture
def site(tmp_path):
    """Two leaves that change, one wave each, and a spine that both are cabled to."""
    target = copy.deepcopy(LOSSLESS)
    target["PORT"]["Ethernet1"]["mtu"] = "9216"
    made = Site(tmp_path, copy.deepcopy(LOSSLESS), target, ("leaf01", "leaf02", "spine01"))
    for name, port in (("leaf01", "Ethernet0"), ("leaf02", "Ethernet1")):
        links = {"Ethernet0": {"device": "spine01", "port": port}}
        model = json.dumps({"interfaces": {"links": links}})
        (made.build / "devices" / name / "device.json").write_text(model)
    return made


def looks(switch):
    """How often a far switch was looked at."""
    return sum(each.text == "show pfc priority" for each in switch.commands())


def test_far_ends_that_lose_nothing_are_looked_at_twice_a_wave_and_left_alone(site):
    with site.fleet as fleet:
        report = site.push(limit=LEAVES)
        assert outcomes(report) == [DONE, DONE]
        spine = fleet["spine01"]
        assert looks(spine) == 4
        assert (spine.writes(), spine.timers()) == ([], [])
        spine.forget()
        assert outcomes(site.push(limit=LEAVES)) == [Outcome.UNCHANGED, Outcome.UNCHANGED]
        assert looks(spine) == 0


def counts(*numbers):
    """Drops at a far end by look; the last one stays."""
    first = [Fault(DROPS, "reply", stdout=table(n)) for n in numbers[:-1]]
    return [*first, Fault(DROPS, "reply", stdout=table(numbers[-1]), times=None)]


WORSE = {
    "drops": (
        counts(7, 19),
        "spine01: Ethernet0|3: 12 packets dropped in a priority group since the change began "
        "(towards leaf01:Ethernet0)",
    ),
    "a counter that went back": (
        counts(7, 3),
        "spine01: Ethernet0|3: the counter of packets dropped in a priority group went from 7 to "
        "3, reset or wrapped: no verdict (towards leaf01:Ethernet0)",
    ),
    "a switch that does not answer any more": (
        [
            Fault(DROPS, "reply", stdout=table(0)),
            Fault(DROPS, "fail", stderr="no such command", times=None),
        ],
        "spine01: cannot be looked at any more: show priority-group drop counters: exit status 1: "
        "no such command",
    ),
}


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        pytest.param(*case, id=name, marks=[] if name == "drops" else pytest.mark.slow)
        for name, case in WORSE.items()
    ],
)
def test_a_far_end_that_is_worse_stops_the_waves(site, faults, said):
    with site.fleet as fleet:
        for each in faults:
            fleet["spine01"].inject(each)
        report = site.push(limit=LEAVES)
        assert outcomes(report) == [Outcome.FAR_WORSE, LATER]
        kept = "the change is kept: mend the far end, or `nettool rollback`"
        assert report.hosts[0].message == f"{said}; {kept}"
        assert fleet["leaf01"].running()["PORT"]["Ethernet1"]["mtu"] == "9216"
        assert fleet["spine01"].writes() == fleet["leaf02"].writes() == []
    assert report.exit_code == 4


def test_a_far_end_that_cannot_be_looked_at_has_no_verdict_and_holds_nobody_up(site):
    with site.fleet as fleet:
        fleet["spine01"].inject(Fault(".", "refuse", times=None, back=None))
        report = site.push(limit=LEAVES)
        assert outcomes(report) == [DONE, DONE]
    said = next(Path(report.folder).glob("ansible.log")).read_text()
    assert "no verdict on spine01, cabled to leaf01:Ethernet0: it cannot be looked at" in said
    assert report.exit_code == 0


@pytest.mark.slow
def test_a_far_end_with_another_host_key_holds_nobody_up(site):
    links = {
        "Ethernet0": {"device": "leaf01", "port": "Ethernet0"},
        "Ethernet1": {"device": "leaf02", "port": "Ethernet0"},
    }
    model = json.dumps({"interfaces": {"links": links}})
    (site.build / "devices" / "spine01" / "device.json").write_text(model)
    with site.fleet as fleet:
        assert site.overlay.is_file()
        fleet["leaf01"].new_host_key()
        report = site.push()
        assert outcomes(report) == [Outcome.UNREACHABLE, DONE, DONE]
        assert fleet["leaf01"].commands() == []
    assert report.exit_code == 4


def test_a_check_looks_at_no_far_end(site):
    with site.fleet as fleet:
        site.push(limit=LEAVES, check=True)
        assert looks(fleet["spine01"]) == 0
        assert [each.writes() for each in fleet] == [[], [], []]


class AsterSite:
    """A leaf and a spine in klish, cabled to each other; the leaf gets one line more."""

    def __init__(self, folder):
        self.folder, self.build = folder, folder / "build"
        cfg = self.build / "devices" / "leaf01" / "asternos.cfg"
        cfg.parent.mkdir(parents=True)
        cfg.write_text(LEAF.replace("/31\n", "/31\n description towards spine01\n"))
        cfg.with_name("device.json").write_text(json.dumps(MODEL))
        names = {"leaf01": {}, "spine01": {}}
        groups = {"wave_01": {"hosts": {"leaf01": {}}}, "os_asternos": {"hosts": names}}
        self.inventory = folder / "inventory.yaml"
        self.inventory.write_text(json.dumps({"all": {"hosts": names, "children": groups}}))
        specs = [spec("leaf01", LEAF), spec("spine01", SPINE)]
        cable = Cable("leaf01:Ethernet0", "spine01:Ethernet0")
        self.fleet = MockFleet(specs, [cable], scale=0.02)

    def reach(self, limit="leaf01"):
        overlay = mock_overlay(where(self.fleet), self.folder / "overlay")
        settings = Settings(runs=self.folder / "runs", settle=3.0, contact=4.0, guard=900)
        return Reach([self.inventory, overlay], limit, settings=settings)

    def push(self):
        return push(self.build, self.reach(), consent=Consent(reload=True, unverified=True))


@pytest.fixture
def aster(tmp_path):
    made = AsterSite(tmp_path)
    with made.fleet:
        yield made


@pytest.mark.slow
def test_the_far_end_of_an_asternos_switch_is_looked_at_in_its_bash(aster):
    spine = aster.fleet["spine01"]
    spine.inject(Fault(DROPS, "reply", stdout=table(0)))
    spine.inject(Fault(DROPS, "reply", stdout=table(12), times=None))
    report = aster.push()
    assert outcomes(report) == [Outcome.FAR_WORSE], report.hosts[0].message
    assert report.hosts[0].message.startswith("spine01: Ethernet0|3: 12 packets dropped in a prio")
    assert (spine.writes(), spine.timers()) == ([], [])


@pytest.mark.slow
def test_an_asternos_push_that_costs_lossless_packets_goes_back(aster):
    leaf = aster.fleet["leaf01"]
    before = (leaf.folder / "etc/sonic/startup.cfg").read_text()
    leaf.inject(Fault(DROPS, "reply", stdout=table(0)))
    leaf.inject(Fault(DROPS, "reply", stdout=table(12), times=None))
    report = aster.push()
    assert outcomes(report) == [Outcome.ROLLED_BACK], report.hosts[0].message
    assert "12 packets dropped in a priority group since the change" in report.hosts[0].message
    assert (leaf.folder / "etc/sonic/startup.cfg").read_text() == before


@pytest.mark.slow
def test_an_asternos_switch_is_verified_in_its_own_words(aster):
    spine = aster.fleet["spine01"]
    (aster.build / "devices" / "leaf01" / "asternos.cfg").write_text(LEAF)
    first = verify(aster.build, aster.reach())
    assert {each.rule for each in first.findings} == {"VER020", "VER022"}
    assert not first.has_errors
    folder = aster.folder / "runs" / str(first.summary["run"])
    assert "| leaf01 | look (assumed) | 0 | 1 |" in (folder / "verify.md").read_text()
    spine.drift({"PORT": {"Ethernet0": {"admin_status": "down"}}})
    aster.fleet["leaf01"].counters.add("pg_drop", "Ethernet0", 3, by=3)
    aster.fleet["leaf01"].counters.add("storm_detected", "Ethernet0", 3)
    report = verify(aster.build, aster.reach(), baseline=folder / "collected")
    rules = {each.rule for each in report.findings if each.severity is Severity.ERROR}
    assert rules == {"VER004", "VER005", "VER010", "VER012"}
