"""RoCEv2 QoS as planned: classes, maps, thresholds, buffers, watchdog, and the proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nettool.core.provenance import Figure, Provenance, Trust


@dataclass(frozen=True, slots=True)
class TrafficClass:
    """One traffic class, the same on every hop. `dscp` empty for the default class.

    `weight` is the DWRR weight in percent, None for strict priority.
    """

    name: str
    dscp: tuple[int, ...]
    tc: int
    queue: int
    pg: int
    lossless: bool
    ecn: bool
    weight: Figure | None
    why: Provenance


@dataclass(frozen=True, slots=True)
class Pool:
    """A buffer pool; `size` and `xoff` in bytes. xoff is the shared headroom part."""

    name: str
    type: str
    mode: str
    size: Figure
    xoff: Figure | None


@dataclass(frozen=True, slots=True)
class Profile:
    """A buffer profile, bytes. `dynamic_th` is log2 alpha; exactly one threshold is set."""

    name: str
    pool: str
    size: Figure
    xon: Figure | None = None
    xoff: Figure | None = None
    xon_offset: Figure | None = None
    dynamic_th: Figure | None = None
    static_th: Figure | None = None


@dataclass(frozen=True, slots=True)
class Wred:
    """ECN marking of one speed: thresholds in bytes of queue, probability in percent."""

    name: str
    speed: int
    kmin: Figure
    kmax: Figure
    pmax: Figure


@dataclass(frozen=True, slots=True)
class Watchdog:
    """PFC watchdog, milliseconds."""

    detection: Figure
    restoration: Figure
    poll: Figure
    action: str


@dataclass(frozen=True, slots=True)
class PortQos:
    """QoS of one class of ports of a switch: equal speed and cable.

    `cable` is the length written to CABLE_LENGTH, a row of the platform's table, metres.
    """

    speed: int
    length: float
    cable: Figure
    lossless_profile: str
    wred: str
    lossless: bool = True


@dataclass(frozen=True, slots=True)
class Proof:
    """One inequality of the lossless proof, with its numbers."""

    claim: str
    left: Figure
    relation: str
    right: Figure
    holds: bool
    binding: str
    """The port or switch class that comes closest."""
    trust: Trust

    @property
    def margin(self) -> float:
        """How much room is left: right - left, in the unit of both."""
        return float(self.right.value) - float(self.left.value)


@dataclass(frozen=True, slots=True)
class SwitchQos:
    """QoS of all switches of one class: model, layout and cabling alike.

    `ports` maps a cabled port's name to its PortQos (shared instances).
    """

    key: str
    asic: str
    variant: str
    trust: Trust
    table: str | None
    pools: tuple[Pool, ...]
    profiles: tuple[Profile, ...]
    ingress_lists: tuple[str, ...]
    egress_lists: tuple[str, ...]
    lossy_pg_profile: str
    lossless_queue_profile: str
    lossy_queue_profile: str
    wreds: tuple[Wred, ...]
    watchdog: Watchdog | None
    ports: Mapping[str, PortQos]
    proofs: tuple[Proof, ...]
    pfc_to_pg: bool = False
    """Whether the chip takes a map of its own from PFC priorities to priority groups."""
    shared: Figure | None = None
    """Bytes that the thresholds of its lossless groups divide."""
    headroom: Figure | None = None
    """Bytes set aside for the headroom of all its groups together."""
    cell: Figure | None = None
    """Bytes of one cell of its buffer."""


@dataclass(frozen=True, slots=True)
class QosPlan:
    """The whole plan. Maps are complete: all 64 DSCP, all 8 traffic classes."""

    classes: tuple[TrafficClass, ...]
    dscp_to_tc: Mapping[int, int]
    tc_to_queue: Mapping[int, int]
    tc_to_pg: Mapping[int, int]
    pfc_to_queue: Mapping[int, int]
    lossless_priorities: tuple[int, ...]
    map_why: Mapping[str, Provenance]
    """Provenance of the maps: dscp_to_tc, tc_to_queue, tc_to_pg, pfc_to_queue."""
    switches: Mapping[str, SwitchQos]
    """By device name; equal switches share one instance."""
    assumptions: tuple[str, ...]
    deadlock: tuple[str, ...] = ()
    """One sentence a network: why buffers never wait in a cycle, or the cycle."""
    network_classes: Mapping[str, tuple[TrafficClass, ...]] = field(default_factory=dict)
    """By network, where there are several: the classes with the weights of its own traffic."""

    def classes_of(self, network: str) -> tuple[TrafficClass, ...]:
        """The classes of a network's switches; those of the whole fabric where it has no own."""
        return self.network_classes.get(network, self.classes)
