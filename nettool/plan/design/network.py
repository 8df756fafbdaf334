"""One network half-way through its design: hardware and counts are known, names are not."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.core.quick import lazy
from nettool.core.source import KeyPath
from nettool.intent.intent import NetworkIntent
from nettool.plan.design.addressing import Pools
from nettool.plan.design.clos import Clos, ratio_of
from nettool.plan.design.hardware import Hardware
from nettool.plan.design.lock import Outline, outline_of
from nettool.plan.design.topology import Block


@dataclass(frozen=True)
class Network:
    """A network with the counts of its blocks. `first` is the network with unprefixed names."""

    name: str
    intent: NetworkIntent
    first: bool
    hardware: Hardware
    blocks: tuple[Block, ...]
    closes: tuple[Clos, ...]
    nodes: int
    ratio: float
    """Down over up capacity of a leaf, as asked or as the demand needs it."""
    locked_length: int | None = None
    """Length of its NIC subnets in the lock."""
    locked_room: int = 0
    """Ports that its leaves keep for uplinks, where a lock tells; 0: what a full one needs."""

    @property
    def path(self) -> KeyPath:
        """Its key path in `fabric.yaml`."""
        return ("networks", self.name)

    @property
    def prefix(self) -> str:
        """What its switches' names begin with: nothing in the first network."""
        return "" if self.first else f"{self.name}-"

    @property
    def tiers(self) -> int:
        """Tiers of switches."""
        return max(each.tiers for each in self.closes)

    @property
    def routed(self) -> bool:
        """Whether its switches route between each other."""
        return self.tiers > 1 and self.intent.routing.protocol == "bgp"

    @lazy
    def subnets(self) -> int:
        """Subnets of a leaf: one, or one a rail where a single switch serves all rails."""
        block, clos = self.blocks[0], self.closes[0]
        return len(block.rails) if block.by_rail and clos.beside < block.beside else 1

    @lazy
    def hosts(self) -> int:
        """NIC ports in one subnet when its leaf is full, of the kind that most fit of."""
        cages = self.hardware.leaf.cages
        ratio = ratio_of(self.ratio) if self.tiers > 1 else None
        most = max(cages.most(kind, ratio) for kind in range(len(cages.down)))
        return max(most, self.closes[0].full) // self.subnets

    @lazy
    def prefix_length(self) -> int:
        """Length of a NIC subnet: as given, as locked, or what holds a full leaf."""
        given = self.intent.subnets.prefix_length
        return given or min(self.locked_length or self.fitting_length, self.fitting_length)

    @property
    def fitting_length(self) -> int:
        """The longest prefix that holds a full leaf and its gateway."""
        return 32 - (self.hosts + 2).bit_length()

    @lazy
    def outline(self) -> Outline:
        """What the lock keeps of it."""
        block = self.blocks[0]
        return outline_of(self.closes, self.nodes, self.subnets, self.prefix_length).model_copy(
            update={"room": self.room, "rails": 0 if block.by_rail else len(block.rails)}
        )

    @lazy
    def room(self) -> int:
        """Ports for uplinks beside the NICs of a full leaf, so that it fills and none moves."""
        clos, cages = self.closes[0], self.hardware.leaf.cages
        if clos.tiers == 1:
            return 0
        full = tuple(clos.full if kind == 0 else 0 for kind in range(len(cages.down)))
        needed = cages.needed_uplinks(full, ratio_of(self.ratio))
        return self.locked_room or max(clos.uplinks, needed)

    @lazy
    def pools(self) -> Pools:
        """The counters that its numbers are dealt from."""
        pools, subnets = self.intent.pools, self.intent.subnets
        return Pools(
            f"loopback {pools.loopbacks}",
            f"link {pools.links}",
            f"subnet {subnets.pool}/{self.prefix_length}",
            f"asn {pools.asn_first}",
        )
