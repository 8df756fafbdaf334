"""What waits to be confirmed: its time counts from the end of the push, its guard never goes."""

import pytest

from nettool.core.errors import DeviceError
from nettool.fleet.deploy.later import confirm_device
from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.switch import Switch
from nettool.fleet.deploy.waiting import guard_seconds, hold_device, rest_seconds, waves_left
from nettool.fleet.mock.fault import Fault

GUARDS = [
    # the change takes about, and the guard
    (0, 600),
    (120, 600),
    (240, 840),
]
WAVES = [
    # guards of the waves from this one on, switches at a time, beside them, and all of it
    ([[600]], 10, 0, 600),
    ([[600], [840, 600]], 10, 20, 600 + 20 + 840 + 20),
    ([[600] * 25], 10, 0, 3 * 600),
    ([[], [600]], 5, 0, 600),
    ([], 5, 130, 0),
]
GROUPS = {
    "all": ["a", "b", "c", "d"],
    "wave_02": ["b", "c"],
    "wave_01": ["a"],
    "rail_01": ["a"],
}
LEFT = [
    # hosts of the push, this wave, and the waves from it on
    ("abcd", "a", ["a", "bc", "d"]),
    ("abcd", "bc", ["bc", "d"]),
    ("acd", "c", ["c", "d"]),
    ("abcd", "d", ["d"]),
]


@pytest.mark.parametrize(("estimate", "seconds"), GUARDS)
def test_a_guard_leaves_a_change_more_than_twice_its_time(estimate, seconds):
    assert guard_seconds(estimate, 60, 120) == seconds


@pytest.mark.parametrize(("waves", "forks", "beside", "seconds"), WAVES)
def test_waves_take_no_longer_than_their_guards(waves, forks, beside, seconds):
    assert rest_seconds(waves, forks, beside) == seconds


@pytest.mark.parametrize(("hosts", "batch", "waves"), LEFT)
def test_the_waves_from_this_one_on(hosts, batch, waves):
    assert waves_left(GROUPS, hosts, batch) == [list(wave) for wave in waves]


def hold(switch, seconds=600):
    order = Order("leaf01", "h1", "berta", {}, confirm_seconds=seconds)
    return hold_device(Switch(switch.transport, 60.0), order, switch.clock)


def confirm(switch):
    return confirm_device(Switch(switch.transport, 60.0), Order("leaf01", "c1", "anna", {}))


def test_a_guard_outlasts_the_waves_that_follow_and_then_counts_anew(switch):
    waits = switch.push(confirm_seconds=30, rest_seconds=2000)
    assert waits.steps[-1].detail == "the guard fires in 2030 s"
    said = "in 2030 s, unless confirmed (where the push goes through, 30 s after its end)"
    assert said in waits.message
    held = hold(switch, 900)
    assert (held.outcome, held.beyond["due"] in held.message) == (Outcome.PENDING, True)
    assert ", in 900 s, unless confirmed" in held.message
    assert confirm(switch).outcome is Outcome.CHANGED
    assert switch.is_new()
    assert hold(switch).message == "confirmed meanwhile"


def test_where_whoever_pushes_dies_the_switch_goes_back_by_itself(switch):
    began = switch.clock.now()
    assert switch.push(confirm_seconds=4, rest_seconds=4).outcome is Outcome.PENDING
    switch.wait_for_guard(1000)
    assert (switch.is_old(), switch.handle.timers()) == (True, [])
    assert switch.clock.now() - began < 1000


def test_what_went_back_before_the_push_ended_is_said_with_its_time(switch):
    assert switch.push(confirm_seconds=8).outcome is Outcome.PENDING
    switch.wait_for_guard()
    told = [hold(switch), confirm(switch)]
    assert [each.outcome for each in told] == [Outcome.ROLLED_BACK] * 2
    assert all("was not confirmed in time and went back at 20" in each.message for each in told)


def test_a_way_back_that_failed_is_not_called_gone_back(switch):
    assert switch.push(confirm_seconds=8).outcome is Outcome.PENDING
    switch.handle.inject(Fault("^config rollback", "fail", status=1, times=1))
    switch.wait_for_guard()
    told = confirm(switch)
    assert told.outcome is Outcome.ROLLBACK_FAILED
    assert "then rollback failed at 20" in told.message
    assert "run there: sudo cp /var/lib/nettool/r1.saved.json" in told.message


def test_a_guard_that_cannot_be_set_anew_goes_back_where_it_is(switch):
    """On the switch itself: whoever pushes may be gone by then."""
    switch.push(confirm_seconds=600)
    switch.handle.inject(Fault("AccuracySec", "fail", status=1, times=1))
    assert hold(switch).outcome is Outcome.ROLLED_BACK
    assert (switch.is_old(), switch.handle.timers()) == (True, [])


def test_a_switch_that_is_gone_has_its_guard(switch):
    switch.push(confirm_seconds=600)

    class Gone:
        def run(self, *_args, **_more):
            raise DeviceError("leaf01 is gone")

    order = Order("leaf01", "h1", "anna", {}, confirm_seconds=60)
    told = hold_device(Switch(Gone(), 60.0), order, switch.clock)
    said = "leaf01 is gone; its guard goes back by itself"
    assert (told.outcome, told.message) == (Outcome.UNKNOWN, said)
