"""The clock tree and its error budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nettool.core.provenance import Figure, Provenance
from nettool.core.quick import quick_init

Fibre = tuple[str, str]
"""A port of a device or node: one end of a link."""


@quick_init
@dataclass(frozen=True, slots=True)
class ClockPort:
    """PTP and SyncE role of one port: `role` master, slave or passive; `esmc` sends QL or DNU.

    `role` is what it has while nothing has failed; a port that `may_follow` can turn to slave.
    """

    port: str
    role: str
    peer: str
    synce_input: int | None
    """Priority as a SyncE input (1 is best), None where it is never an input."""
    esmc: str
    may_follow: bool = False
    peer_address: str | None = None
    """Whom a port that may follow asks for messages, where the profile is unicast."""


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
    frequency: str | None = None
    """Device or grandmaster it takes frequency from; None without SyncE."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A grandmaster as the switches must see it; `attached` are the ports it is cabled to.

    `error` is against UTC, ns. `ql` is the quality level of its frequency with the SSM and
    enhanced SSM codes that ESMC carries.
    """

    name: str
    clock_class: str
    error: Figure
    priority1: Figure
    priority2: Figure
    ql: str
    ssm: int
    enhanced_ssm: int
    attached: tuple[Fibre, ...]


@dataclass(frozen=True, slots=True)
class Budget:
    """Error budget, ns; `total` with MTIE whole, `total_half` with half of it.

    `unfiltered` is never less than the largest unfiltered error of the classes on the way.
    `between` names the switches of the NICs that are worst off.
    """

    name: str
    clocks: int
    """Clocks in the chain; on the longer branch, where there are two."""
    cte: Figure | None
    dte: Figure | None
    total: Figure
    total_half: Figure
    target: Figure | None
    meets: bool | None
    unfiltered: Figure | None = None
    between: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FailureCheck:
    """The tree and the worst pair of NICs after one failure; `alike` failures leave the same.

    `moved` switches follow another parent, some of which `parents` names; `total` is None where
    no two NICs are left with time.
    """

    failed: str
    alike: int
    cut_off: int
    """Working switches without time."""
    moved: int
    parents: Mapping[str, str]
    clocks: int
    total: Figure | None
    total_half: Figure | None
    meets: bool | None


@dataclass(frozen=True, slots=True)
class Remedy:
    """One thing that brings a missed target nearer, with the worst pair it leaves, ns."""

    change: str
    total: Figure
    meets: bool


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
    references: tuple[Reference, ...] = ()
    failures: tuple[FailureCheck, ...] = ()
    """Every single failure that changes the tree, the worst first."""
    remedies: tuple[Remedy, ...] = ()
    """What would meet a missed target, the nearest first."""
    synce_option: int = 1
    synce4l: str = "1.1"
    own_transport: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Transport of single ports by device or node and port, where it is not the fabric's."""
