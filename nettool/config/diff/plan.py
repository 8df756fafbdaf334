"""How a change set reaches a switch: by patch or by install, what it disturbs, how long it takes.

What the updater refuses and what a change disturbs is data of the dialect (`updater.yaml`).
The way back is looked at as well: a change whose inverse would be refused needs a reload for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from nettool.config.diff.acceptance import (
    PlannedChange,
    followed,
    planned,
    reasons,
    seconds,
    worst,
)
from nettool.config.diff.breakout import breakouts, sequence
from nettool.config.diff.breakout_states import Breakout
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.dangling import dangling
from nettool.config.diff.steps import (
    BY_CHECKPOINT,
    BY_RELOAD,
    PlanStep,
    hand_steps,
    names,
    patch_steps,
    reload_steps,
)
from nettool.config.diff.tables import applied
from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialects.sonic.updater import Impact, Updater, pace

Modes = Mapping[str, tuple[str, ...]]
Way = Literal["", "patch", "breakout", "install", "lines"]


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """How the changes of one switch are written."""

    way: Way
    changes: tuple[PlannedChange, ...]
    reasons: tuple[str, ...]
    """Why a patch will not do; empty where it will."""
    undo_reasons: tuple[str, ...]
    """Why the way back by checkpoint will be refused; empty where it will do."""
    seconds: float
    sequence: tuple[PlanStep, ...] = ()
    """Of a breakout, the steps as they are executed."""
    unchecked: bool = False
    """Of an install: the switch would refuse the file by its models, so it is read from a pipe."""
    blocked: tuple[str, ...] = ()
    """What has to be done by hand before; no consent stands in for it."""

    @property
    def impact(self) -> Impact:
        """The worst that happens; an install restarts everything."""
        found = worst(each.impact for each in self.changes)
        return worst((Impact.QOS_RELOAD, found)) if self.way == "install" else found

    @property
    def command(self) -> str:
        """How it is applied: as `way` says, or `piped`, an install of which no file is named."""
        return "piped" if self.unchecked else self.way

    @property
    def steps(self) -> tuple[PlanStep, ...]:
        """What happens, in order, each with what it disturbs and how it is taken back."""
        return (*hand_steps(self.blocked), *self._written)

    @property
    def _written(self) -> tuple[PlanStep, ...]:
        if self.way == "install":
            return tuple(reload_steps("; ".join(self.reasons), self.impact, self.seconds))
        if self.sequence or not self.changes:
            return self.sequence
        undo = BY_RELOAD if self.undo_reasons else BY_CHECKPOINT
        return tuple(patch_steps(self.changes, undo, self.seconds))


def plan_update(
    changes: ChangeSet,
    running: Tables,
    *,
    chip: str = "",
    version: str = "",
    modes: Modes | None = None,
) -> UpdatePlan:
    """The way to write `changes` on a switch that runs `running`.

    `chip` is the name the updater knows (`marvell-teralynx`, `spc4`); empty is an unknown chip,
    on which only what every chip allows is planned as a patch. `version` is the release or the
    image's version (`202405`, `20240510.12`); empty is taken for the newest known branch. `modes`
    are the breakout modes each cage offers, by its first port; None where nobody has asked.
    """
    if changes.is_empty:
        return UpdatePlan("", (), (), (), 0.0)
    updater, target = Updater.of(chip, version), applied(changes, running)
    taken = tuple(planned(changes, running, updater))
    found = tuple(followed(taken, running))
    cages = breakouts(running, target)
    if cages:
        way = _broken_out(changes.device, running, target, cages, updater, modes)
        unfollowed = (new for old, new in zip(taken, found, strict=True) if new != old)
        way = replace(way, reasons=(*way.reasons, *reasons(unfollowed)))
    else:
        back = planned(changes.inverse(), target, updater)
        way = UpdatePlan("patch", (), reasons(found), reasons(back), seconds(changes.changes))
    limit = pace()["limit"]
    why = way.reasons
    if not why and way.seconds > limit:
        why = (f"the updater would need about {way.seconds:.0f} s, more than {limit} s",)
    blocked = dangling(running, target)
    if why:
        unchecked = not updater.takes_file(target)
        return UpdatePlan("install", found, why, (), pace()["reload"], (), unchecked, blocked)
    return replace(way, changes=found, blocked=blocked)


def _broken_out(
    device: str,
    running: Tables,
    target: Tables,
    cages: tuple[Breakout, ...],
    updater: Updater,
    modes: Modes | None,
) -> UpdatePlan:
    made = sequence(device, running, target, cages, updater)
    missing = tuple(_not_offered(cages, modes)) if modes is not None else ()
    why = (*missing, *made.refused)
    return UpdatePlan("breakout", (), why, made.undo_refused, made.seconds, made.steps)


def _not_offered(cages: tuple[Breakout, ...], modes: Modes) -> Iterator[str]:
    """Modes that cages do not offer, cages that are alike in one sentence."""
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for cage in cages:
        offers = modes.get(cage.parent, ())
        for mode in (cage.before, cage.after):
            if mode not in offers:
                alike[", ".join(offers) or "no breakout", mode].append(cage.parent)
    for (offered, mode), parents in alike.items():
        verb = "offers" if len(parents) == 1 else "offer"
        yield f"{names(parents)} {verb} {offered}, not {mode}"
