"""Three tiers with pods: leaves and spines in pods, cores above them."""

from __future__ import annotations

from pydantic import Field

from nettool.core.units import Count, Flag
from nettool.plan.design.topology import TOPOLOGIES, Block, Topology, rails_of


@TOPOLOGIES.add("clos3")
class Clos3(Topology):
    """Always three tiers, so that pods can be added later without a new tier."""

    rails: Flag = Field(default=True, description="whether NIC n of a segment goes to leaf n")
    pods: Count | None = Field(default=None, description="fixed number of pods")
    spines_per_pod: Count | None = Field(default=None, description="fixed number of spines a pod")
    cores: Count | None = Field(default=None, description="fixed number of cores")

    def blocks(self, nics: int) -> tuple[Block, ...]:
        """One Clos of three tiers."""
        return (
            Block(
                rails_of(nics),
                self.rails,
                (3,),
                pods=self.pods,
                spines=self.spines_per_pod,
                cores=self.cores,
            ),
        )
