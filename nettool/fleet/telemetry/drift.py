"""Drift: what a switch runs other than intended, whose doing it is, and what it does to a job.

A difference is drift where the switch runs something else than was last pushed to it, and only
means that the intent is ahead where the fabric's file has changed since. No I/O.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.diff.masking import shown
from nettool.core.finding import Severity
from nettool.core.provenance import Trust
from nettool.fleet.telemetry.impact import JobImpact, Judgement, judge

Rows = Mapping[tuple[str, str], Sequence[Change]]
"""Changes by table and key."""


class Cause(StrEnum):
    """Whose doing a difference is."""

    SWITCH = "changed on the switch"
    BOTH = "changed on the switch and in the intent"
    UNKNOWN = "changed on the switch or in the intent"
    INTENT = "the intent is ahead"


@dataclass(frozen=True, slots=True)
class Compared:
    """One switch held against what it should run, at one time.

    `left` leads from what runs to what is intended now, `since` to what was last pushed, `unsaved`
    to what is saved, `restarted` from there to what is intended (None: not known). `guard` says
    who holds it (empty: nobody), `unread` what could not be read and why, `notes` what no
    difference shows.
    """

    device: str
    nos: str
    left: ChangeSet
    since: ChangeSet | None = None
    unsaved: ChangeSet | None = None
    restarted: ChangeSet | None = None
    guard: str = ""
    unread: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference, secrets masked: from what runs to what is intended (or saved)."""

    change: Change
    judgement: Judgement
    cause: Cause = Cause.SWITCH

    @property
    def severity(self) -> Severity:
        """How bad it is; what the intent is ahead is no fault of the switch's."""
        return Severity.INFO if self.cause is Cause.INTENT else self.judgement.severity

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready form."""
        change = {**asdict(self.change), "op": str(self.change.kind)}
        del change["kind"]
        return {
            **change,
            "cause": str(self.cause),
            "impact": str(self.judgement.impact),
            "severity": str(self.severity),
            "why": self.judgement.why,
            "source": self.judgement.source,
            "trust": str(self.judgement.trust),
        }


@dataclass(frozen=True, slots=True)
class SwitchDrift:
    """All that is to be said of one switch.

    What runs and is not saved is `unsaved`, but for drift that a restart would take back to what
    is intended: that is `passing`.
    """

    device: str
    drifts: tuple[Drift, ...] = ()
    unsaved: tuple[Drift, ...] = ()
    passing: tuple[Drift, ...] = ()
    guard: str = ""
    unread: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready form; `drift_of_json` reads it back."""
        return {
            "device": self.device,
            "changes": [each.as_json() for each in self.drifts],
            "unsaved": [each.as_json() for each in self.unsaved],
            "passing": [each.as_json() for each in self.passing],
            "guard": self.guard or None,
            "unread": dict(self.unread),
            "notes": list(self.notes),
        }


def drift_of(seen: Compared) -> SwitchDrift:
    """Each difference with its cause and impact, the worst first, secrets masked."""
    pushed = None if seen.since is None else _by_row(seen.since)
    drifts = (_drift(each, seen.nos, _cause(each, pushed)) for each in seen.left.changes)
    unsaved, passing = _unsaved(seen)
    return SwitchDrift(
        device=seen.device,
        drifts=_worst_first(drifts),
        unsaved=_worst_first(unsaved),
        passing=_worst_first(passing),
        guard=seen.guard,
        unread=seen.unread,
        notes=seen.notes,
    )


def drift_of_json(told: Mapping[str, Any]) -> SwitchDrift:
    """The value of `SwitchDrift.as_json`."""
    return SwitchDrift(
        device=told["device"],
        drifts=tuple(map(_drift_of_json, told["changes"])),
        unsaved=tuple(map(_drift_of_json, told["unsaved"])),
        passing=tuple(map(_drift_of_json, told["passing"])),
        guard=told["guard"] or "",
        unread=told["unread"],
        notes=tuple(told["notes"]),
    )


def _unsaved(seen: Compared) -> tuple[list[Drift], list[Drift]]:
    """What a restart would take away; apart, what it would take back to what is intended."""
    wrong, wrong_saved = _by_row(seen.left), _by_row(seen.restarted or seen.left)
    unsaved: list[Drift] = []
    passing: list[Drift] = []
    for change in seen.unsaved.changes if seen.unsaved else ():
        drift = _drift(change, seen.nos, Cause.SWITCH)
        if _stands(change, wrong_saved):
            unsaved.append(drift)
        elif _stands(change, wrong):
            passing.append(drift)
        else:
            unsaved.append(_of_others(drift))
    return unsaved, passing


def _of_others(drift: Drift) -> Drift:
    """What is neither intended nor in its way, such as an operator's ACL: no error of ours."""
    if drift.severity is not Severity.ERROR:
        return drift
    return replace(drift, judgement=replace(drift.judgement, severity=Severity.WARNING))


def _stands(change: Change, rows: Rows) -> bool:
    """Whether one of these changes is of the same row or field."""
    return any(_meet(each, change) for each in rows.get((change.table, change.key), ()))


def _drift(change: Change, nos: str, cause: Cause) -> Drift:
    return Drift(shown(change), judge(change, nos), cause)


def _worst_first(drifts: Iterable[Drift]) -> tuple[Drift, ...]:
    """By impact; what has the same one keeps the order of the difference, which is stable."""
    ranks = list(JobImpact)
    return tuple(sorted(drifts, key=lambda each: ranks.index(each.judgement.impact)))


def _by_row(changes: ChangeSet) -> Rows:
    rows: dict[tuple[str, str], list[Change]] = defaultdict(list)
    for change in changes.changes:
        rows[change.table, change.key].append(change)
    return rows


def _cause(change: Change, since: Rows | None) -> Cause:
    """The switch's doing where it runs other than pushed here, the intent's where it does not."""
    if since is None:
        return Cause.UNKNOWN
    others = [each for each in since.get((change.table, change.key), ()) if _meet(each, change)]
    if not others:
        return Cause.INTENT
    return Cause.SWITCH if change in others else Cause.BOTH


def _meet(one: Change, other: Change) -> bool:
    """Whether two changes of a row are of one field; a whole row holds all of its fields."""
    return one.field is None or other.field is None or one.field == other.field


def _drift_of_json(told: Mapping[str, Any]) -> Drift:
    kind = ChangeKind(told["op"])
    place = (told["table"], told["key"], told["field"])
    change = Change(kind, *place, told["before"], told["after"])
    judgement = Judgement(
        impact=JobImpact(told["impact"]),
        severity=Severity(told["severity"]),
        why=told["why"],
        source=told["source"],
        trust=Trust(told["trust"]),
    )
    return Drift(change, judgement, Cause(told["cause"]))
