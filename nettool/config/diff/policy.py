"""When a network may be disturbed: a policy file that forbids impact labels by hour.

    timezone: Europe/Berlin
    rules:
      - at_least: link flap            # this label and every worse one
        days: [mon, tue, wed, thu, fri]
        from: "08:00"
        to: "20:00"
        why: training jobs run
      - forbid: [reboot]               # exactly these labels, at any hour
        switches: [spine, rail_03]     # hosts or groups of the inventory; all of them by default

Hours are those of the clock on the wall in `timezone`, which has to be given: a policy without
one means something else on every machine. A window whose `to` is not after its `from` goes on
past midnight and belongs to the day it begins on. Where clocks are put forward, hours that the
wall skips belong to no window; where they are put back, an hour that comes twice is held twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationError, model_validator

from nettool.config.nos.dialects.sonic.updater import Impact
from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Report
from nettool.core.located import Located
from nettool.core.model import Model
from nettool.core.source import load_yaml

Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
DAYS: tuple[Day, ...] = get_args(Day)
EVERY = "all"
"""The group that every switch is in."""
_RANK = list(Impact)
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_HINT = "a policy has timezone, and rules with forbid or at_least, days, from, to, switches, why"
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
    switches: tuple[str, ...] | None = None
    why: str = ""
    _place: str = PrivateAttr(default="")

    @model_validator(mode="after")
    def _says_what(self) -> Window:
        if bool(self.forbid) == (self.at_least is not None):
            raise ValueError("give either forbid (a list of labels) or at_least (one label)")
        if not self.days:
            raise ValueError("days is empty: leave it out for every day")
        if self.switches == ():
            raise ValueError("switches is empty: leave it out for every switch")
        return self

    def at_place(self, place: str) -> Window:
        """The same, which says that it stands at `place` (file:line)."""
        self._place = place
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

    def concerns(self, names: Collection[str]) -> bool:
        """Whether it holds for a switch of this name and these groups."""
        return self.switches is None or any(each in names for each in self.switches)

    @property
    def reason(self) -> str:
        """Where it stands and why it is there, in brackets; empty where neither is known."""
        said = ": ".join(filter(None, (self._place, self.why)))
        return f" ({said})" if said else ""

    def hours(self, zone: tzinfo) -> str:
        """Its days and hours on the clock of a zone, and the switches it is for."""
        days = "every day" if set(self.days) == set(DAYS) else ", ".join(self.days)
        if not self.start == self.to == time():
            days += f" {self.start:%H:%M}-{self.to:%H:%M}"
        on = f" on {', '.join(self.switches)}" if self.switches else ""
        return f"{days} {zone}{on}"


class _File(Model, arbitrary_types_allowed=True):
    timezone: Annotated[tzinfo, BeforeValidator(_zone)]
    rules: tuple[Window, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """Which labels are forbidden when, on the clock of one time zone."""

    zone: tzinfo
    windows: tuple[Window, ...]

    def on(self, names: Collection[str]) -> Policy:
        """What of it holds for a switch: `names` are its own and those of its groups."""
        return Policy(self.zone, tuple(each for each in self.windows if each.concerns(names)))

    def forbids(self, impact: Impact, at: datetime, seconds: float = 0.0) -> str:
        """Why something that disturbs so much may not begin now; empty where it may.

        `at` carries its zone; `seconds` is how long it takes: it must end before a window opens.
        Ask it of the policy `on` a switch.
        """
        at = at.astimezone(UTC)
        own = [each for each in self.windows if each.covers(impact)]
        window = self._open(own, at, seconds)
        if window is None:
            return ""
        local = at.astimezone(self.zone)
        allowed = self._allowed_from(own, at, seconds)
        later = f"allowed from {allowed:%a %H:%M}" if allowed else "no hour of the week allows it"
        minutes = max(1, round(seconds / 60))
        return (
            f"{impact} is forbidden {window.hours(self.zone)}{window.reason}; "
            f"it is {local:%a %H:%M} there and this takes about {minutes} min: {later}"
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


def load_policy(path: Path, known: Collection[str] | None = None) -> Policy:
    """A policy file. Raises FindingsError with every fault at its line, or UsageError.

    `known` are the switches and groups of the inventory, where it was read: rules name no others.
    """
    source = load_yaml(path)
    located = Located(source.map, "POL001", _HINT, "the policy")
    if not isinstance(source.data, dict):
        raise FindingsError(Report.of([located.at((), "keys and values are expected")]))
    try:
        file = _File.model_validate(source.data)
    except ValidationError as exc:
        raise FindingsError(Report.of(located.each(exc))) from exc
    if unknown := [] if known is None else list(_unknown(file.rules, known, located)):
        raise FindingsError(Report.of(unknown))
    places = (source.map.place(("rules", number)) for number in range(len(file.rules)))
    placed = (
        each.at_place(f"{path.name}:{place.line}")
        for each, place in zip(file.rules, places, strict=True)
    )
    return Policy(file.timezone, tuple(placed))


def _unknown(
    windows: Sequence[Window], known: Collection[str], located: Located
) -> Iterator[Finding]:
    """Names that no switch and no group of the inventory has, each with the nearest one."""
    for number, window in enumerate(windows):
        for place, name in enumerate(window.switches or ()):
            if name not in known:
                close = get_close_matches(name, sorted(known), n=1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                said = f"{name!r} is no switch or group of the inventory{hint}"
                yield located.at(("rules", number, "switches", place), said)
