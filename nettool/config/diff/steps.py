"""The ordered steps of a plan: what is done, what it disturbs, and how it is taken back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from nettool.config.diff.acceptance import PlannedChange, worst
from nettool.config.diff.changeset import Change, ChangeKind
from nettool.config.diff.masking import shown
from nettool.config.diff.patch import Operation
from nettool.config.nos.dialects.sonic.updater import Impact, place
from nettool.core.order import natural

Do = Literal["hand", "patch", "down", "up", "breakout", "wait", "check", "reload"]
BY_CHECKPOINT = "rollback to the checkpoint"
BY_RELOAD = "reload of the saved copy"
SHOWN = 3
_SAYS = {ChangeKind.ADD: "add", ChangeKind.REMOVE: "remove", ChangeKind.REPLACE: "change"}


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step. `names` are the ports, or `port|group` places, it is about; `mode` of a breakout.

    `operations` are those of a patch; `undo` says how it is taken back, empty where it need not.
    """

    do: Do
    title: str
    impact: Impact
    why: str
    undo: str
    seconds: float
    names: tuple[str, ...] = ()
    mode: str = ""
    operations: tuple[Operation, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The JSON form, without the operations: they may hold secrets."""
        return {
            "do": self.do,
            "title": self.title,
            "impact": str(self.impact),
            "why": self.why,
            "undo": self.undo,
            "seconds": round(self.seconds, 1),
        }


def patch_steps(changes: Iterable[PlannedChange], undo: str, needed: float) -> Iterator[PlanStep]:
    """The steps of one patch: additions before what refers to them, removals last, alike together.

    The updater orders the operations itself; these say in which order their effects come.
    """
    grouped: dict[tuple[bool, str, ChangeKind, str, Impact, str], list[Change]] = defaultdict(list)
    for each in changes:
        change = shown(each.change)
        removal = change.kind is ChangeKind.REMOVE and change.field is None
        key = (removal, change.table, change.kind, change.field or "", each.impact, each.why)
        grouped[key].append(change)
    share = needed / max(1, sum(map(len, grouped.values())))
    for key in sorted(grouped, key=_effect):
        _, table, kind, field, impact, why = key
        own = grouped[key]
        yield PlanStep(
            "patch", _title(table, kind, field, own), impact, why, undo, share * len(own)
        )


def reload_steps(reason: str, impact: Impact, needed: float) -> Iterator[PlanStep]:
    """The steps of an install: one reload, drained first."""
    title = "shut BGP, load the whole configuration by config reload"
    yield PlanStep("reload", title, worst((Impact.QOS_RELOAD, impact)), reason, BY_RELOAD, needed)


def hand_steps(sentences: Iterable[str]) -> Iterator[PlanStep]:
    """What somebody has to do before all else; the switch is not written to until it is done."""
    for each in sentences:
        yield PlanStep("hand", each, Impact.NONE, "by hand, before the push", "", 0.0)


def names(found: Sequence[str]) -> str:
    """A few names, and how many there are."""
    if len(found) <= SHOWN:
        return ", ".join(found)
    return f"{found[0]}, {found[1]} … {found[-1]} ({len(found)})"


def _effect(key: tuple[bool, str, ChangeKind, str, Impact, str]) -> tuple[object, ...]:
    """Tables as they refer to each other, and the other way round where rows go."""
    removal, table, kind, field, impact, _ = key
    return removal, -place(table) if removal else place(table), table, kind, field, impact


def _title(table: str, kind: ChangeKind, field: str, changes: Sequence[Change]) -> str:
    keys = names(sorted((shown(each).key for each in changes), key=natural))
    what = f"{field} of " if field else ""
    return f"{_SAYS[kind]} {what}{table}|{keys}"
