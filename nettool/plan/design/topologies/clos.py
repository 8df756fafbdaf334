"""A plain Clos without rails: all NICs of a node on one leaf."""

from __future__ import annotations

from nettool.plan.design.topology import TOPOLOGIES, Block, Topology, rails_of


@TOPOLOGIES.add("clos")
class PlainClos(Topology):
    """One to three tiers, for storage, front-end and out-of-band networks as well."""

    def blocks(self, nics: int) -> tuple[Block, ...]:
        """One Clos whose leaves take whole nodes."""
        return (Block(rails_of(nics), False, (1, 2, 3)),)
