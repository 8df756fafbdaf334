"""Killed, cut or restarted at any step: the old or the new configuration, and the truth told."""

import random

import pytest

from nettool.core.errors import DeviceError
from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.transaction import push_device
from nettool.fleet.mock.fault import Fault

KINDS = (
    "killed",
    "killed after",
    "cut",
    "cut after",
    "gone",
    "gone after",
    "restart",
    "restart after",
)
STEPS = 16
SURELY_OLD = {Outcome.FAILED, Outcome.REFUSED, Outcome.ROLLED_BACK, Outcome.UNREACHABLE}
RELOAD = frozenset({"reload"})


class ControllerKilledError(Exception):
    """The controller dies here."""


class Crashing:
    """A transport that breaks in one way at one call."""

    def __init__(self, switch, kind, step):
        self._inner, self._handle = switch.transport, switch.handle
        self._kind, self._left, self._gone = kind, step, False

    def run(self, command, *, stdin=None, timeout=60.0):
        if self._gone:
            raise DeviceError("leaf01: no route")
        self._left -= 1
        if self._left:
            return self._inner.run(command, stdin=stdin, timeout=timeout)
        if self._kind.endswith("after"):
            self._inner.run(command, stdin=stdin, timeout=timeout)
        self._break()
        raise DeviceError("leaf01: connection reset")

    def reconnect(self):
        self._inner.reconnect()

    def _break(self):
        if self._kind.startswith("killed"):
            raise ControllerKilledError
        if self._kind.startswith("restart"):
            self._handle.reboot()
        self._gone = self._kind.startswith("gone")


def crash(switch, kind, step, intended):
    """Push with a crash, check what is left and what was told, push again."""
    order = Order(
        "leaf01", "r1", "anna", intended, consent=RELOAD, guard_seconds=90, settle_seconds=4.0,
        contact_seconds=20.0,
    )  # fmt: skip
    try:
        told = push_device(Crashing(switch, kind, step), order, clock=switch.clock).outcome
    except ControllerKilledError:
        told = None
    if told is Outcome.CHANGED:
        assert switch.handle.running() == intended == switch.handle.saved()
    switch.wait_for_guard()
    running = switch.handle.running()
    assert running == switch.handle.saved()
    assert running in (switch.old, intended)
    assert running == intended or told is not Outcome.CHANGED
    assert running == switch.old or told not in SURELY_OLD
    switch.handle.heal()
    again = switch.push("r2", intended=intended, consent=RELOAD, guard_seconds=3000)
    assert again.outcome in {Outcome.CHANGED, Outcome.UNCHANGED}, again
    assert switch.handle.running() == intended == switch.handle.saved()


def with_pool(config):
    pool = {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "1000000"}}
    return {**config, "BUFFER_POOL": pool}


BACK_CASES = [(kind, step) for kind in KINDS for step in range(8, 22)]
CASES = [(kind, step) for kind in KINDS for step in range(1, STEPS)]


@pytest.mark.parametrize(("kind", "step"), random.Random(8).sample(CASES, 8))
def test_crash(switch, kind, step):
    crash(switch, kind, step, switch.new)


@pytest.mark.parametrize(("kind", "step"), random.Random(9).sample(CASES, 2))
def test_crash_of_an_install(switch, kind, step):
    crash(switch, kind, step, with_pool(switch.new))


def crash_on_the_way_back(switch, kind, step):
    """The same where the updater stops half-way, so that the push has to go back."""
    switch.handle.inject(Fault("^sudo config apply-patch", "partial", changes=1, stderr="stopped"))
    crash(switch, kind, step, switch.new)


@pytest.mark.parametrize(("kind", "step"), random.Random(10).sample(BACK_CASES, 3))
def test_crash_on_the_way_back(switch, kind, step):
    crash_on_the_way_back(switch, kind, step)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "step"), BACK_CASES)
def test_every_crash_on_the_way_back(switch, kind, step):
    crash_on_the_way_back(switch, kind, step)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000))
def test_crash_seeded(switch, seed):
    dice = random.Random(seed)
    kind, step = dice.choice(KINDS), dice.randrange(1, STEPS)
    crash(switch, kind, step, dice.choice([switch.new, with_pool(switch.new)]))
