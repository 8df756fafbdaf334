"""Cables between switches and from NICs to leaves, with the addresses of both ends.

Leaves and spines: each leaf has the same number of links to every spine of its pod, next to each
other on the leaf; a spine keeps as many ports for each leaf. Spines and cores: spine n of every
pod meets the same cores where cores split evenly, otherwise links go round all cores in turn. A
network that grew under a lock keeps its links on their ports, as `legs` deals them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nettool.catalog.ports import PortSlot
from nettool.plan.design.addressing import Ledger, Pool
from nettool.plan.design.clos import Clos
from nettool.plan.design.drafts import BlockDrafts, Draft
from nettool.plan.design.fabric import End, Link, LinkKind, Neighbor
from nettool.plan.design.legs import Legs
from nettool.plan.design.lengths import CableKinds
from nettool.plan.design.network import Network

CAGES = 1000
"""A cable's number is its lower switch's sequence times this, plus the cage: it never changes."""


@dataclass(frozen=True)
class LinkPools:
    """Where link addresses come from; None where links have none of that version."""

    counter: str
    four: Pool | None
    six: Pool | None


def link_pools(network: Network) -> LinkPools:
    """The pools of a network's links: both None where they are unnumbered."""
    pools = network.intent.pools
    if network.intent.routing.links == "unnumbered" or not network.routed:
        return LinkPools(network.pools.link, None, None)
    six = Pool(pools.links6, 127) if pools.links6 else None
    return LinkPools(network.pools.link, Pool(pools.links, 31), six)


def wire_block(
    network: Network, drafts: BlockDrafts, ledger: Ledger,
    known: tuple[tuple[LinkKind, LinkKind], CableKinds], legs: Legs | None = None,
) -> Iterator[Link]:  # fmt: skip
    """The links between the switches of a block.

    `known` has the usual kinds of leaf-spine and spine-core, and the cables that differ; `legs`
    the ports where the network grew.
    """
    clos = drafts.clos
    kinds, cables = known
    if clos.tiers == 1:
        return
    wirer = _Wirer(network, ledger)
    for number, pod in enumerate(clos.pods):
        spines = drafts.spines[number]
        ranked = sorted(
            ((leaf, segment) for segment in pod.segments for leaf in drafts.leaves[segment]),
            key=lambda pair: pair[0].number,
        )
        for rank, (leaf, segment) in enumerate(ranked):
            share = clos.segments[segment].uplinks // clos.spines
            addresses = wirer.indexes(leaf)
            kind_of = cables.of(leaf, kinds[0])
            ups, downs = _ports(clos, leaf, (rank, number, share), legs)
            for place, spine in enumerate(spines):
                own = ups[place]
                for leg in range(share):
                    up = own[leg]
                    slot = leaf.ports.up[up]
                    yield wirer.join(
                        leaf, slot, spine, spine.ports.down[downs[leg]], kind_of[slot.cage],
                        addresses[up] if addresses else -1,
                    )  # fmt: skip
    if clos.tiers == 3:
        yield from _wire_cores(drafts, wirer, kinds[1], cables, legs)


def _ports(
    clos: Clos, leaf: Draft, of: tuple[int, int, int], legs: Legs | None
) -> tuple[Sequence[Sequence[int]], Sequence[int]]:
    """Indexes of a leaf's uplinks by spine, and of the ports of each spine below."""
    rank, pod, share = of
    room = len(leaf.ports.up)
    place = leaf.place
    downs: Sequence[int] = range(rank * clos.per_pair, (rank + 1) * clos.per_pair)
    if legs:
        downs = legs.down[place.block, pod][place.group, place.each]
        if all(each < room for held in legs.up.values() for each in held):
            return tuple(legs.up.values()), downs
    return _side_by_side(clos.spines, clos.per_pair if room >= clos.uplinks else share), downs


@lru_cache(maxsize=64)
def _side_by_side(spines: int, stride: int) -> tuple[range, ...]:
    """Uplinks of a leaf by spine, as many to each."""
    return tuple(range(each * stride, (each + 1) * stride) for each in range(spines))


def _wire_cores(
    drafts: BlockDrafts, wirer: _Wirer, kind: LinkKind, cables: CableKinds, legs: Legs | None
) -> Iterator[Link]:
    used = [0] * len(drafts.cores)
    turn = 0
    for number, pod in enumerate(drafts.clos.pods):
        held = legs.core_down[number] if legs and drafts.clos.group else ()
        for place, spine in enumerate(drafts.spines[number]):
            addresses = wirer.indexes(spine)
            kind_of = cables.of(spine, kind)
            downs = [0] * len(drafts.cores)
            for up, target in _targets(drafts, place, (pod.spine_uplinks, turn), legs):
                core = drafts.cores[target]
                down = held[downs[target]] if held else used[target]
                near, far = spine.ports.up[up], core.ports.down[down]
                used[target] += 1
                downs[target] += 1
                yield wirer.join(
                    spine, near, core, far, kind_of[near.cage],
                    addresses[up] if addresses else -1,
                )  # fmt: skip
            turn += pod.spine_uplinks


def _targets(
    drafts: BlockDrafts, place: int, of: tuple[int, int], legs: Legs | None
) -> Iterator[tuple[int, int]]:
    """Uplink and core of every link of one spine."""
    clos = drafts.clos
    uplinks, turn = of
    if clos.group is None:
        for up in range(uplinks):
            yield up, (turn + up) % clos.cores
        return
    stride, share = clos.spine_uplinks // clos.group, uplinks // clos.group
    for each in range(clos.group):
        held = legs.core_up[each] if legs else range(each * stride, each * stride + share)
        for up in held[:share]:
            yield up, place * clos.group + each


class _Wirer:
    """Joins two switches: a neighbour on both, and the link."""

    def __init__(self, network: Network, ledger: Ledger) -> None:
        self._network = network.name
        self._ledger = ledger
        self._pools = link_pools(network)

    def indexes(self, lower: Draft) -> list[int]:
        """The link numbers that a lower switch holds, by uplink; empty where unnumbered."""
        if self._pools.four is None:
            return []
        return self._ledger.all(self._pools.counter, (self._network, lower.place))

    def join(
        self, a: Draft, a_slot: PortSlot, b: Draft, b_slot: PortSlot, kind: LinkKind, index: int
    ) -> Link:
        """One link from `a`, the lower tier, to `b`; the even address is the lower tier's."""
        low = high = low6 = high6 = None
        if self._pools.four:
            low, high = self._pools.four.address(index), self._pools.four.address(index, 1)
        if self._pools.six:
            low6, high6 = self._pools.six.address(index), self._pools.six.address(index, 1)
        a_port, b_port = a_slot.name, b_slot.name
        a.neighbors[a_port] = Neighbor(b.name, b_port, b.role, kind, low, high, low6, high6, b.asn)
        b.neighbors[b_port] = Neighbor(a.name, a_port, a.role, kind, high, low, high6, low6, a.asn)
        return Link(
            End(a.name, a_port), End(b.name, b_port), kind, a.sequence * CAGES + a_slot.cage
        )
