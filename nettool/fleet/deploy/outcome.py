"""What became of one switch in a push, and what the whole push makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.foreign import left_alone_text
from nettool.config.diff.text import as_json, as_text
from nettool.core.finding import SCHEMA_VERSION, Finding


class Outcome(StrEnum):
    """How a transaction with one switch ended; the last ones are the worst."""

    UNCHANGED = "unchanged"
    WOULD_CHANGE = "would change"
    WOULD_REFUSE = "would be refused"
    CHANGED = "changed"
    PENDING = "waits for confirm"
    NOT_STARTED = "not started"
    FAILED = "failed, nothing changed"
    REFUSED = "refused"
    ROLLED_BACK = "rolled back"
    FAR_WORSE = "changed, far end worse"
    UNREACHABLE = "unreachable"
    UNKNOWN = "unknown"
    ROLLBACK_FAILED = "ROLLBACK FAILED"

    @property
    def is_good(self) -> bool:
        """True where nothing needs a look."""
        return EXIT_CODES[self] == 0

    @property
    def has_changed(self) -> bool:
        """True where the switch runs another configuration than before."""
        changed = {Outcome.CHANGED, Outcome.PENDING, Outcome.FAR_WORSE, Outcome.ROLLBACK_FAILED}
        return self in changed


EXIT_CODES: Mapping[Outcome, int] = {
    Outcome.UNCHANGED: 0,
    Outcome.WOULD_CHANGE: 0,
    Outcome.WOULD_REFUSE: 7,
    Outcome.CHANGED: 0,
    Outcome.PENDING: 0,
    Outcome.NOT_STARTED: 4,
    Outcome.FAILED: 1,
    Outcome.REFUSED: 7,
    Outcome.ROLLED_BACK: 5,
    Outcome.FAR_WORSE: 4,
    Outcome.UNREACHABLE: 4,
    Outcome.UNKNOWN: 4,
    Outcome.ROLLBACK_FAILED: 6,
}
BEYOND = ("unwritten", "kept_lines", "unproved_lines", "left_alone", "due")
"""Names of what a switch has beyond its differences."""
_WORST_FIRST = (6, 4, 5, 1, 7, 0)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a transaction: its name and how it went."""

    name: str
    detail: str = "ok"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one switch. `changes` may hold secrets; every form made here masks them."""

    device: str
    outcome: Outcome
    message: str = ""
    way: str = ""
    """`patch` or `install`; empty where nothing had to be written."""
    changes: ChangeSet | None = None
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()
    impact: str = ""
    estimate: float = 0.0
    """Seconds the switch is expected to need for the change."""
    patch: tuple[Mapping[str, object], ...] = ()
    """The RFC 6902 operations for the eye, secrets masked; empty for an install."""
    plan: tuple[Mapping[str, object], ...] = ()
    """The steps in order, each with what it disturbs and how it is taken back."""
    notes: tuple[str, ...] = ()
    """What no difference shows and has to be known all the same, one sentence each."""
    beyond: Mapping[str, object] = field(default_factory=dict)
    """The same as data, beside the other fields of the JSON form."""

    def as_json(self) -> dict[str, object]:
        """A JSON-ready form without secrets."""
        changes = [] if self.changes is None else as_json([self.changes])["devices"]
        return {
            "device": self.device,
            "outcome": str(self.outcome),
            "message": self.message,
            "way": self.way or None,
            "changes": changes,
            "diff": "" if self.changes is None else as_text([self.changes]),
            "steps": [{"name": each.name, "detail": each.detail} for each in self.steps],
            "findings": [
                {"rule": f.rule, "severity": str(f.severity), "message": f.message, "hint": f.hint}
                for f in self.findings
            ],
            "impact": self.impact or None,
            "estimate_s": round(self.estimate, 1),
            "patch": list(self.patch),
            "plan": list(self.plan),
            "notes": list(self.notes),
            **self.beyond,
        }


def checked(result: Result, unproved: str = "") -> Result:
    """The same as the result of a check: what a push would refuse says that it would.

    `unproved` is one more reason for it, which no switch is asked for.
    """
    if not ((result.outcome.is_good and unproved) or result.outcome is Outcome.REFUSED):
        return result
    why = "; ".join(filter(None, (unproved, result.message)))
    return replace(result, outcome=Outcome.WOULD_REFUSE, message=why)


def with_left_alone(result: Result, rows: Mapping[str, int]) -> Result:
    """The same, which names the rows of tables that SONiC has no model of, where there are any."""
    if not rows:
        return result
    notes = (*result.notes, left_alone_text(rows))
    return replace(result, notes=notes, beyond={**result.beyond, "left_alone": dict(rows)})


@dataclass(frozen=True, slots=True)
class HostResult:
    """One switch in the report of a push, as its playbook told it."""

    device: str
    outcome: Outcome
    message: str = ""
    diff: str = ""
    changes: tuple[Mapping[str, object], ...] = ()
    steps: tuple[Step, ...] = ()
    way: str = ""
    impact: str = ""
    patch: tuple[Mapping[str, object], ...] = ()
    plan: tuple[Mapping[str, object], ...] = ()
    estimate: float = 0.0
    notes: tuple[str, ...] = ()
    beyond: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PushReport:
    """What became of every switch of a push; `folder` holds its artifacts."""

    run: str
    hosts: tuple[HostResult, ...]
    folder: str = ""
    message: str = ""
    is_lost: bool = False
    """True where this machine could not keep the record of what was written."""
    summary: Mapping[str, object] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """The contract's exit code: the worst of all switches, 4 where only some were changed.

        And 4 where all went well and no record of it is left: later verbs do not know it.
        """
        code = worst(host.outcome for host in self.hosts)
        return EXIT_CODES[Outcome.UNKNOWN] if self.is_lost and not code else code

    def count(self, outcome: Outcome) -> int:
        """How many switches ended this way."""
        return sum(host.outcome is outcome for host in self.hosts)

    def as_json(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "run": self.run,
            "exit_code": self.exit_code,
            "message": self.message,
            "devices": [
                {
                    "device": each.device,
                    "outcome": str(each.outcome),
                    "message": each.message,
                    "way": each.way or None,
                    "impact": each.impact or None,
                    "changes": list(each.changes),
                    "patch": list(each.patch),
                    "plan": list(each.plan),
                    "steps": [{"name": s.name, "detail": s.detail} for s in each.steps],
                    "notes": list(each.notes),
                    **each.beyond,
                }
                for each in self.hosts
            ],
            "summary": {
                **{str(o): n for o in Outcome if (n := self.count(o))},
                **self.summary,
            },
        }


def worst(outcomes: Iterable[Outcome]) -> int:
    """The exit code of several outcomes; one that failed beside one that changed is partial.

    A switch that was not started says nothing beside the one that stopped the push; where none
    did, the push itself was stopped, and is partial.
    """
    seen = set(outcomes)
    codes = {EXIT_CODES[each] for each in seen}
    if not all(each.is_good or each is Outcome.NOT_STARTED for each in seen):
        codes = {EXIT_CODES[each] for each in seen - {Outcome.NOT_STARTED}}
    codes = codes or {0}
    code = next(each for each in _WORST_FIRST if each in codes)
    partial = seen & {Outcome.CHANGED, Outcome.PENDING} and code in {1, 7}
    return 4 if partial else code
