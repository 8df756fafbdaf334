"""When a network may be disturbed: a policy file that forbids impact labels by hour.

    timezone: Europe/Berlin
    rules:
      - at_least: link flap            # this label and every worse one
        days: [mon, tue, wed, thu, fri]
        from: "08:00"
        to: "20:00"
        why: training jobs run
      - forbid: [reboot]               # exactly these labels, at any hour

Hours are those of the clock on the wall in `timezone`, which has to be given: a policy without
one means something else on every machine. A window whose `to` is not after its `from` goes on
past midnight and belongs to the day it begins on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from nettool.config.nos.dialects.sonic.updater import Impact
from nettool.core.errors import FindingsError
from nettool.core.finding import Report
from nettool.core.located import Located
from nettool.core.model import Model
from nettool.core.source import load_yaml

Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
DAYS: tuple[Day, ...] = get_args(Day)
_RANK = list(Impact)
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_HINT = "a policy has timezone, and rules with forbid or at_least, days, from, to, why"
_STEP = timedelta(minutes=1)
_QUARTER = timedelta(minutes=15)
_HORIZON = timedelta(days=8)


def _clock(value: Any) -> Any:
    if isinstance(value, int) and 0 <= value < 24 * 60:
        return time(value // 60, value % 60)  # YAML reads 18:00 without quotes as 1080
    match = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if not match:
        raise ValueError(f"a time such as 08:00 is expected, not {value!r}")
    return time(int(match[1]), int(match[2]))


def _zone(value: Any) -> Any:
    if value == "UTC":
        return UTC
    try:
        return ZoneInfo(str(value))
    except (ZoneInfoNotFoundError, ValueError, OSError) as exc:
        raise ValueError(f"a time zone such as Europe/Berlin is expected, not {value!r}") from exc


class Window(Model):
    """Labels that are forbidden on some days between two times; all days and hours by default."""

    forbid: tuple[Impact, ...] = ()
    at_least: Impact | None = None
    days: tuple[Day, ...] = DAYS
    start: Annotated[time, BeforeValidator(_clock)] = Field(default=time(), alias="from")
    to: Annotated[time, BeforeValidator(_clock)] = time()
    why: str = ""

    @model_validator(mode="after")
    def _says_what(self) -> Window:
        if bool(self.forbid) == (self.at_least is not None):
            raise ValueError("give either forbid (a list of labels) or at_least (one label)")
        if not self.days:
            raise ValueError("days is empty: leave it out for every day")
        return self

    def covers(self, impact: Impact) -> bool:
        """Whether this label is one of those forbidden here."""
        if self.at_least is None:
            return impact in self.forbid
        return _RANK.index(impact) >= _RANK.index(self.at_least)

    def holds(self, at: datetime) -> bool:
        """Whether the window is open at a local time."""
        now = at.time()
        if self.start < self.to:
            return DAYS[at.weekday()] in self.days and self.start <= now < self.to
        if now >= self.start:
            return DAYS[at.weekday()] in self.days
        return now < self.to and DAYS[at.weekday() - 1] in self.days

    def __str__(self) -> str:
        days = "every day" if set(self.days) == set(DAYS) else ", ".join(self.days)
        if self.start == self.to == time():
            return days
        return f"{days} {self.start:%H:%M}-{self.to:%H:%M}"


class _File(Model, arbitrary_types_allowed=True):
    timezone: Annotated[tzinfo, BeforeValidator(_zone)]
    rules: tuple[Window, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """Which labels are forbidden when, on the clock of one time zone."""

    zone: tzinfo
    windows: tuple[Window, ...]

    def forbids(self, impact: Impact, at: datetime, seconds: float = 0.0) -> str:
        """Why something that disturbs so much may not begin now; empty where it may.

        `at` carries its zone; `seconds` is how long it takes: it must end before a window opens.
        """
        own = [each for each in self.windows if each.covers(impact)]
        window = self._open(own, at, seconds)
        if window is None:
            return ""
        local = at.astimezone(self.zone)
        why = f" ({window.why})" if window.why else ""
        allowed = self._allowed_from(own, at, seconds)
        later = f"allowed from {allowed:%a %H:%M}" if allowed else "no hour of the week allows it"
        return (
            f"{impact} is forbidden {window} {self.zone}{why}; it is {local:%a %H:%M} there and "
            f"this takes about {max(1, round(seconds / 60))} min: {later}"
        )

    def _open(self, windows: list[Window], at: datetime, seconds: float) -> Window | None:
        begin, end = at, at + timedelta(seconds=seconds)
        while begin <= end:
            local = begin.astimezone(self.zone)
            if found := next((each for each in windows if each.holds(local)), None):
                return found
            begin += _STEP
        return next((each for each in windows if each.holds(end.astimezone(self.zone))), None)

    def _allowed_from(self, own: list[Window], at: datetime, seconds: float) -> datetime | None:
        later = at.replace(minute=at.minute - at.minute % 15, second=0, microsecond=0) + _QUARTER
        while later < at + _HORIZON:
            if self._open(own, later, seconds) is None:
                return later.astimezone(self.zone)
            later += _QUARTER
        return None


def load_policy(path: Path) -> Policy:
    """A policy file. Raises FindingsError with every fault at its line, or UsageError."""
    source = load_yaml(path)
    located = Located(source.map, "POL001", _HINT, "the policy")
    if not isinstance(source.data, dict):
        raise FindingsError(Report.of([located.at((), "keys and values are expected")]))
    try:
        file = _File.model_validate(source.data)
    except ValidationError as exc:
        raise FindingsError(Report.of(located.each(exc))) from exc
    return Policy(file.timezone, file.rules)
