"""NICs on leaves: ports, subnets, gateways, and the nodes that have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from nettool.core.provenance import Provenance
from nettool.core.quick import lazy
from nettool.plan.design.addressing import Ledger, Pool
from nettool.plan.design.drafts import BlockDrafts, Draft
from nettool.plan.design.fabric import End, Gateway, Link, LinkKind, Neighbor, Nic
from nettool.plan.design.lengths import CableKinds
from nettool.plan.design.network import Network
from nettool.plan.design.notes import given
from nettool.plan.design.wiring import CAGES

FIRST_HOST = 2
"""Offset of the first NIC in its subnet; the gateway has 1."""


@dataclass
class Cabled:
    """What cabling the NICs of a network gives: NICs by node (from 0), gateways by leaf."""

    nics: list[list[Nic]]
    gateways: dict[str, tuple[Gateway, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class SubnetPools:
    """The pools of NIC subnets: IPv4, and IPv6 beside it where it is given."""

    network: Network

    @lazy
    def four(self) -> Pool:
        """IPv4 subnets."""
        return Pool(self.network.intent.subnets.pool, self.network.prefix_length)

    @lazy
    def six(self) -> Pool | None:
        """IPv6 subnets, a /64 each."""
        pool6 = self.network.intent.subnets.pool6
        return Pool(pool6, 64) if pool6 else None


def cable_nics(
    network: Network, blocks: tuple[BlockDrafts, ...], ledger: Ledger,
    known: tuple[tuple[LinkKind, ...], CableKinds], names: list[str], cabled: Cabled,
) -> Iterator[Link]:  # fmt: skip
    """The links from NICs to leaves, leaf by leaf; fills `cabled`.

    `known` has a link kind for each kind of NIC, and the cables that differ; `names` the nodes'
    names.
    """
    pools = SubnetPools(network)
    kinds, cables = known
    for drafts in blocks:
        for number, segment in enumerate(drafts.clos.segments):
            kind_of = [kind for kind, count in segment.kinds for _ in range(count)]
            for leaf in drafts.leaves[number]:
                desk = _LeafDesk(network, drafts, leaf, ledger, pools)
                by_cage = [cables.of(leaf, each) for each in kinds]
                for local, kind in enumerate(kind_of):
                    node = segment.first + local
                    seats = cabled.nics[node]
                    yield from desk.seat(local, kind, by_cage[kind], names[node], seats)
                cabled.gateways[leaf.name] = desk.gateways()


class _LeafDesk:
    """Hands out the ports and addresses of one leaf."""

    def __init__(
        self, network: Network, drafts: BlockDrafts, leaf: Draft, ledger: Ledger,
        pools: SubnetPools,
    ) -> None:  # fmt: skip
        self._network = network
        self._leaf = leaf
        self._plane = drafts.block.plane
        self._by_rail = drafts.block.by_rail
        self._pools = pools
        self._four = pools.four
        self._models = [
            (each.model.name, each.link.speed, each.link.lanes) for each in network.hardware.kinds
        ]
        self._ports: list[list[str]] = [[] for _ in range(network.subnets)]
        owner = (network.name, leaf.place)
        self._subnets = [
            ledger.first(network.pools.subnet, (*owner, number))
            for number in range(network.subnets)
        ]
        self._gateway = [pools.four.address(each, 1) for each in self._subnets]
        self._length = f"/{network.prefix_length}"
        plane = f"p{self._plane}" if self._plane else ""
        self._names = [f"{network.prefix}nic{rail}{plane}" for rail in leaf.rails]

    def seat(
        self, local: int, kind: int, by_cage: Mapping[int, LinkKind], node: str, nics: list[Nic]
    ) -> list[Link]:
        """The links of one node to this leaf, its NICs added to `nics`; `local` counts from 0."""
        leaf, rails, links = self._leaf, self._leaf.rails, []
        model, speed, lanes = self._models[kind]
        several = len(self._subnets) > 1
        for number, rail in enumerate(rails):
            place = local * len(rails) + number
            slot = leaf.ports.down[place]
            port, link = slot.name, by_cage[slot.cage]
            subnet = number if several else 0
            host = FIRST_HOST + (local if several else place)
            name = self._names[number]
            leaf.neighbors[port] = Neighbor(node, name, "node", link)
            self._ports[subnet].append(port)
            nics.append(
                Nic(
                    name, rail, self._network.name, model, rail if self._by_rail else 0,
                    self._plane, speed, lanes,
                    self._four.address(self._subnets[subnet], host) + self._length,
                    self._gateway[subnet],
                    self._six(subnet, host) if self._pools.six else None, leaf.name, port,
                )
            )  # fmt: skip
            far = leaf.sequence * CAGES + slot.cage
            links.append(Link(End(node, name), End(leaf.name, port), link, far))
        return links

    def gateways(self) -> tuple[Gateway, ...]:
        """The gateway VLANs of the leaf, one a subnet."""
        first = self._network.intent.subnets.vlan
        made = []
        for number, index in enumerate(self._subnets):
            rail = self._rail(number)
            made.append(
                Gateway(
                    vlan=first + max(0, rail - 1),
                    rail=rail,
                    address=self._gateway[number] + self._length,
                    address6=self._six(number, 1),
                    ports=tuple(self._ports[number]),
                    why=self._why(index, rail),
                )
            )
        return tuple(made)

    def _rail(self, number: int) -> int:
        if not self._by_rail:
            return 0
        return self._leaf.rails[number]

    def _six(self, subnet: int, offset: int) -> str | None:
        six = self._pools.six
        return f"{six.address(self._subnets[subnet], offset)}/64" if six else None

    def _why(self, index: int, rail: int) -> Provenance:
        path = (*self._network.path, "subnets")
        subnets = self._network.intent.subnets
        hosts = self._network.hosts
        return Provenance(
            "first address of the pool's n-th subnet; VLAN of the first rail + rail - 1",
            (
                given("pool", subnets.pool, (*path, "pool")),
                given("prefix length", self._network.prefix_length, (*path, "prefix_length")),
                given("n", index + 1, ()),
                given("rail", rail, ()),
                given("VLAN of the first rail", subnets.vlan, (*path, "vlan")),
            ),
            bound=f"holds the {hosts} NIC ports of a full leaf and the gateway",
        )
