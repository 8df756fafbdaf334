"""What is left when links, switches or a plane fail: capacity by rail and tier.

Elements of one kind that lose the same are alike, so only the worst of each rail are tried, one
at a time and in pairs. A link is lost when it, or a switch at one of its ends, fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from nettool.core.provenance import Figure, Input, Provenance
from nettool.plan.design.fabric import Fabric

Share = tuple[str, int]
"""Tier and rail (0 where rails mix)."""
_WORST = 2


@dataclass(frozen=True, slots=True)
class Element:
    """Something that can fail: kind (leaf, spine, core, plane, or a tier's link), and its links."""

    kind: str
    name: str
    links: frozenset[int]


@dataclass(frozen=True, slots=True)
class Outage:
    """What one or two failures leave of a network's tier on one rail, at worst.

    `left` and `whole` in Mb/s; `cut_off` is NIC ports that no longer reach a leaf.
    """

    network: str
    failed: tuple[str, ...]
    example: tuple[str, ...]
    tier: str
    rail: int
    whole: int
    left: Figure
    cut_off: int

    @property
    def share(self) -> float:
        """Part of the capacity that is left, 0..1."""
        return float(self.left) / self.whole if self.whole else 0.0


@dataclass
class _Inventory:
    """Links of one network: share and speed by number, elements by kind, whole capacity."""

    share: list[Share] = field(default_factory=list)
    speed: list[int] = field(default_factory=list)
    whole: dict[Share, int] = field(default_factory=dict)
    by_kind: dict[str, dict[str, set[int]]] = field(default_factory=dict)

    def add(self, share: Share, speed: int, elements: Iterable[tuple[str, str]]) -> None:
        number = len(self.share)
        self.share.append(share)
        self.speed.append(speed)
        self.whole[share] = self.whole.get(share, 0) + speed
        for kind, name in elements:
            self.by_kind.setdefault(kind, {}).setdefault(name, set()).add(number)

    def lost(self, links: Iterable[int]) -> Mapping[Share, int]:
        """Mb/s lost by share."""
        lost: dict[Share, int] = {}
        for number in links:
            share = self.share[number]
            lost[share] = lost.get(share, 0) + self.speed[number]
        return lost


def outages(fabric: Fabric) -> Iterator[Outage]:
    """The worst of every single and double failure, by network, tier and rail."""
    for network in fabric.topology:
        inventory = _inventory(fabric, network)
        candidates = list(_candidates(inventory))
        singles = ((each,) for each in candidates)
        worst: dict[tuple[tuple[str, ...], Share], tuple[int, tuple[Element, ...], int]] = {}
        for failed in (*singles, *combinations(candidates, 2)):
            kinds = tuple(sorted(each.kind for each in failed))
            links = frozenset().union(*(each.links for each in failed))
            lost = inventory.lost(links)
            nics = sum(inventory.share[each][0] == "nic-leaf" for each in links)
            for share, amount in lost.items():
                if amount > worst.get((kinds, share), (0, (), 0))[0]:
                    worst[kinds, share] = (amount, failed, nics)
        for (kinds, share), (amount, failed, nics) in sorted(
            worst.items(), key=lambda item: (len(item[0][0]), item[0])
        ):
            yield _outage(network, kinds, failed, share, (inventory.whole[share], amount, nics))


def _inventory(fabric: Fabric, network: str) -> _Inventory:
    """The links of a network, told by the switch at their upper end."""
    inventory = _Inventory()
    for device in fabric.of_network(network):
        plane = [("plane", f"plane {device.plane}")] if device.plane else []
        for port, faced in device.neighbors.items():
            below = fabric.by_name.get(faced.device)
            if below is not None and below.tier > device.tier:
                continue
            tier = faced.kind.tier
            lower = device if below is None else below
            rail = lower.rails[0] if len(lower.rails) == 1 else 0
            switches = [(device.role, device.name)]
            if below is not None:
                switches.append((below.role, below.name))
            link = (f"{tier} link", f"{faced.device}:{faced.port} - {device.name}:{port}")
            inventory.add((tier, rail), faced.kind.speed, [link, *switches, *plane])
    return inventory


def _candidates(inventory: _Inventory) -> Iterator[Element]:
    """The two worst elements of each kind for every share that they touch."""
    chosen: dict[tuple[str, str], Element] = {}
    for kind, elements in inventory.by_kind.items():
        best: dict[Share, list[tuple[int, str]]] = {}
        for name, links in elements.items():
            for share, amount in inventory.lost(links).items():
                ranked = best.setdefault(share, [])
                if len(ranked) < _WORST or amount > ranked[-1][0]:
                    ranked.append((amount, name))
                    ranked.sort(key=lambda each: -each[0])
                    del ranked[_WORST:]
        for ranked in best.values():
            for _, name in ranked:
                chosen.setdefault((kind, name), Element(kind, name, frozenset(elements[name])))
    return iter(chosen.values())


def _outage(
    network: str, kinds: tuple[str, ...], failed: tuple[Element, ...], share: Share,
    amounts: tuple[int, int, int],
) -> Outage:  # fmt: skip
    whole, lost, nics = amounts
    why = Provenance(
        "capacity of the tier on this rail, less its links that fail or lose a switch",
        (Input("whole", whole, "Mb/s"), Input("lost", lost, "Mb/s")),
        bound="the worst failure of these kinds",
    )
    names = tuple(each.name for each in failed)
    left = Figure(whole - lost, "Mb/s", why)
    return Outage(network, kinds, names, share[0], share[1], whole, left, nics)
