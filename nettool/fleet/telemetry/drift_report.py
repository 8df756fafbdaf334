"""Drift of a fleet as findings, as data, and as text in which equal differences are said once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.text import as_text
from nettool.config.diff.words import in_words
from nettool.core.finding import Finding, Report, Severity
from nettool.core.order import natural
from nettool.core.spans import named
from nettool.fleet.telemetry.drift import Cause, Drift, SwitchDrift
from nettool.fleet.telemetry.impact import JobImpact

AHEAD, UNSAVED, HELD, UNREAD, UNSEEN = "DRF010", "DRF011", "DRF012", "DRF013", "DRF000"
SHOWN = 3
_LEGEND = "+ missing on the switch, - not intended there, ~ what runs -> what is intended\n"
_WORST = list(Severity)
_TIMES = re.compile(r", since [^)]*(?=\))")
"""Since and until when a push holds a switch."""
_HINTS: Mapping[Cause, str] = {
    Cause.SWITCH: "push to bring it back, or take the change into the fabric's file",
    Cause.BOTH: "somebody changed it there and in the fabric's file: settle which one holds, push",
    Cause.UNKNOWN: "push to bring it back, or take the change into the fabric's file",
    Cause.INTENT: "push: the fabric's file has changed since the last one",
}


@dataclass(frozen=True, slots=True)
class FleetDrift:
    """Every switch that was asked: what was found, and of the others why they were not looked at.

    `runs` is the last push of each switch; where it is not known, `unpushed` says why.
    """

    switches: tuple[SwitchDrift, ...]
    unseen: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, str] = field(default_factory=dict)
    unpushed: Mapping[str, str] = field(default_factory=dict)

    @property
    def drifted(self) -> tuple[str, ...]:
        """The switches that run other than they should by somebody else's doing."""
        return self._of(lambda each: each.cause is not Cause.INTENT)

    @property
    def behind(self) -> tuple[str, ...]:
        """The switches that the intent is ahead of, whatever else there is."""
        return self._of(lambda each: each.cause is Cause.INTENT)

    @property
    def differs(self) -> bool:
        """Whether a push would change something, or a restart would."""
        return any(each.drifts or each.unsaved or each.passing for each in self.switches)

    @property
    def undecided(self) -> tuple[str, ...]:
        """The switches of which a difference could be anybody's doing."""
        return self._of(lambda each: each.cause is Cause.UNKNOWN)

    def report(self, **summary: object) -> Report:
        """Its findings, and how many switches there are of each kind."""
        findings = [found for each in self.switches for found in _findings(each)]
        findings += [_unseen(device, why) for device, why in self.unseen.items()]
        return Report.of(
            findings,
            devices=len(self.switches) + len(self.unseen),
            looked_at=len(self.switches),
            drifted=len(self.drifted),
            behind=len(self.behind),
            unsaved=sum(bool(each.unsaved or each.passing) for each in self.switches),
            **summary,
        )

    def as_json(self) -> list[dict[str, Any]]:
        """Each switch that was looked at, with its last push and all of its differences."""
        return [
            {**each.as_json(), "last_push": self.runs.get(each.device)} for each in self.switches
        ]

    def as_text(self, *, every: bool = False) -> str:
        """All differences by impact and cause, the worst first; equal ones of switches once."""
        groups: dict[_Group, dict[str, list[Drift]]] = defaultdict(lambda: defaultdict(list))
        for switch in self.switches:
            for each in switch.drifts:
                groups[_Group.of(each)][switch.device].append(each)
        ordered = sorted(groups, key=lambda each: each.order)
        told = [_section(group, groups[group], every=every) for group in ordered]
        return "\n".join([_LEGEND, *told]) if told else ""

    def _of(self, is_meant: Callable[[Drift], bool]) -> tuple[str, ...]:
        return tuple(each.device for each in self.switches if any(map(is_meant, each.drifts)))


@dataclass(frozen=True, slots=True)
class _Group:
    """Differences that are told together."""

    impact: JobImpact
    severity: Severity
    cause: Cause

    @classmethod
    def of(cls, drift: Drift) -> _Group:
        """The group of a difference."""
        return cls(drift.judgement.impact, drift.severity, drift.cause)

    @property
    def order(self) -> tuple[int, ...]:
        """What the switch did comes before what the intent is ahead; then the worst first."""
        ranks = (list(JobImpact).index(self.impact), _WORST.index(self.severity))
        return (self.cause is Cause.INTENT, *ranks, list(Cause).index(self.cause))

    @property
    def head(self) -> str:
        """The line above them."""
        rule = AHEAD if self.cause is Cause.INTENT else self.impact.rule
        return f"{self.severity} {rule} {self.impact.means}: {self.cause}"


def _section(group: _Group, drifts: Mapping[str, Sequence[Drift]], *, every: bool) -> str:
    sets = [ChangeSet(name, tuple(each.change for each in own)) for name, own in drifts.items()]
    body = as_text(sets, every=every).splitlines()
    judged = {each.judgement for own in drifts.values() for each in own}
    whys = sorted({f"{each.why} ({each.source}; {each.trust})" for each in judged})
    lines = [group.head, *(line and f"  {line}" for line in body)]
    lines += [f"  why: {why}" for why in whys]
    return "\n".join([*lines, f"  → {_HINTS[group.cause]}"]) + "\n"


def said_alike(report: Report) -> Iterator[str]:
    """What is no single difference (unsaved, held, unread, not looked at), alike ones once.

    Switches that one push holds are alike, whenever it came to each.
    """
    alike: dict[tuple[str, ...], list[Finding]] = defaultdict(list)
    for each in report.findings:
        if each.rule in {UNSAVED, HELD, UNREAD, UNSEEN}:
            timeless = _TIMES.sub("", each.message)
            said = (str(each.severity), each.rule, timeless, each.hint or "")
            alike[said].append(each)
    for (severity, rule, timeless, hint), found in alike.items():
        same = len({each.message for each in found}) == 1
        message = found[0].message if same else timeless
        who = named([each.device or "" for each in found], "switches")
        yield f"{who}: {severity} {rule} {message}\n    → {hint}\n"


def _findings(switch: SwitchDrift) -> Iterator[Finding]:
    for each in switch.drifts:
        yield _difference(switch.device, each)
    if switch.unsaved:
        yield _unsaved(switch)
    if switch.passing:
        yield _about(
            switch.device, UNSAVED, Severity.INFO,
            f"{_rows(switch.passing)} not saved: a restart would bring back what is intended",
            "it went without `config save`: find out whose trial it is",
        )  # fmt: skip
    if switch.guard:
        yield _about(
            switch.device, HELD, Severity.WARNING,
            f"held by the push of {switch.guard}: what runs may still go back",
            "look again when that push has ended, or was confirmed",
        )  # fmt: skip
    for name, why in switch.unread.items():
        yield _about(
            switch.device, UNREAD, Severity.WARNING,
            f"{name}: {why}, so it was not compared", "see why; silence is no proof",
        )  # fmt: skip


def _difference(device: str, drift: Drift) -> Finding:
    change, judgement = drift.change, drift.judgement
    is_ahead = drift.cause is Cause.INTENT
    meant = f"{judgement.impact.means}: {judgement.why}"
    return Finding(
        rule=AHEAD if is_ahead else judgement.impact.rule,
        severity=drift.severity,
        message=f"{in_words(change)}; {drift.cause}; {meant}",
        hint=_HINTS[drift.cause],
        device=device,
        table=change.table,
        key=change.key,
        field=change.field,
    )


def _unsaved(switch: SwitchDrift) -> Finding:
    means = switch.unsaved[0].judgement.impact.means
    return _about(
        switch.device,
        UNSAVED,
        min((each.severity for each in switch.unsaved), key=_WORST.index),
        f"{_rows(switch.unsaved)} not saved: a restart {means}",
        "push: it saves; or save the configuration there",
    )


def _rows(drifts: Sequence[Drift]) -> str:
    """How many places run something, and some of their rows."""
    rows = list(dict.fromkeys(f"{e.change.table}|{e.change.key}" for e in drifts))
    more = f" and {_count(len(rows) - SHOWN, 'more row')}" if len(rows) > SHOWN else ""
    said = f"what runs in {_count(len(drifts), 'place')} ({', '.join(rows[:SHOWN])}{more})"
    return f"{said} is"


def _unseen(device: str, why: str) -> Finding:
    hint = "what was not seen may have drifted"
    return _about(device, UNSEEN, Severity.ERROR, f"not looked at: {why}", hint)


def _about(device: str, rule: str, severity: Severity, message: str, hint: str) -> Finding:
    return Finding(rule=rule, severity=severity, message=message, hint=hint, device=device)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def in_order(switches: Iterable[SwitchDrift]) -> tuple[SwitchDrift, ...]:
    """Switches by name, leaf2 before leaf10."""
    return tuple(sorted(switches, key=lambda each: natural(each.device)))
