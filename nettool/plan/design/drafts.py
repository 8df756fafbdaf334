"""Switches while they are being wired: named and numbered, neighbours still to come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from nettool.plan.design.addressing import Ledger, asn_owner
from nettool.plan.design.clos import Clos, ratio_of
from nettool.plan.design.fabric import Neighbor, Role
from nettool.plan.design.lock import Lock, Outline, Place
from nettool.plan.design.network import Network
from nettool.plan.design.ports import SwitchPorts, lay_out
from nettool.plan.design.topology import Block

TIER = {"leaf": 1, "spine": 2, "core": 3}


@dataclass
class Draft:
    """A switch with its place and ports; wiring fills `neighbors`, in any order."""

    network: Network
    place: Place
    role: Role
    number: int
    name: str
    sequence: int
    """Its number over all networks, from 1, in the order in which switches came to be."""
    rails: tuple[int, ...]
    pod: int | None
    plane: int | None
    ports: SwitchPorts
    asn: int | None
    neighbors: dict[str, Neighbor] = field(default_factory=dict)


@dataclass(frozen=True)
class BlockDrafts:
    """The switches of one block: leaves by segment, spines by pod, and cores."""

    block: Block
    clos: Clos
    leaves: tuple[tuple[Draft, ...], ...]
    spines: tuple[tuple[Draft, ...], ...]
    cores: tuple[Draft, ...]


def draft_network(
    network: Network, lock: Lock, ledger: Ledger, rooms: Sequence[int] = ()
) -> tuple[BlockDrafts, ...]:
    """The switches of a network, named and numbered by the ledger.

    `rooms` are the ports that leaves kept for uplinks as the network grew, each more than before.
    """
    drafter = _Drafter(network, lock.first(network.name) or network.outline, ledger, rooms)
    return tuple(
        drafter.block(number, block, clos)
        for number, (block, clos) in enumerate(zip(network.blocks, network.closes, strict=True))
    )


def upper_ports(network: Network) -> tuple[int, int, int]:
    """Ports of a spine below and above, and of a core, that its tier can use."""
    down, up = _spine_ports(network, network.closes[0])
    core = network.hardware.core.cages.most(0, None) if network.tiers == 3 else 0
    return down, up, core


def _spine_ports(network: Network, clos: Clos) -> tuple[int, int]:
    spine = network.hardware.spine.cages
    if clos.tiers < 3:
        return spine.most(0, None), 0
    ratio = ratio_of(network.intent.spine_oversubscription)
    down = spine.most(0, ratio)
    return down, spine.needed_uplinks((down,), ratio)


class _Drafter:
    def __init__(
        self, network: Network, first: Outline, ledger: Ledger, rooms: Sequence[int]
    ) -> None:
        self._network = network
        self._rooms = rooms
        self._ledger = ledger
        counts = dict.fromkeys(TIER, 0)
        for place in first.places():
            counts[place.role] += 1
        self._width = {role: max(2, len(str(count))) for role, count in counts.items()}
        self._leaf_ports: dict[tuple[int, ...], SwitchPorts] = {}
        self._upper_ports: dict[tuple[Role, int], SwitchPorts] = {}

    def block(self, number: int, block: Block, clos: Clos) -> BlockDrafts:
        """The switches of one block."""
        pod_of = {n: pod for pod, each in enumerate(clos.pods, 1) for n in each.segments}
        leaves = tuple(
            tuple(
                self._leaf(Place("leaf", number, segment, lane), block, clos, pod_of.get(segment))
                for lane in range(clos.beside)
            )
            for segment in range(len(clos.segments))
        )
        spines = tuple(
            tuple(
                self._upper(Place("spine", number, pod, each), "spine", block, clos)
                for each in range(clos.spines)
            )
            for pod in range(len(clos.pods))
        )
        cores = tuple(
            self._upper(Place("core", number, 0, each), "core", block, clos)
            for each in range(clos.cores)
        )
        return BlockDrafts(block, clos, leaves, spines, cores)

    def _leaf(self, place: Place, block: Block, clos: Clos, pod: int | None) -> Draft:
        rails = (block.rails[place.each],) if clos.beside == block.beside else block.rails
        rails = block.rails if not block.by_rail else rails
        ports = self._ports_of_leaf(block, clos, place.group)
        return self._draft(place, "leaf", rails, pod if clos.tiers == 3 else None, block, ports)

    def _upper(self, place: Place, role: Role, block: Block, clos: Clos) -> Draft:
        pod = place.group + 1 if clos.tiers == 3 and role == "spine" else None
        key = (role, clos.tiers)
        if key not in self._upper_ports:
            self._upper_ports[key] = self._lay_out_upper(role, clos)
        return self._draft(place, role, block.rails, pod, block, self._upper_ports[key])

    def _draft(
        self, place: Place, role: Role, rails: tuple[int, ...], pod: int | None, block: Block,
        ports: SwitchPorts,
    ) -> Draft:  # fmt: skip
        network, ledger = self._network, self._ledger
        owner = (network.name, place)
        number = ledger.first(f"number/{network.name}/{role}", owner) + 1
        asn = None
        if network.routed:
            order = ledger.first(network.pools.asn, asn_owner(network.name, place))
            asn = network.intent.pools.asn_first + order
        return Draft(
            network=network,
            place=place,
            role=role,
            number=number,
            name=f"{network.prefix}{role}{number:0{self._width[role]}}",
            sequence=ledger.first("device", owner) + 1,
            rails=rails,
            pod=pod,
            plane=block.plane,
            ports=ports,
            asn=asn,
        )

    def _ports_of_leaf(self, block: Block, clos: Clos, segment: int) -> SwitchPorts:
        """Leaves with one kind of NIC share the breakout of a full one."""
        runs = clos.segments[segment].kinds
        width = block.on_leaf if clos.beside == block.beside else len(block.rails)
        if len(self._network.hardware.kinds) == 1:
            sequence: Sequence[int] = (0,) * clos.full
        else:
            sequence = [kind for kind, count in runs for _ in range(count * width)]
        key = (*sequence, -1, clos.uplinks, clos.segments[segment].uplinks)
        if key not in self._leaf_ports:
            self._leaf_ports[key] = self._lay_out_leaf(
                sequence, clos, clos.segments[segment].uplinks
            )
        return self._leaf_ports[key]

    def _lay_out_leaf(self, sequence: Sequence[int], clos: Clos, uplinks: int) -> SwitchPorts:
        """Uplinks stand where they would on a full leaf, so that none moves when nodes are added.

        A leaf whose NICs need more room than that keeps just the uplinks it has.
        """
        leaf = self._network.hardware.leaf
        if clos.tiers == 1:
            return lay_out(leaf, sequence, 0)
        counts = tuple(sequence.count(kind) for kind in range(len(leaf.cages.down)))
        for rooms in (self._rooms, (self._network.room,)):
            if rooms and rooms[-1] >= clos.uplinks and leaf.cages.fits(counts, rooms[-1]):
                return lay_out(leaf, sequence, rooms[-1], rooms[:-1])
        return lay_out(leaf, sequence, uplinks)

    def _lay_out_upper(self, role: Role, clos: Clos) -> SwitchPorts:
        """The breakout of a spine or core, with every port that its tier can use."""
        hardware = self._network.hardware
        if role == "core":
            return lay_out(hardware.core, (0,) * hardware.core.cages.most(0, None), 0)
        down, up = _spine_ports(self._network, clos)
        return lay_out(hardware.spine, (0,) * down, up)
