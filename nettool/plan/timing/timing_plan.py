"""The clock tree and its error budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nettool.core.provenance import Figure, Provenance


@dataclass(frozen=True, slots=True)
class ClockPort:
    """PTP and SyncE role of one port: `role` master, slave or passive; `esmc` sends QL or DNU."""

    port: str
    role: str
    peer: str
    synce_input: int | None
    """Priority as a SyncE input (1 is best), None where it is never an input."""
    esmc: str


@dataclass(frozen=True, slots=True)
class Clock:
    """One switch's clock."""

    device: str
    kind: str
    """boundary or transparent."""
    parent: str | None
    """Device or grandmaster it follows; None where it has no path to one."""
    hops: int
    """Clocks between the grandmaster and this one, this one included."""
    priority1: Figure
    priority2: Figure
    clock_class: str
    clock_class_why: Provenance
    ports: tuple[ClockPort, ...]


@dataclass(frozen=True, slots=True)
class Budget:
    """Error budget, ns; `total` with MTIE whole, `total_half` with half of it."""

    name: str
    clocks: int
    cte: Figure | None
    dte: Figure | None
    total: Figure
    total_half: Figure
    target: Figure | None
    meets: bool | None


@dataclass(frozen=True, slots=True)
class TimingPlan:
    """Time for a whole fabric; `clocks` by device name, empty where timing is off."""

    enabled: bool
    profile: str
    domain: Figure
    transport: str
    delay: str
    two_step: bool
    log_announce: Figure
    log_sync: Figure
    log_delay: Figure
    synce: bool
    linuxptp: str
    grandmasters: tuple[str, ...]
    clocks: Mapping[str, Clock]
    budgets: tuple[Budget, ...]
    notes: tuple[str, ...]
