"""Switches of one kind, and the classes of their ports: what the plan is made for, once each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.catalog.ports import PortLayout
from nettool.core.provenance import Origin
from nettool.core.quick import lazy
from nettool.plan.design.fabric import Device, Fabric, LinkKind

LOSSY_NETWORKS = frozenset({"frontend", "oob"})
"""Networks that carry no RDMA; every other network is lossless."""


@dataclass(frozen=True, slots=True)
class PortClass:
    """Ports of equal speed (Mb/s), lanes, cable (m) and tier of a switch."""

    speed: int
    lanes: int
    length: float
    tier: str
    origin: Origin
    lossless: bool


@dataclass(frozen=True)
class SwitchClass:
    """Equal switches. `ports` by name in layout order; `rows` counts PORT rows, extras too."""

    key: str
    model: str
    sku: str
    asic: str
    network: str
    role: str
    mtu: int
    layout: PortLayout
    ports: Mapping[str, PortClass]
    devices: tuple[str, ...]

    @property
    def rows(self) -> int:
        """PORT rows of the switch, cabled or not, service ports included."""
        return len(self.layout.slots) + len(self.layout.extras)

    @lazy
    def counts(self) -> Counter[PortClass]:
        """How many ports of each class are cabled."""
        objects = {id(each): each for each in self.ports.values()}
        return Counter(
            {objects[key]: count for key, count in Counter(map(id, self.ports.values())).items()}
        )

    def first_port(self, of: PortClass) -> str:
        """The name of the first port of a class."""
        return next(name for name, each in self.ports.items() if each is of or each == of)


def group_switches(fabric: Fabric, *, rdma: bool = True) -> tuple[SwitchClass, ...]:
    """All switches in groups that share one plan, in order of their first member.

    Without `rdma` (no class is lossless) no port of any network is.
    """
    groups: dict[tuple[object, ...], list[Device]] = {}
    kinds: dict[int, int] = {}
    distinct: dict[LinkKind, int] = {}
    for device in fabric.devices:
        groups.setdefault(_key(device, kinds, distinct), []).append(device)
    numbers: Counter[tuple[str, str]] = Counter()
    return tuple(_group(members, numbers, rdma=rdma) for members in groups.values())


def _key(
    device: Device, kinds: dict[int, int], distinct: dict[LinkKind, int]
) -> tuple[object, ...]:
    """What makes two switches equal. Link kinds count by value, looked up by identity first."""
    cabling = []
    for neighbor in device.neighbors.values():
        number = kinds.get(id(neighbor.kind))
        if number is None:
            number = distinct.setdefault(neighbor.kind, len(distinct))
            kinds[id(neighbor.kind)] = number
        cabling.append(number)
    return (
        *(device.model, device.sku, device.asic, device.network, device.role, device.mtu),
        device.layout.key,
        tuple(device.neighbors),
        tuple(cabling),
    )


def _group(members: list[Device], numbers: Counter[tuple[str, str]], *, rdma: bool) -> SwitchClass:
    first = members[0]
    numbers[first.model, first.role] += 1
    return SwitchClass(
        key=f"{first.model}/{first.role}/{numbers[first.model, first.role]}",
        model=first.model,
        sku=first.sku,
        asic=first.asic,
        network=first.network,
        role=first.role,
        mtu=first.mtu,
        layout=first.layout,
        ports=dict(_ports(first, rdma and first.network not in LOSSY_NETWORKS)),
        devices=tuple(each.name for each in members),
    )


def _ports(device: Device, lossless: bool) -> Iterator[tuple[str, PortClass]]:
    shared: dict[PortClass, PortClass] = {}
    known: dict[tuple[int, int, int], PortClass] = {}
    for slot, neighbor in device.used:
        kind = neighbor.kind
        key = (id(kind), slot.speed, len(slot.lanes))
        each = known.get(key)
        if each is None:
            each = PortClass(
                slot.speed, len(slot.lanes), kind.length, kind.tier, kind.origin, lossless
            )
            each = known[key] = shared.setdefault(each, each)
        yield slot.name, each
