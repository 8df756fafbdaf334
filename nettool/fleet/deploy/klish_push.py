"""The guarded transaction on an AsterNOS switch: lines through klish, the guard in its bash.

The steps are those of every push. There is no checkpoint and no updater: the guard puts the saved
file back and reloads it, so nothing may run unsaved when a push begins, and a switch whose bash
cannot be reached is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from nettool.config.diff.asternos import (
    asternos_blocks,
    asternos_way_back,
    diff_asternos,
    kept_asternos,
    plan_lines,
    unproved,
)
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.lines import TOP
from nettool.config.diff.masking import masked_line
from nettool.config.diff.restored import named_lines
from nettool.config.diff.text import as_text
from nettool.config.diff.unwritten import (
    NOTHING_UNWRITTEN,
    Unwritten,
    Values,
    packed,
    unpacked,
)
from nettool.fleet.deploy.order import Clock, Health, NoHealth, Order, WallClock
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.recovery import EndedError
from nettool.fleet.deploy.transaction import Transaction, carry_out

if TYPE_CHECKING:
    from nettool.fleet.deploy.klish_switch import KlishSwitch
    from nettool.fleet.deploy.outcome import Result
    from nettool.fleet.deploy.switch import Tables

CHANGED_SINCE = "somebody changed it since it was read: push again"


def push_klish(
    switch: KlishSwitch,
    order: Order,
    *,
    clock: Clock | None = None,
    health: Health | None = None,
    unwritten: Unwritten = NOTHING_UNWRITTEN,
    allow_unproved: bool = False,
) -> Result:
    """Bring one switch to the lines `order` wants, or leave it as it was.

    Where the order is whole, what it does not name goes. `unwritten` is intended too and no line
    can write it: that is told. Never raises for a switch.
    """
    work = _KlishTransaction(switch, order, clock or WallClock(), health or NoHealth())
    work.unwritten, work.allow_unproved = unwritten, allow_unproved
    return carry_out(work)


@dataclass
class _KlishTransaction(Transaction):
    switch: KlishSwitch
    obstacle: str = ""
    unwritten: Unwritten = NOTHING_UNWRITTEN
    allow_unproved: bool = False
    notes: list[str] = field(default_factory=list)
    beyond: dict[str, object] = field(default_factory=dict)

    def result(self, outcome: Outcome, message: str) -> Result:
        """What is told about it, with what its lines do not show."""
        told = super().result(outcome, message)
        return replace(told, notes=tuple(self.notes), beyond={**told.beyond, **self.beyond})

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
        self._note_what_no_line_shows()
        if self.obstacle and self.changes.is_empty:
            said = f"whether that is saved is not known ({self.obstacle})"
            raise EndedError(Outcome.UNCHANGED, said)
        return not self.obstacle and self._is_unsaved()

    def _note_what_no_line_shows(self) -> None:
        """Lines that stay, lines that nobody has proved, and values that no line can write."""
        unsaid = self.unwritten.unsaid
        kept = kept_asternos(self.changes, self.before, self.intended, unsaid)
        open_lines = unproved(self.changes)
        before = None if self.obstacle else self._intended_before()
        if kept:
            self.notes.append(f"not nettool's, stays as it is: {named_lines(kept)}")
        if open_lines:
            said = named_lines((TOP, line) for line in open_lines)
            self.notes.append(f"unverified on hardware, takes something away: {said}")
        self.notes.extend(self.unwritten.said(before))
        self.beyond["kept_lines"] = len(kept)
        self.beyond["unproved_lines"] = [masked_line(line) for line in open_lines]
        if self.unwritten.values:
            self.beyond["unwritten"] = self.unwritten.as_json(before)

    def _intended_before(self) -> Values | None:
        """What the last push that was kept intended of what no line can write."""
        if not self.unwritten.values:
            return None
        kept = (each for each in self.switch.journal() if each.get("state") == "saved")
        return next(filter(None, (unpacked(each.get("unwritten")) for each in kept)), None)

    def _is_unsaved(self) -> bool:
        """Whether the saved file means something else than the intent.

        Who holds the guard is told first: lines that wait to be kept are unsaved, and not to save.
        """
        if self.switch.guard_waits():
            self.obstacle = self._held()
            if self.changes.is_empty:
                raise EndedError(Outcome.REFUSED, self.obstacle)
            return True
        saved = self.switch.saved()
        if saved is None:
            self.obstacle = "its saved configuration is no command text: name its file (startup)"
        elif not self.changes.is_empty and not self.switch.is_same(saved, self.before):
            self._stop_at_unsaved(saved)
        return saved is None or not self._differences(saved).is_empty

    def _stop_at_unsaved(self, saved: Tables) -> None:
        """Lines of other hands; a push that ended meanwhile has saved what was read before it."""
        if not self.switch.is_same(self.switch.running(), self.before):
            raise EndedError(Outcome.REFUSED, CHANGED_SINCE)
        left = self.switch.differences(self.order.device, saved, self.before)
        self.obstacle = (
            f"{len(left.changes)} lines run there that are not saved, which the way back "
            f"would lose: `write` or take them back first ({_short(left)})"
        )

    def _refusals(self) -> tuple[str, ...]:
        return self.obstacle, self._unproved(), *super()._refusals()

    def _locked(self) -> str:
        return ""  # whoever holds the guard is an obstacle, found at the first read

    def _unproved(self) -> str:
        """Why nothing is taken away in words that nobody has proved; a way back is not held up."""
        lines = () if self.allow_unproved or self.order.undoes else unproved(self.changes)
        if not lines:
            return ""
        said = named_lines((TOP, line) for line in lines)
        return (
            f"no page of the vendor's shows how to take away {said}: look at it, then "
            "--allow-unverified (by a playbook: nettool_allow_unverified)"
        )

    def _bring(self) -> None:
        """The lines stay here until they are entered."""

    def _differences(self, tables: Tables) -> ChangeSet:
        whole, unsaid = self.order.whole, self.unwritten.unsaid
        return diff_asternos(self.order.device, tables, self.intended, exact=whole, unsaid=unsaid)

    def _journal(self, state: str) -> dict[str, object]:
        kept = state in {"verified", "saved"} and bool(self.unwritten.values)
        return {
            **super()._journal(state),
            **({"unwritten": packed(self.unwritten.values)} if kept else {}),
        }

    def _undo_script(self) -> str:
        return self.switch.undo_script(self.order.run, reload=bool(self.plan.way))


def _short(changes: ChangeSet) -> str:
    return " ".join(as_text([changes]).split())[:200]
