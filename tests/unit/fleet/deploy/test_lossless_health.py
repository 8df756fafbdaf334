"""A push that costs lossless packets, or that the chip does not follow, goes back."""

import copy

import pytest

from nettool.fleet.deploy.lossless_health import AllOf, LosslessTraffic
from nettool.fleet.deploy.order import NoHealth
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import SwitchSpec
from tests.unit.fleet.deploy.conftest import SCALE, OneSwitch
from tests.unit.fleet.deploy.test_collecting import LOSSLESS

APPLY = "^sudo config apply-patch"


class Meanwhile(NoHealth):
    """Something happens to the counters while a change is under way."""

    def __init__(self, happen):
        self._happen, self._left = happen, 1

    def after(self, switch, running):
        if self._left:
            self._left -= 1
            self._happen()
        return ()


@pytest.fixture
def switch():
    config = copy.deepcopy(LOSSLESS)
    with MockFleet([SwitchSpec("leaf01", config=config)], scale=SCALE) as fleet:
        yield OneSwitch(fleet)


def push(switch, happen=lambda: None, **fields):
    return switch.push(health=AllOf(Meanwhile(happen), LosslessTraffic()), **fields)


def test_nothing_lost_is_kept(switch):
    switch.handle.counters.add("pg_drop", "Ethernet0", 3, by=7)
    assert push(switch).outcome is Outcome.CHANGED


MEANWHILE = {
    "drops in a group": (
        lambda counters: counters.add("pg_drop", "Ethernet0", 3, by=2),
        "Ethernet0|3: 2 packets dropped in a priority group since the change began",
    ),
    "drops in a queue": (
        lambda counters: counters.add("queue_drop_pkts", "Ethernet0", 3, by=4),
        "Ethernet0|3: 4 packets dropped in a lossless queue since the change began",
    ),
    "a storm": (
        lambda counters: counters.add("storm_detected", "Ethernet0", 3),
        "Ethernet0|3: 1 PFC storms since the change began",
    ),
    "cleared counters": (
        lambda counters: counters.clear("pg_drop"),
        "Ethernet0|3: the counter of packets dropped in a priority group went from 7 to 0, "
        "reset or wrapped: no verdict",
    ),
}


@pytest.mark.parametrize(("happen", "message"), MEANWHILE.values(), ids=MEANWHILE)
def test_bad_counters_go_back(switch, happen, message):
    switch.handle.counters.add("pg_drop", "Ethernet0", 3, by=7)
    told = push(switch, lambda: happen(switch.handle.counters))
    assert told.outcome is Outcome.ROLLED_BACK
    assert told.message == message
    assert switch.is_old()


class Polled:
    """A clock at whose pace the switch's counters are new."""

    def __init__(self, counters):
        self._counters, self.slept = counters, []

    def now(self):
        return 0.0

    def sleep(self, seconds):
        self.slept.append(seconds)
        self._counters.add("pg_drop", "Ethernet0", 3, by=2)


def test_counters_are_looked_at_once_they_are_as_new_as_the_change(switch):
    clock = Polled(switch.handle.counters)
    told = switch.push(health=LosslessTraffic(10.0, clock))
    assert (told.outcome, clock.slept) == (Outcome.ROLLED_BACK, [10.0])
    assert "2 packets dropped in a priority group since the change" in told.message


def test_services_that_began_again_by_themselves_go_back(switch):
    told = push(switch, switch.fleet.network.switches["leaf01"].begin_again)
    assert told.outcome is Outcome.ROLLED_BACK
    assert "its services began again by themselves (" in told.message


def test_a_group_that_is_not_counted_goes_back(switch):
    table = "Ingress PG dropped packets:\n  Port    PG0    PG1\n------  -----  -----\n"
    switch.handle.inject(
        Fault("^show priority-group drop counters", "reply", stdout=table, times=None)
    )
    told = push(switch)
    assert told.outcome is Outcome.ROLLED_BACK
    assert "the counter of packets dropped in a priority group is not counted" in told.message


def test_drops_of_lossy_groups_are_no_reason(switch):
    told = push(switch, lambda: switch.handle.counters.add("pg_drop", "Ethernet0", 0, by=900))
    assert told.outcome is Outcome.CHANGED


def test_a_chip_that_does_not_follow_goes_back(switch):
    switch.handle.inject(Fault(r"WRED_PROFILE\|R", "unprogrammed", times=None))
    told = push(switch)
    assert told.outcome is Outcome.ROLLED_BACK
    assert told.message == "Ethernet0|3 has no WRED_PROFILE|R on the chip"
    assert switch.is_old()


def test_an_install_counts_from_its_own_restart(switch):
    switch.handle.counters.add("pg_drop", "Ethernet0", 3, by=7)
    switch.new["BUFFER_POOL"]["pool"]["size"] = "2000000"
    told = push(switch, switch.handle.counters.clear, consent=frozenset({"reload"}))
    assert (told.outcome, told.way) == (Outcome.CHANGED, "install")


def test_counters_that_cannot_be_read_change_nothing(switch):
    switch.handle.inject(Fault("^show queue counters", "fail", stderr="no such command"))
    told = push(switch)
    assert told.outcome is Outcome.FAILED
    assert told.message == "show queue counters: exit status 1: no such command"
    assert switch.is_old()
