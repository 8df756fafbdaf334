"""What one transaction is asked to do, and the clock it goes by."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from nettool.config.diff.policy import Policy
from nettool.fleet.deploy.switch import Switch, Tables


class Clock(Protocol):
    """Time, so that tests can let it pass quickly."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class WallClock:
    """The machine's own time."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class Health(Protocol):
    """What must not get worse by a change: looked at before it and after it."""

    def before(self, switch: Switch, running: Tables, *, restarts: bool = False) -> None:
        """Note how things stand while `running` is configured.

        `restarts`: the change itself restarts the services, so counters begin again.
        """
        ...

    def after(self, switch: Switch, running: Tables) -> tuple[str, ...]:
        """What is worse now, one sentence each; empty where all is well."""
        ...


class NoHealth:
    """Nothing beyond the configuration itself is looked at."""

    def before(self, switch: Switch, running: Tables, *, restarts: bool = False) -> None:
        """Nothing is noted."""

    def after(self, switch: Switch, running: Tables) -> tuple[str, ...]:  # noqa: ARG002  # a protocol's signature
        """Nothing is worse."""
        return ()


@dataclass(frozen=True, slots=True)
class Order:
    """One transaction: what a switch shall run, who asks for it, and what is consented to.

    `run` is made of letters, digits, `_` and `-`. `confirm_seconds` > 0 leaves the guard armed
    until somebody confirms, and `rest_seconds` longer, which the push may still take then.
    `guard_seconds` 0 takes the time from the plan's estimate.
    `settle_seconds` is how long daemons, links and sessions get to come to rest; `contact_seconds`
    how long a lost connection is tried again, `answer_seconds` how
    long one read may take, `poll_seconds` how old the counters may be that it reads. `chip` and
    `release` say whose updater it is, where they are known.
    `whole`: `intended` is all that the switch ran once, so that an install writes it as it is.
    `undoes` is the run that this one takes back. `look` reads as `check` does, and refuses what a
    push would refuse.
    """

    device: str
    run: str
    operator: str
    intended: Tables
    check: bool = False
    look: bool = False
    consent: frozenset[str] = field(default=frozenset())
    confirm_seconds: int = 0
    rest_seconds: int = 0
    guard_seconds: int = 0
    chip: str = ""
    policy: Policy | None = None
    release: str = ""
    whole: bool = False
    undoes: str = ""
    settle_seconds: float = 60.0
    contact_seconds: float = 120.0
    answer_seconds: float = 60.0
    poll_seconds: float = 0.0


def stamp(seconds: float) -> str:
    """A time for people and journals, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
