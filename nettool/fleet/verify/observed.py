"""What was seen on one switch, and what it should be: the values that checks compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.masking import masked_tables
from nettool.config.nos.artifact import Tables


@dataclass(frozen=True, slots=True)
class Observed:
    """The state of one switch at one time.

    `guard` says who holds the guard (empty: nobody). `ports` is oper and admin status by port,
    `lldp` the far device and port by port, `bgp` the state by neighbour. `counters` by kind,
    then `port` or `port|index`; `programmed` what the chip was told, by kind, place and field.
    `unread` lists what could not be read and why.
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

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready form, secrets masked: a baseline is compared by state, not by them."""
        saved = None if self.saved is None else masked_tables(self.saved)
        shown = replace(self, running=masked_tables(self.running), saved=saved)
        return asdict(shown)


@dataclass(frozen=True, slots=True)
class Seen:
    """One switch for the checks: what it should be, what it is, what it was before.

    `cabling` is the far device and port by local port, as planned.
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


def observed_of(data: Mapping[str, Any]) -> Observed:
    """The value of `Observed.as_json`."""
    pairs = {name: {k: (v[0], v[1]) for k, v in data[name].items()} for name in ("ports", "lldp")}
    return Observed(**{**data, **pairs})
