"""The design: switches, nodes, links, addresses. Static port data is shared by layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from nettool.catalog.ports import PortLayout, PortSlot
from nettool.core.provenance import Origin, Provenance
from nettool.core.quick import lazy, quick_init

Role = Literal["leaf", "spine", "core"]


class End(NamedTuple):
    """One end of a link: a device (switch or node) and its port (or NIC, `nic1`)."""

    device: str
    port: str


@dataclass(frozen=True, slots=True)
class LinkKind:
    """What equal links share: speed (Mb/s), FEC, length (m), medium and optic.

    `tier` is nic-leaf, leaf-spine or spine-core; `medium` dac, aec, aoc, mmf or smf; `optic`
    the catalog's name of what is plugged in (empty where it has none); `optic_b` that of the b
    end where it is another one, because a gearbox stands between different lanes.
    """

    tier: str
    speed: int
    fec: str
    length: float
    medium: str
    optic: str
    origin: Origin
    optic_b: str = ""


@quick_init
@dataclass(frozen=True, slots=True)
class Link:
    """One link between two ends; `a` is the lower tier (NIC, or leaf)."""

    a: End
    b: End
    kind: LinkKind
    cable: int = 0
    """Number of the physical cable; legs of one breakout cable share it (0: its own)."""


@quick_init
@dataclass(frozen=True, slots=True)
class Neighbor:
    """What a port faces, with the addresses of both ends where the link is numbered.

    `address` and `peer_address` are without prefix length (a /31 or /127 each); None where
    unnumbered or bridged. `peer_asn` is None for hosts.
    """

    device: str
    port: str
    role: str
    kind: LinkKind
    address: str | None = None
    peer_address: str | None = None
    address6: str | None = None
    peer_address6: str | None = None
    peer_asn: int | None = None


@dataclass(frozen=True, slots=True)
class Gateway:
    """A gateway VLAN on a leaf: its ports are the leaf's NIC ports."""

    vlan: int
    rail: int
    address: str
    """Address with prefix length, e.g. 10.1.0.1/24."""
    address6: str | None
    ports: tuple[str, ...]
    why: Provenance


@dataclass(frozen=True, slots=True)
class Device:
    """One switch of the design.

    `neighbors` has one entry a port that is cabled, in layout order. `redundancy` names the
    group whose members must not be changed in one wave.
    """

    name: str
    number: int
    role: Role
    tier: int
    network: str
    model: str
    sku: str
    asic: str
    layout: PortLayout
    neighbors: Mapping[str, Neighbor]
    mtu: int
    rails: tuple[int, ...]
    pod: int | None
    plane: int | None
    redundancy: str
    management: str
    """Management address with prefix length."""
    management_gateway: str
    loopback: str
    loopback6: str | None
    asn: int | None
    gateways: tuple[Gateway, ...]
    why: Mapping[str, Provenance]
    """Provenance of loopback, asn, management, links, mtu, layout and sku."""
    platform: str | None = None
    """The platform string of SONiC, where the catalog knows it."""

    @property
    def used(self) -> Iterator[tuple[PortSlot, Neighbor]]:
        """Cabled ports with what they face, in layout order."""
        return ((s, n) for s in self.layout.slots if (n := self.neighbors.get(s.name)))

    @property
    def facing_hosts(self) -> tuple[str, ...]:
        """Names of the ports that face NICs."""
        return tuple(s.name for s, n in self.used if n.role == "node")


@quick_init
@dataclass(frozen=True, slots=True)
class Nic:
    """One NIC port of a node. `index` counts from 1 and equals its rail on a rail fabric."""

    name: str
    index: int
    network: str
    model: str
    rail: int
    plane: int | None
    speed: int
    lanes: int
    address: str | None
    """With prefix length."""
    gateway: str | None
    address6: str | None
    switch: str
    port: str


@dataclass(frozen=True, slots=True)
class Node:
    """One GPU node."""

    name: str
    number: int
    gpus: int
    nics: tuple[Nic, ...]


@dataclass(frozen=True, slots=True)
class Tier:
    """Capacity of one tier boundary of a network, Mb/s over all its switches."""

    network: str
    name: str
    links: int
    down: int
    up: int

    @property
    def oversubscription(self) -> float:
        """Down capacity over up capacity."""
        return self.down / self.up if self.up else float("inf")


@dataclass(frozen=True)
class Fabric:
    """The whole design. `topology` and `mtu` by network name."""

    name: str
    devices: tuple[Device, ...]
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    topology: Mapping[str, str]
    tiers: tuple[Tier, ...]
    settings: Mapping[str, object] = field(default_factory=dict)

    @lazy
    def by_name(self) -> dict[str, Device]:
        """Switches by name."""
        return {each.name: each for each in self.devices}

    @lazy
    def node_by_name(self) -> dict[str, Node]:
        """Nodes by name."""
        return {each.name: each for each in self.nodes}

    def of_network(self, network: str) -> tuple[Device, ...]:
        """The switches of one network."""
        return tuple(each for each in self.devices if each.network == network)
