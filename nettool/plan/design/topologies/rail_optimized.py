"""Rail-optimised: NIC n of a segment's nodes on leaf n, and spines that join the rails."""

from __future__ import annotations

from nettool.plan.design.topology import TOPOLOGIES, Block, Topology, rails_of


@TOPOLOGIES.add("rail-optimized")
class RailOptimized(Topology):
    """Two tiers; one where the fabric fits a single switch, three where two do not suffice."""

    def blocks(self, nics: int) -> tuple[Block, ...]:
        """One Clos of all rails."""
        return (Block(rails_of(nics), True, (1, 2, 3)),)
