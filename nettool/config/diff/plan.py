"""How a change set reaches a switch: by patch or by install, what it disturbs, how long it takes.

What the updater refuses and what a change disturbs is data of the dialect (`updater.yaml`).
The way back is looked at as well: a change whose inverse would be refused needs a reload for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nettool.config.diff.acceptance import PlannedChange, planned, reasons, seconds, worst
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.tables import applied
from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialects.sonic.updater import Impact, Updater, pace

Way = Literal["", "patch", "install"]


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

    @property
    def impact(self) -> Impact:
        """The worst that happens; an install restarts everything."""
        found = worst(each.impact for each in self.changes)
        return worst((Impact.QOS_RELOAD, found)) if self.way == "install" else found


def plan_update(
    changes: ChangeSet, running: Tables, *, chip: str = "", version: str = ""
) -> UpdatePlan:
    """The way to write `changes` on a switch that runs `running`.

    `chip` is the name the updater knows (`marvell-teralynx`, `spc4`); empty is an unknown chip,
    on which only what every chip allows is planned as a patch. `version` is the release or the
    image's version (`202405`, `20240510.12`); empty is taken for the newest known branch.
    """
    if changes.is_empty:
        return UpdatePlan("", (), (), (), 0.0)
    updater = Updater.of(chip, version)
    found = tuple(planned(changes, running, updater))
    back = planned(changes.inverse(), applied(changes, running), updater)
    why, undo = reasons(found), reasons(back)
    needed, limit = seconds(changes.changes), pace()["limit"]
    if not why and needed > limit:
        why = (f"the updater would need about {needed:.0f} s, more than {limit} s",)
    if why:
        return UpdatePlan("install", found, why, (), pace()["reload"])
    return UpdatePlan("patch", found, (), undo, needed)
