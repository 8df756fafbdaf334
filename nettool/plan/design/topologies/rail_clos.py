"""A Clos a rail: rails never meet, and each grows to as many tiers as it needs."""

from __future__ import annotations

from nettool.plan.design.topology import TOPOLOGIES, Block, Topology, rails_of


@TOPOLOGIES.add("rail-clos")
class RailClos(Topology):
    """Rail-only for more nodes than a leaf has ports."""

    def blocks(self, nics: int) -> tuple[Block, ...]:
        """One Clos of one to three tiers for each rail."""
        return tuple(Block((rail,), True, (1, 2, 3)) for rail in rails_of(nics))
