"""Faults by script: what a mock switch does wrong, on which command, how many times."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from nettool.core.errors import UsageError

Act = Literal[
    "fail",
    "drop",
    "drop_during",
    "drop_after",
    "delay",
    "hang",
    "refuse",
    "auth",
    "partial",
    "status",
    "garbage",
    "reply",
    "reboot",
    "reboot_during",
    "reboot_after",
    "drift",
    "full",
    "stuck",
    "stuck_during",
    "unprogrammed",
    "forgotten",
    "late",
]
ACTS = frozenset(get_args(Act))


@dataclass(slots=True)
class Fault:
    """One wrong behaviour.

    match    regular expression searched in the command (`sudo ` included where it was given)
    do       fail: exit `status` with `stderr`, nothing done · reply: print `stdout`, exit 0,
             nothing done · drop: cut the connection, the command never runs · drop_during: cut
             it, the command runs all the same · drop_after: run it, then cut · delay: wait
             `seconds` first · hang: never answer (`stdout` is printed first) · stuck: run it and
             never end · partial, stuck_during: an apply makes `changes` changes, then fails, or
             never ends · status: run it, then lie with `status` · garbage: print noise in place of
             the answer · reboot, reboot_during, reboot_after: restart the switch before the
             command, after `changes` changes of an apply, or after it · drift: put `config` into
             running first · full: the disk is full while this writes · refuse: take no connection
             · auth: reject every login · unprogrammed: rows whose `TABLE|key` matches never reach
             the chip · forgotten: nor any daemon · late: ports that match come up `seconds` after
             they were made
    times    how often it strikes; None: always
    on       `command`: each command of a script · `line`: the whole line as it was sent
    back     seconds after which a dropped, refused or rebooted switch answers again; None with
             drop, drop_after or refuse: never
    """

    match: str
    do: Act
    times: int | None = 1
    on: Literal["command", "line"] = "command"
    status: int = 1
    stdout: str = ""
    stderr: str = ""
    seconds: float = 0.0
    changes: int = 0
    back: float | None = 0.0
    config: Mapping[str, Any] = field(default_factory=dict)
    struck: int = 0

    def strikes(self, text: str, on: str) -> bool:
        """True where this fault falls on `text`; it is used up by that."""
        if self.on != on or (self.times is not None and self.struck >= self.times):
            return False
        if not re.search(self.match, text):
            return False
        self.struck += 1
        return True


class FaultScript:
    """The faults of one switch, tried in order; the first that strikes is the one."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def add(self, fault: Fault) -> None:
        """Append a fault."""
        if fault.do not in ACTS:
            raise UsageError(f"mock fault {fault.do!r} is not one of {', '.join(sorted(ACTS))}")
        try:
            re.compile(fault.match)
        except re.error as exc:
            raise UsageError(
                f"mock fault: {fault.match!r} is no regular expression: {exc}"
            ) from exc
        self._faults.append(fault)

    def clear(self) -> None:
        """Forget every fault."""
        self._faults.clear()

    def strike(self, text: str, on: str = "command") -> Fault | None:
        """The fault that falls on this command, if any."""
        return next((f for f in self._faults if f.strikes(text, on)), None)

    def falls_on(self, text: str) -> bool:
        """Whether a fault waits for this command; it stays unused."""
        return any(
            re.search(f.match, text) for f in self._faults if f.times is None or f.struck < f.times
        )

    def standing(self, do: Act) -> Fault | None:
        """A fault of this kind that is not used up, for what is no command (refuse, auth, full)."""
        return next(iter(self.all_standing(do)), None)

    def all_standing(self, do: Act) -> list[Fault]:
        """Every fault of this kind that is not used up."""
        return [f for f in self._faults if f.do == do and (f.times is None or f.struck < f.times)]


def fault_from_json(data: Mapping[str, Any]) -> Fault:
    """A fault read from JSON; unknown fields are refused."""
    known = set(Fault.__dataclass_fields__) - {"struck"}
    unknown = sorted(set(data) - known)
    if unknown:
        raise UsageError(f"mock fault: unknown field {unknown[0]!r}")
    for name in ("match", "do"):
        if name not in data:
            raise UsageError(f"mock fault: {name!r} is missing")
    return Fault(**data)
