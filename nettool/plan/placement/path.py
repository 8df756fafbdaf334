"""Which way an edge takes: inside the node, over one leaf, over spines, or over the core."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nettool.plan.placement.locality import Locality


class EdgeClass(StrEnum):
    """The classes of an edge, nearest first."""

    SCALE_UP = "scale-up"
    LEAF_LOCAL = "leaf-local"
    LEAF_SPINE = "leaf-spine"
    CROSS_RAIL = "cross-rail"
    CORE = "core"


@dataclass(frozen=True, slots=True)
class Path:
    """The way from one GPU to another: class, and the leaves where it enters and leaves."""

    kind: EdgeClass
    leaf: int
    last: int
    relayed: bool = False
    """PXN: moved over NVLink to the GPU of the destination's rail first."""
    reachable: bool = True


class Paths:
    """Paths between segments of one network; each is worked out once."""

    def __init__(self, ground: Locality, *, relays: bool) -> None:
        self._ground = ground
        self.relays = relays
        self._known: dict[tuple[int, int, int, int], Path] = {}

    def between(self, segment: int, local: int, other: int, peer: int) -> Path:
        """From a GPU (segment and local index) to one of another node."""
        key = (segment, local, other, peer)
        path = self._known.get(key)
        if path is None:
            path = self._known[key] = self._find(*key)
        return path

    def _find(self, segment: int, local: int, other: int, peer: int) -> Path:
        ground = self._ground
        first, last = ground.leaf[segment][local], ground.leaf[other][peer]
        if first == last:
            return Path(EdgeClass.LEAF_LOCAL, first, last)
        hops = ground.rail[local] != ground.rail[peer]
        relayed = hops and self.relays
        if relayed:
            first = ground.leaf[segment][peer]
            if first == last:
                return Path(EdgeClass.LEAF_LOCAL, first, last, relayed=True)
        reachable = ground.joined(first, last)
        if ground.pod[first] != ground.pod[last]:
            return Path(EdgeClass.CORE, first, last, relayed, reachable)
        kind = EdgeClass.CROSS_RAIL if hops and not relayed else EdgeClass.LEAF_SPINE
        return Path(kind, first, last, relayed, reachable)
