"""Going on with a push that was broken off: which build it was, and which switches are left.

The difference of each switch is the truth, so a rerun would do; this spares the switches that are
done, and refuses a build that is not the one the push began with.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nettool.core.errors import RefusedError, UsageError
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.record import Record, build_hash, records

_DONE = frozenset((Outcome.CHANGED, Outcome.UNCHANGED))
"""What waits to be confirmed may have gone back since: it is looked at again."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A push that was begun: its run, and its switches that are done and that are left."""

    run: str
    done: tuple[str, ...]
    left: tuple[str, ...]

    def to_do(self, hosts: Iterable[str]) -> list[str]:
        """The switches of a run that goes on: all that are not done."""
        return [host for host in hosts if host not in self.done]


def begun(runs: Path, name: str, build: Path) -> Begun:
    """The last push of the fabric `name`, as far as it came and was not rolled back since.

    Raises UsageError where there is none, RefusedError where the build is another one now.
    """
    last = next(records(runs, "push", name), None)
    if last is None:
        raise UsageError(f"no push of {name} is remembered in {runs}: there is nothing to resume")
    now = build_hash(build)
    if last.order["hash"] != now:
        raise RefusedError(
            f"the build is not the one that run {last.run} pushed (was {last.order['hash'][:12]}, "
            f"is {now[:12]}): look at the difference, then push without --resume"
        )
    back = {each for undo in _rollbacks_after(last, runs, name) for each in undo.may_have_changed}
    before = set(last.order["done"])
    done = tuple(
        host
        for host in last.order["hosts"]
        if host not in back and (host in before or last.outcomes.get(host) in _DONE)
    )
    left = tuple(host for host in last.order["hosts"] if host not in set(done))
    return Begun(last.run, done, left)


def _rollbacks_after(last: Record, runs: Path, name: str) -> list[Record]:
    return [each for each in records(runs, "rollback", name) if each.run > last.run]
