"""A push looks at the far ends of the cables of what it changes: before each wave, and after it."""

import copy
import json
import shutil

import pytest

from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.mock.fault import Fault
from tests.e2e.test_push_cases import Site
from tests.e2e.test_rollout import DONE, LATER, outcomes, table
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


@pytest.mark.parametrize(("faults", "said"), WORSE.values(), ids=WORSE)
def test_a_far_end_that_is_worse_stops_the_waves(site, faults, said):
    with site.fleet as fleet:
        for each in faults:
            fleet["spine01"].inject(each)
        report = site.push(limit=LEAVES)
        assert outcomes(report) == [Outcome.FAR_WORSE, LATER]
        assert report.hosts[0].message == said
        assert fleet["leaf01"].running()["PORT"]["Ethernet1"]["mtu"] == "9216"
        assert fleet["spine01"].writes() == fleet["leaf02"].writes() == []
    assert report.exit_code == 4


def test_a_far_end_that_cannot_be_looked_at_holds_the_wave_up(site):
    with site.fleet as fleet:
        fleet["spine01"].inject(Fault(".", "refuse", times=None, back=None))
        report = site.push(limit=LEAVES)
        assert outcomes(report) == [Outcome.REFUSED, LATER]
        assert "spine01, cabled to leaf01:Ethernet0, cannot be looked at" in report.hosts[0].message
        assert fleet["leaf01"].writes() == []
    assert report.exit_code == 7


def test_a_check_looks_at_no_far_end(site):
    with site.fleet as fleet:
        site.push(limit=LEAVES, check=True)
        assert looks(fleet["spine01"]) == 0
        assert [each.writes() for each in fleet] == [[], [], []]
