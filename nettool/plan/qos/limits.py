"""How far a figure may move before the lossless proof breaks: asked of the proof, not of a formula.

A trial plans every kind of switch anew and holds its claims against those of the plan as it is. A
claim that holds must go on to hold, one that does not may not get worse, and no new warning or
error may come up. The one claim that real incast does not need binds only while it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nettool.core.finding import Finding, Severity
from nettool.core.provenance import Figure, Trust
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.proof import CAUTIOUS
from nettool.plan.qos.qos_plan import Proof, SwitchQos
from nettool.plan.qos.settings import Setting, Values, overridden
from nettool.plan.qos.switch import Task, plan_switch
from nettool.plan.qos.trace import derived


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a trial is none that the proof takes: what it says, with the claim where there is one."""

    text: str
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """The outermost value that is taken, and in words what ends there."""

    value: Figure
    why: str


@dataclass(frozen=True, slots=True)
class Trial:
    """One kind of switch as planned, None where there is no plan, and what was found."""

    switch: SwitchQos | None
    findings: tuple[Finding, ...]

    @property
    def faults(self) -> Mapping[str, str]:
        """Rules that found an error or a warning, each with the first message."""
        found: dict[str, str] = {}
        for each in self.findings:
            if each.severity is not Severity.INFO:
                found.setdefault(each.rule, each.message)
        return found


class Trials:
    """Plans to try, held against the plan as it is."""

    def __init__(self, tasks: Iterable[Task], own: Overrides) -> None:
        self.tasks = tuple(tasks)
        self.own = own
        self._known: dict[frozenset[tuple[Setting, int]], Broken | None] = {}
        self.base = self.of({})

    @property
    def planned(self) -> tuple[SwitchQos, ...]:
        """The kinds of switches as they are planned; those that have no plan are left out."""
        return tuple(each.switch for each in self.base if each.switch is not None)

    def of(self, values: Values) -> tuple[Trial, ...]:
        """Every kind of switch with these figures in place of its own."""
        own = overridden(self.own, values) if values else self.own
        return tuple(Trial(*plan_switch(replace(task, overrides=own))) for task in self.tasks)

    def broken(self, values: Values) -> Broken | None:
        """What these figures would break; None where the proof takes them."""
        key = frozenset(values.items())
        if key not in self._known:
            self._known[key] = self._broken(values)
        return self._known[key]

    def limit(self, moved: Sequence[Setting], values: Values, toward: int, step: int) -> Limit:
        """How far settings may go together, from where `values` have them, in steps.

        `values` themselves must be taken. The answer is of the first of the settings.
        """
        setting = moved[0]
        start = values[setting]
        sign = 1 if toward >= start else -1
        good, bad = 0, abs(toward - start) // step + 1

        def tried(steps: int) -> Broken | None:
            return self.broken({**values, **dict.fromkeys(moved, start + sign * steps * step)})

        why = tried(bad - 1)
        if why is None:
            return _whole(setting, start + sign * (bad - 1) * step)
        bad -= 1
        while bad - good > 1:
            middle = (good + bad) // 2
            now = tried(middle)
            good, bad, why = (middle, bad, why) if now is None else (good, middle, now)
        return _at(setting, start + sign * good * step, why)

    def _broken(self, values: Values) -> Broken | None:
        found = (_difference(*both) for both in zip(self.base, self.of(values), strict=True))
        return next(filter(None, found), None)


def _difference(before: Trial, after: Trial) -> Broken | None:
    """What one kind of switch loses by a trial."""
    faults = after.faults
    new = min(faults.keys() - before.faults.keys(), default="")
    if before.switch is not None and after.switch is None:
        return Broken(faults[new or min(faults)])
    if before.switch is not None and after.switch is not None:
        for proof in _worse(before.switch, after.switch):
            return Broken(f"{proof.binding}: {proof.claim}", proof)
    return Broken(faults[new]) if new else None


def _worse(before: SwitchQos, after: SwitchQos) -> Iterator[Proof]:
    """Claims that no longer hold, or hold even less."""
    known = {each.claim: each for each in before.proofs}
    for proof in after.proofs:
        old = known.get(proof.claim)
        if proof.holds or (old and not old.holds and proof.claim == CAUTIOUS):
            continue
        if old is None or old.holds or proof.margin < old.margin:
            yield proof


def _whole(setting: Setting, value: int) -> Limit:
    why = derived("the end of what was looked at: no claim of the proof breaks before")
    return Limit(Figure(value, setting.unit, why), "no claim of the proof ends before")


def _at(setting: Setting, value: int, broken: Broken) -> Limit:
    proof = broken.proof
    if proof is None:
        return Limit(Figure(value, setting.unit, derived(broken.text)), broken.text)
    why = derived(
        f"the outermost {setting.key} for which {proof.left.why.formula} <= "
        f"{proof.right.why.formula}",
        proof.left.as_input("left, one step beyond"),
        proof.right.as_input("right, one step beyond"),
        source=proof.right.why.source or proof.left.why.source,
        bound=proof.claim,
    )
    weak = why if proof.trust in (Trust.COMPUTED, why.trust) else replace(why, trust=proof.trust)
    return Limit(Figure(value, setting.unit, weak), broken.text)
