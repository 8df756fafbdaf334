"""Dual-plane: NICs with two ports, each port in a Clos of its own."""

from __future__ import annotations

from nettool.plan.design.topology import TOPOLOGIES, Block, Topology, rails_of


@TOPOLOGIES.add("dual-plane")
class DualPlane(Topology):
    """Two rail-optimised planes that never meet: a plane may fail and every NIC stays reached."""

    def blocks(self, nics: int) -> tuple[Block, ...]:
        """One Clos of all rails for each port of the NICs."""
        return tuple(Block(rails_of(nics), True, (1, 2, 3), plane=n) for n in (1, 2))

    @property
    def planes(self) -> int:
        """Two ports a NIC."""
        return 2
