"""Killed, cut, stalled or restarted at any line that is sent to klish or to its bash.

This proves the protocol against the mock switch. What AsterNOS itself does is not public.
"""

import random

import pytest

from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.mock.fault import Fault

CUTS = ("killed", "cut", "gone", "restart")
KINDS = (*CUTS, *(f"{kind} after" for kind in CUTS), "stalled")
STEPS = 52
"""More than a push that goes straight sends."""
GUARD = 120
SURELY_OLD = {Outcome.FAILED, Outcome.REFUSED, Outcome.ROLLED_BACK, Outcome.UNREACHABLE}
BACK_STEPS = range(20, 70)
"""From about where the refused line is entered to the end of the way back."""
BACK_CASES = [(kind, step) for kind in KINDS for step in BACK_STEPS]
UNDO_STEPS = range(1, 90)
"""More than a rollback of a first push that goes straight sends."""
UNDO_CASES = [(kind, step) for kind in KINDS for step in UNDO_STEPS]
CASES = [(kind, step) for kind in KINDS for step in range(1, STEPS)]


class ControllerKilledError(Exception):
    """The controller dies here."""


class Crash:
    """Breaks in one way at one line."""

    def __init__(self, switch, kind, step):
        self._switch, self._kind, self._left = switch, kind, step
        self._dead = self._gone = False

    def __call__(self, driver, _line, go):
        if self._dead:
            raise ControllerKilledError
        if self._gone:
            raise OSError("no route")
        self._left -= 1
        if self._left:
            return go()
        if self._kind == "stalled":
            self._switch.wait_for_guard()
            return go()
        if self._kind.endswith("after"):
            go()
        self._break(driver)
        raise OSError("connection reset")

    def _break(self, driver):
        driver.paramiko_cleanup()
        if self._kind.startswith("restart"):
            self._switch.handle.reboot()
        self._gone = self._kind.startswith("gone")
        if self._kind.startswith("killed"):
            self._dead = True
            raise ControllerKilledError


def crash(switch, old, new, kind, step):
    """Push with a crash, check what is left and what was told, push again."""
    try:
        told = switch.push(
            on_line=Crash(switch, kind, step), guard_seconds=GUARD, contact_seconds=20.0
        ).outcome
    except ControllerKilledError:
        told = None
    if told is Outcome.CHANGED:
        assert switch.is_(new)
    switch.wait_for_guard()
    assert switch.is_(old) or switch.is_(new)
    assert switch.is_(new) or told is not Outcome.CHANGED
    assert switch.is_(old) or told not in SURELY_OLD
    assert told is not Outcome.ROLLBACK_FAILED
    switch.handle.heal()
    again = switch.push("r2", guard_seconds=3000)
    assert again.outcome in {Outcome.CHANGED, Outcome.UNCHANGED}, again
    assert switch.is_(new)


def test_a_straight_push_sends_fewer_lines_than_are_crashed(switch):
    sent = []

    def count(_driver, line, go):
        sent.append(line)
        return go()

    assert switch.push(on_line=count).outcome is Outcome.CHANGED
    assert 0.8 * STEPS < len(sent) < STEPS


@pytest.mark.parametrize(("kind", "step"), random.Random(8).sample(CASES, 6))
def test_crash(switch, old, new, kind, step):
    crash(switch, old, new, kind, step)


def crash_on_the_way_back(switch, old, new, kind, step):
    """The same where a line in the middle is refused, so that the push has to go back."""
    switch.handle.inject(Fault("^switchport access vlan 102", "fail", stderr="no such VLAN"))
    crash(switch, old, new, kind, step)


@pytest.mark.parametrize(("kind", "step"), random.Random(9).sample(BACK_CASES, 4))
def test_crash_on_the_way_back(switch, old, new, kind, step):
    crash_on_the_way_back(switch, old, new, kind, step)


def crash_while_undoing(switch, new, kind, step, *, refuses=False):
    """Undo a first push with a crash, check what is left and what was told, undo again.

    Where it refuses a line, the rollback itself has to go back.
    """
    assert switch.push().outcome is Outcome.CHANGED
    if refuses:
        switch.handle.inject(Fault("^no vlan 102", "fail", stderr="in use"))
    fields = {"guard_seconds": GUARD, "contact_seconds": 20.0}
    try:
        told = switch.rollback(on_line=Crash(switch, kind, step), **fields).outcome
    except ControllerKilledError:
        told = None
    if told is Outcome.CHANGED:
        assert switch.is_("")
    switch.wait_for_guard()
    assert switch.is_("") or switch.is_(new)
    assert switch.is_("") or told is not Outcome.CHANGED
    assert switch.is_(new) or told not in SURELY_OLD
    assert told is not Outcome.ROLLBACK_FAILED
    switch.handle.heal()
    again = switch.rollback("again", guard_seconds=3000)
    assert again.outcome in {Outcome.CHANGED, Outcome.UNCHANGED}, again
    assert switch.is_("")


def test_a_straight_rollback_sends_fewer_lines_than_are_crashed(blank):
    sent = []

    def count(_driver, line, go):
        sent.append(line)
        return go()

    assert blank.push().outcome is Outcome.CHANGED
    assert blank.rollback(on_line=count).outcome is Outcome.CHANGED
    assert 0.7 * UNDO_STEPS[-1] < len(sent) <= UNDO_STEPS[-1]


@pytest.mark.parametrize(("kind", "step"), random.Random(10).sample(UNDO_CASES, 5))
def test_crash_while_undoing_a_first_push(blank, new, kind, step):
    crash_while_undoing(blank, new, kind, step)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "step"), UNDO_CASES)
def test_crash_while_undoing_a_first_push_at_each_step(blank, new, kind, step):
    crash_while_undoing(blank, new, kind, step)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(250))
def test_crash_while_an_undoing_goes_back_seeded(blank, new, seed):
    kind, step = random.Random(seed).choice(UNDO_CASES)
    crash_while_undoing(blank, new, kind, step, refuses=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(250))
def test_crash_on_the_way_back_seeded(switch, old, new, seed):
    crash_on_the_way_back(switch, old, new, *random.Random(seed).choice(BACK_CASES))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000))
def test_crash_seeded(switch, old, new, seed):
    crash(switch, old, new, *random.Random(seed).choice(CASES))
