"""Counts of a Clos of one to three tiers: what is asked for, and what answers it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from nettool.plan.design.cages import SwitchCages


@dataclass(frozen=True, slots=True)
class ClosRequest:
    """What a Clos must carry.

    `nodes` gives runs (kind, count) of equal nodes in order; a node has `on_leaf` ports on each
    of the `beside` leaves of its segment. `ratio` and `spine_ratio` are down : up capacity.
    Fixed numbers are None where they follow from the rest; `spines` counts a pod's.
    """

    nodes: tuple[tuple[int, int], ...]
    on_leaf: int
    beside: int
    leaf: SwitchCages
    spine: SwitchCages
    core: SwitchCages
    ratio: Fraction = Fraction(1)
    spine_ratio: Fraction = Fraction(1)
    tiers: tuple[int, ...] = (1, 2, 3)
    segments: int | None = None
    spines: int | None = None
    pods: int | None = None
    cores: int | None = None

    @property
    def count(self) -> int:
        """Nodes in all."""
        return sum(count for _, count in self.nodes)

    @property
    def ports(self) -> int:
        """NIC ports in all."""
        return self.count * self.on_leaf * self.beside

    def counts(self, runs: tuple[tuple[int, int], ...], width: int) -> tuple[int, ...]:
        """Ports of each kind of NIC for runs of nodes with `width` ports each."""
        counts = [0] * len(self.leaf.down)
        for kind, count in runs:
            counts[kind] += count * width
        return tuple(counts)


@dataclass(frozen=True, slots=True)
class Segment:
    """Nodes that share their leaves: `first` (from 0), kinds in node order, uplinks a leaf."""

    first: int
    kinds: tuple[tuple[int, int], ...]
    uplinks: int

    @property
    def count(self) -> int:
        """How many nodes it has."""
        return sum(count for _, count in self.kinds)


@dataclass(frozen=True, slots=True)
class Pod:
    """Segments of one pod (range of indexes), and the uplinks that each of its spines has."""

    segments: range
    spine_uplinks: int


@dataclass(frozen=True, slots=True)
class Clos:
    """A Clos that fits.

    `uplinks` is the largest of a leaf, `per_pair` its links to each spine, `spines` a pod's.
    `group` is the number of cores each spine connects to where spine n of every pod meets the
    same cores; None where uplinks go round all cores in turn.
    """

    tiers: int
    beside: int
    segments: tuple[Segment, ...]
    full: int
    uplinks: int = 0
    spines: int = 0
    per_pair: int = 0
    pods: tuple[Pod, ...] = ()
    spine_uplinks: int = 0
    cores: int = 0
    group: int | None = None
    spine_minimum: int = 0

    @property
    def leaves(self) -> int:
        """Leaves in all."""
        return len(self.segments) * self.beside

    @property
    def spines_in_all(self) -> int:
        """Spines of all pods."""
        return self.spines * len(self.pods)

    @property
    def leaf_spine_links(self) -> int:
        """Links between leaves and spines, at the uplink's speed."""
        return self.beside * sum(each.uplinks for each in self.segments)

    @property
    def spine_core_links(self) -> int:
        """Links between spines and cores, at the spine uplink's speed."""
        return self.spines * sum(each.spine_uplinks for each in self.pods)


@dataclass(frozen=True, slots=True)
class Limit:
    """Why a request does not fit: a sentence with numbers, and the most NIC ports that would.

    `hint` says what to give instead, where a number that was given is the limit.
    """

    reason: str
    most: int
    hint: str = ""


def ratio_of(oversubscription: float) -> Fraction:
    """An oversubscription as people write it, exact: 1.1 is 11/10."""
    return Fraction(str(oversubscription))
