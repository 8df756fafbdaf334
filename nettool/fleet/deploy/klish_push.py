"""The guarded transaction on an AsterNOS switch: lines through klish, the guard in its bash.

The steps are those of every push. There is no checkpoint and no updater: the guard puts the saved
file back and reloads it, so nothing may run unsaved when a push begins, and a switch whose bash
cannot be reached is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nettool.config.diff.asternos import (
    asternos_blocks,
    asternos_way_back,
    diff_asternos,
    plan_lines,
)
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.text import as_text
from nettool.fleet.deploy.order import Clock, Health, NoHealth, Order, WallClock
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.recovery import EndedError
from nettool.fleet.deploy.transaction import Transaction, carry_out

if TYPE_CHECKING:
    from nettool.fleet.deploy.klish_switch import KlishSwitch
    from nettool.fleet.deploy.outcome import Result
    from nettool.fleet.deploy.switch import Tables


def push_klish(
    switch: KlishSwitch,
    order: Order,
    *,
    clock: Clock | None = None,
    health: Health | None = None,
) -> Result:
    """Bring one switch to the lines `order` wants, or leave it as it was.

    Where the order is whole, what it does not name goes. Never raises for a switch.
    """
    return carry_out(_KlishTransaction(switch, order, clock or WallClock(), health or NoHealth()))


@dataclass
class _KlishTransaction(Transaction):
    switch: KlishSwitch
    obstacle: str = ""

    def _read(self) -> bool:
        if not (self.order.intended or self.order.whole):
            raise EndedError(Outcome.FAILED, "the build holds no lines for it: nothing was done")
        self.before = self.switch.running()
        self.intended = self.order.intended
        self.changes = self._differences(self.before)
        self.plan = plan_lines(self.changes)
        there, back = asternos_blocks(self.changes), asternos_way_back(self.changes, self.before)
        self.switch.plan(there, back, self.order.undoes)
        self._done("read", f"{len(self.changes.changes)} changes")
        self.obstacle = self.switch.obstacle()
        if self.obstacle and self.changes.is_empty:
            said = f"whether that is saved is not known ({self.obstacle})"
            raise EndedError(Outcome.UNCHANGED, said)
        return not self.obstacle and self._is_unsaved()

    def _is_unsaved(self) -> bool:
        if self.changes.is_empty and self.switch.guard_waits():
            raise EndedError(Outcome.REFUSED, self._held())
        saved = self.switch.saved()
        if saved is None:
            self.obstacle = "its saved configuration is no command text: name its file (startup)"
        elif not self.changes.is_empty and not self.switch.is_same(saved, self.before):
            left = self.switch.differences(self.order.device, saved, self.before)
            self.obstacle = (
                f"{len(left.changes)} lines run there that are not saved, which the way back "
                f"would lose: `write` or take them back first ({_short(left)})"
            )
        return saved is None or not self._differences(saved).is_empty

    def _refusal(self) -> str:
        return self.obstacle or super()._refusal()

    def _bring(self) -> None:
        """The lines stay here until they are entered."""

    def _differences(self, tables: Tables) -> ChangeSet:
        return diff_asternos(self.order.device, tables, self.intended, exact=self.order.whole)

    def _undo_script(self) -> str:
        return self.switch.undo_script(self.order.run, reload=bool(self.plan.way))


def _short(changes: ChangeSet) -> str:
    return " ".join(as_text([changes]).split())[:200]
