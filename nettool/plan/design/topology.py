"""What a topology is: how NICs are dealt to Clos blocks, and which leaf a NIC meets.

A member of `topologies/` is a model whose fields are its own options (`networks.NAME.options`)
and whose `blocks` says how the network is cut. Everything after that (counts, names, addresses,
ports, cables) is the same for all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from nettool.core.model import Model
from nettool.core.registry import Registry


@dataclass(frozen=True, slots=True)
class Block:
    """One Clos that has no links to other blocks.

    It serves port `plane` (from 1; None where NICs have one port) of the NICs of `rails`. Where
    `by_rail`, each rail has a leaf of its own in a segment; otherwise a leaf takes all NICs of
    its nodes. `tiers` are the numbers of tiers it may have; the fixed numbers are options.
    """

    rails: tuple[int, ...]
    by_rail: bool
    tiers: tuple[int, ...]
    plane: int | None = None
    pods: int | None = None
    spines: int | None = None
    cores: int | None = None

    @property
    def beside(self) -> int:
        """Leaves of one segment."""
        return len(self.rails) if self.by_rail else 1

    @property
    def on_leaf(self) -> int:
        """Ports of one node on one leaf."""
        return 1 if self.by_rail else len(self.rails)


class Topology(Model, ABC):
    """One way to connect nodes; its fields are the options that users may give."""

    @abstractmethod
    def blocks(self, nics: int) -> tuple[Block, ...]:
        """The Clos blocks for nodes with `nics` NICs each."""

    @property
    def planes(self) -> int:
        """Network ports that each NIC must have."""
        return 1


TOPOLOGIES: Registry[type[Topology]] = Registry("nettool.plan.design.topologies")
"""Topologies by the name that `networks.NAME.topology` gives."""


def rails_of(nics: int) -> tuple[int, ...]:
    """Rail numbers of nodes with `nics` NICs: NIC n is on rail n."""
    return tuple(range(1, nics + 1))
