"""What was last pushed to each switch, and stayed: the build of a run, by this machine's records.

A push that failed, was refused or went back left the one before it in force. Where its end is not
known, or it still waits to be confirmed, nobody knows what the switch should run by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.record import BUILD, Record, records

_KEPT = frozenset((Outcome.CHANGED, Outcome.UNCHANGED, Outcome.FAR_WORSE))
_OPEN = frozenset((Outcome.UNKNOWN, Outcome.ROLLBACK_FAILED))


@dataclass(frozen=True, slots=True)
class Pushed:
    """The last push of one switch: its run and its file; without a file, why there is none."""

    run: str = ""
    path: Path | None = None
    why: str = ""


def last_pushed(runs: Path, name: str, files: Mapping[str, str]) -> dict[str, Pushed]:
    """What was last pushed to each switch of the fabric `name`; `files` names its kind of file."""
    pushes = list(records(runs, "push", name))
    later = _Later(tuple(records(runs, "rollback", name)), tuple(records(runs, "confirm", name)))
    return {host: _last(host, file, pushes, later) for host, file in files.items()}


@dataclass(frozen=True, slots=True)
class _Later:
    """What became of pushes afterwards."""

    rollbacks: tuple[Record, ...]
    confirms: tuple[Record, ...]

    def outcome(self, host: str, push: Record) -> Outcome | None:
        """How a push stands on a switch now; None where it was not part of it."""
        outcome = _ended(host, push)
        if outcome is Outcome.PENDING:
            ends = (c.outcomes.get(host) for c in self.confirms if c.run > push.run)
            kept = {Outcome.CHANGED, Outcome.ROLLED_BACK}
            outcome = next((each for each in ends if each in kept), Outcome.UNKNOWN)
        for back in self.rollbacks:
            undone = back.run > push.run and str(back.order.get("of") or "") <= push.run
            ended = _ended(host, back)
            if undone and ended is not None and (ended.has_changed or ended in _OPEN):
                return Outcome.UNKNOWN if ended in _OPEN else Outcome.ROLLED_BACK
        return outcome


def _ended(host: str, run: Record) -> Outcome | None:
    """How a run ended on a switch; of one that was cut, what nobody has noted is not known."""
    if not run.is_whole and host in run.order.get("hosts", ()):
        return run.outcomes.get(host, Outcome.UNKNOWN)
    return run.outcomes.get(host)


def _last(host: str, file: str, pushes: Iterable[Record], later: _Later) -> Pushed:
    for push in pushes:
        outcome = later.outcome(host, push)
        if outcome in _OPEN:
            return Pushed(push.run, None, f"how run {push.run} ended on it is not known here")
        if outcome in _KEPT:
            path = push.folder / BUILD / "devices" / host / file
            if path.is_file():
                return Pushed(push.run, path)
            return Pushed(push.run, None, f"the build of run {push.run} is not kept here")
    return Pushed("", None, "no push of it is recorded here")
