"""What was seen on one switch, and what it should be: the values that checks compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.masking import masked_tables
from nettool.config.nos.artifact import Tables
from nettool.fleet.verify.expected import Expected, expected_of


@dataclass(frozen=True, slots=True)
class Observed:
    """The state of one switch at one time.

    `guard` says who holds the guard (empty: nobody). `ports` is oper and admin status by port,
    `lldp` the far device and port by port, `bgp` the state by neighbour, `as_numbers` their AS
    numbers as FRR runs them (its own under the empty name). `counters` by kind,
    then `port` or `port|index`; `programmed` what the chip was told, by kind, place and field.
    `unread` lists what could not be read and why. `below` is the CONFIG_DB beneath command lines,
    where `running` is such; `started` when its services began, with which counters begin again.
    `trust` says what of this rests on an assumption about the switch.
    """

    device: str
    running: Tables
    saved: Tables | None
    guard: str = ""
    ports: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    lldp: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    bgp: Mapping[str, str] = field(default_factory=dict)
    counters: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    programmed: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)
    below: Tables | None = None
    started: str = ""
    trust: str = ""
    as_numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def tables(self) -> Tables:
        """The running CONFIG_DB, whatever the switch is configured in."""
        return self.running if self.below is None else self.below

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready form, secrets masked: a baseline is compared by state, not by them."""
        saved, below = (
            None if tables is None else masked_tables(tables) for tables in (self.saved, self.below)
        )
        shown = replace(self, running=masked_tables(self.running), saved=saved, below=below)
        return asdict(shown)


@dataclass(frozen=True, slots=True)
class Seen:
    """One switch for the checks: what it should be, what it is, what it was before.

    `cabling` is the far device and port by local port, as planned. `expected` is None where the
    intended tables say it all; `no_baseline` why there is no look from before, where one was asked.
    """

    device: str
    intended: Tables
    observed: Observed
    cabling: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    baseline: Observed | None = None
    left: ChangeSet | None = None
    """What is not as intended, where the dialect has said so itself; None: compare the tables."""
    unsaved: ChangeSet | None = None
    """What runs otherwise than saved; in the same way."""
    expected: Expected | None = None
    no_baseline: str = ""

    @property
    def plan(self) -> Expected:
        """Its links, sessions and lossless set as planned."""
        return expected_of(self.intended) if self.expected is None else self.expected

    @property
    def has_restarted(self) -> bool:
        """Whether its services began again since the baseline, as far as both looks know."""
        was = "" if self.baseline is None else self.baseline.started
        return bool(was and self.observed.started and was != self.observed.started)


def observed_of(data: Mapping[str, Any]) -> Observed:
    """The value of `Observed.as_json`."""
    pairs = {name: {k: (v[0], v[1]) for k, v in data[name].items()} for name in ("ports", "lldp")}
    return Observed(**{**data, **pairs})
