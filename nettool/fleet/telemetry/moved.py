"""What suggestions do to the lossless proof: claims whose numbers move, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nettool.plan.qos.limits import Trials
from nettool.plan.qos.qos_plan import Proof
from nettool.plan.qos.settings import Values


@dataclass(frozen=True, slots=True)
class Moved:
    """One claim of one kind of switch, before and after."""

    devices: tuple[str, ...]
    before: Proof
    after: Proof


def moved_by(values: Values, trials: Trials) -> Iterator[Moved]:
    """The claims that these figures move, of each kind of switch."""
    for task, before, after in zip(trials.tasks, trials.base, trials.of(values), strict=True):
        if before.switch is None or after.switch is None:
            continue
        new = {each.claim: each for each in after.switch.proofs}
        for old in before.switch.proofs:
            now = new.get(old.claim)
            if now and (float(now.left), float(now.right)) != (float(old.left), float(old.right)):
                yield Moved(task.switch.devices, old, now)
