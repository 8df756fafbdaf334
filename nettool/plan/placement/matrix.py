"""Demand laid on the design: load per rail and tier, incast, flows, ECMP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from nettool.core.provenance import Figure

Traffic = Literal["training", "storage", "evaluation"]
"""What loads a network: jobs take turns between training and evaluation, storage comes beside."""


@dataclass(frozen=True, slots=True)
class TierLoad:
    """What all jobs put on one rail of one tier, per iteration.

    `tier` is scale-up, nic-leaf, leaf-spine or spine-core; `rail` 0 where rails mix. `bytes`
    are exact and one-way (up); `average` and `burst` Gbit/s of the busiest switch; `uplinks`
    how many it needs at the target utilisation.
    """

    network: str
    tier: str
    rail: int
    bytes: Figure
    average: Figure
    burst: Figure
    flows: int
    uplinks: Figure | None
    oversubscription: Figure | None
    """Implied: down capacity over the up capacity that is needed."""
    worst_link: Figure | None
    """ECMP: expected load of the fullest link, in flows."""
    slowest_flow: Figure | None
    """ECMP: the slowest flow's part of its fair share."""
    busiest: str = ""
    """The switch (or pod) that `average` to `slowest_flow` speak of."""
    links: int = 0
    """Links that it has to the next tier; 0 where there is none."""
    pinned_worst_link: Figure | None = None
    """The fullest link, in flows, where paths are pinned evenly instead of hashed."""
    pinned_slowest_flow: Figure | None = None
    """The slowest flow's part of its fair share on pinned paths."""
    traffic: Traffic = "training"
    """Per iteration of training, storage traffic's part of one, or one step of evaluation."""


@dataclass(frozen=True, slots=True)
class ClassShare:
    """Bytes of one traffic class of one network; `share` 0..1 of all bytes on its wires."""

    network: str
    name: str
    bytes: Figure
    share: Figure


@dataclass(frozen=True, slots=True)
class TrafficMatrix:
    """What the jobs ask of the network.

    `edges` gives bytes an iteration by job, dimension and class of edge (scale-up, leaf-local,
    leaf-spine, cross-rail, core), exact. `incast` is the largest number of NICs that send to
    one NIC at the same time, by network, at least 1.
    """

    loads: tuple[TierLoad, ...]
    classes: tuple[ClassShare, ...]
    edges: Mapping[tuple[str, str, str], int]
    incast: Mapping[str, Figure]
    needed_oversubscription: Mapping[str, Figure]
    """By network: what `oversubscription: from-demand` would take."""
    evaluation: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    """Bytes of one evaluation step by job, dimension and class of edge, exact."""
    relayed: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """By job and dimension: bytes that PXN moves over NVLink once more to change the rail."""
    nodes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By job: its nodes in rank order."""
