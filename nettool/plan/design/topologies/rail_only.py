"""Rail-only: one leaf a rail and no spine; NIC n of every node goes to leaf n."""

from __future__ import annotations

from nettool.plan.design.topology import TOPOLOGIES, Block, Topology, rails_of


@TOPOLOGIES.add("rail-only")
class RailOnly(Topology):
    """Rails that never meet: jobs keep what crosses rails inside the node."""

    def blocks(self, nics: int) -> tuple[Block, ...]:
        """One leaf for each rail."""
        return tuple(Block((rail,), True, (1,)) for rail in rails_of(nics))
