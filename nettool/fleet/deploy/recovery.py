"""When a transaction does not go straight: lost connections, going back, and telling the truth.

Every way out ends in an `EndedError` with the outcome that was read from the switch, never assumed:
`rolled back` is said only after its running configuration was read and is the old one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.masking import masked
from nettool.core.errors import DeviceError, NettoolError
from nettool.fleet.deploy.order import Clock, Order, stamp
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.switch import CommandError, Switch, Tables
from nettool.fleet.deploy.undo import STOP_SECONDS

POLL_SECONDS = 2.0
UNDO_SECONDS = 900.0
SHOWN = 6
TRIES = 3


class EndedError(NettoolError):
    """A transaction has come to its end early: the outcome and a sentence."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome


@dataclass(frozen=True)
class Recovery:
    """The ways out of one transaction: `before` is what it ran, `due` when its guard fires."""

    switch: Switch
    order: Order
    clock: Clock
    before: Tables
    script: str
    due: float

    def release(self) -> None:
        """Give the lock back where nothing was changed; a switch that is gone frees itself."""
        try:
            self.switch.disarm(self.order.run)
            self.switch.unlock()
        except DeviceError:
            return

    def abandon(self, exc: DeviceError) -> NoReturn:
        """The switch cannot be reached any more: its guard decides."""
        raise EndedError(
            Outcome.UNKNOWN,
            f"{exc}; its guard goes back by itself at {stamp(self.due)}, push again after that",
        ) from exc

    def regain(self, exc: DeviceError, step: str) -> None:
        """Reach the switch again, or end with its state unknown."""
        deadline = self.clock.now() + self.order.contact_seconds
        while self.clock.now() < deadline:
            try:
                self.switch.reconnect()
                self.switch.guard_waits()
            except DeviceError:
                self.clock.sleep(POLL_SECONDS)
            else:
                return
        self.abandon(DeviceError(f"lost during {step}: {exc}"))

    def await_apply(self, seconds: float) -> None:
        """Wait until an apply that outlived its connection has ended; go back if it does not."""
        deadline = self.clock.now() + seconds
        while self._is_applying():
            if self.clock.now() >= deadline:
                self.go_back(f"the switch did not finish applying in {seconds:.0f} s")
            self.clock.sleep(POLL_SECONDS)

    def has_undone(self) -> bool:
        """Whether the guard has gone back, or is about to."""
        return bool(self.switch.undone(self.order.run))

    def go_back(self, why: str) -> NoReturn:
        """Go back now, or just let go where nothing was changed; a lost connection is taken up."""
        for attempt in range(TRIES):
            try:
                self._back(why)
            except DeviceError as exc:
                if attempt == TRIES - 1:
                    self.abandon(exc)
                self.regain(exc, "rollback")
            else:
                break
        self.was_undone(why)

    def _back(self, why: str) -> None:
        if self.has_undone():
            return
        if self._is_as_before() and not self.switch.is_applying():
            self.release()
            raise EndedError(Outcome.FAILED, why)
        if self.switch.take_back(self.order.run) and self._is_as_before():
            if self.switch.disarm(self.order.run):
                self.release()
                raise EndedError(Outcome.ROLLED_BACK, why)
            return
        self.switch.undo(self.script, UNDO_SECONDS)

    def was_undone(self, why: str) -> NoReturn:
        """Wait for the end of a rollback, read what the switch runs, and say so."""
        deadline = self.clock.now() + UNDO_SECONDS + STOP_SECONDS
        try:
            while self.switch.undone(self.order.run) == "undoing" and self.switch.is_applying():
                if self.clock.now() >= deadline:
                    break
                self.clock.sleep(POLL_SECONDS)
            said = self.switch.undone(self.order.run)
            left = self.switch.differences(self.order.device, self.switch.running(), self.before)
            saved = self.switch.saved()
            log = self.switch.undo_log(self.order.run)
            self.release()
        except (DeviceError, CommandError) as exc:
            self.abandon(DeviceError(f"{why}; then the way back could not be read: {exc}"))
        if left.is_empty and saved is not None:
            raise EndedError(Outcome.ROLLED_BACK, why)
        raise EndedError(Outcome.ROLLBACK_FAILED, self._failed(why, said, log, left))

    def _failed(self, why: str, said: str, log: str, left: ChangeSet) -> str:
        rows = [f"{c.table}|{c.key} {c.field or ''}".strip() for c in masked(left).changes]
        more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
        return (
            f"{why}; then {said or 'the rollback did not run'}{f' ({log})' if log else ''}. "
            f"Still different: {', '.join(rows[:SHOWN])}{more}. To load the saved file, which "
            f"drops all traffic, run there: {self.switch.way_back(self.order.run)}"
        )

    def _is_as_before(self) -> bool:
        try:
            return self.switch.is_same(self.switch.running(), self.before)
        except CommandError:
            return False

    def _is_applying(self) -> bool:
        try:
            return self.switch.is_applying()
        except DeviceError as exc:
            self.regain(exc, "apply")
            return True
