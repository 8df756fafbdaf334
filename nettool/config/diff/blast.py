"""What a change disturbs in the fabric's own terms: rails, nodes, and shares of bandwidth.

A link counts once, by the worst that happens at either of its ends. Whole-switch changes (a
reload, an AS number, a map) count on every cabled port of the switch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from nettool.config.diff.acceptance import PlannedChange, worst
from nettool.config.diff.plan import UpdatePlan
from nettool.config.nos.dialects.sonic.updater import Impact
from nettool.plan.design.fabric import Device, Fabric, Link

NIC_TIER = "nic-leaf"


@dataclass(frozen=True, slots=True)
class Blast:
    """Sums of everything with one label. Shares are parts of the fabric's bandwidth, 0 to 1."""

    impact: Impact
    switches: int
    links: int
    rails: tuple[int, ...]
    nodes: int
    nic_share: float
    """Of all NIC links' bandwidth."""
    fabric_share: float
    """Of all switch links' bandwidth; 0 where the fabric has none."""

    def as_json(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "impact": str(self.impact),
            "switches": self.switches,
            "links": self.links,
            "rails": list(self.rails),
            "nodes": self.nodes,
            "nic_share": round(self.nic_share, 6),
            "fabric_share": round(self.fabric_share, 6),
        }

    def __str__(self) -> str:
        rails = f", rails {', '.join(map(str, self.rails))}" if self.rails else ""
        return (
            f"{self.impact}: {_count(self.switches, 'switch', 'switches')}, "
            f"{_count(self.links, 'link', 'links')}{rails}, "
            f"{_count(self.nodes, 'node', 'nodes')}; {self.nic_share:.1%} of NIC bandwidth, "
            f"{self.fabric_share:.1%} between switches"
        )


def blast(fabric: Fabric, plans: Mapping[str, UpdatePlan]) -> tuple[Blast, ...]:
    """The sums for each label that disturbs something, worst first."""
    hit: dict[int, Impact] = {}
    links = _links_by_end(fabric)
    switches: dict[Impact, set[str]] = defaultdict(set)
    for name, plan in plans.items():
        device = fabric.by_name.get(name)
        for port, impact in disturbed(device, plan).items() if device else ():
            switches[impact].add(name)
            for number in links.get((name, port), ()):
                hit[number] = worst((impact, hit.get(number, Impact.NONE)))
    by_impact: dict[Impact, list[Link]] = defaultdict(list)
    for number, impact in hit.items():
        by_impact[impact].append(fabric.links[number])
    total = _totals(fabric.links)
    labels = {*by_impact, *switches}
    return tuple(
        _sum(fabric, impact, len(switches[impact]), by_impact[impact], total)
        for impact in reversed(Impact)
        if impact in labels
    )


def disturbed(device: Device, plan: UpdatePlan) -> dict[str, Impact]:
    """The ports of a switch that a plan disturbs, each with the worst that happens to it."""
    if plan.way == "install":
        return dict.fromkeys(device.neighbors, plan.impact)
    ports: dict[str, Impact] = {}
    for each in plan.changes:
        if each.impact is not Impact.NONE:
            for port in _ports(device, each):
                ports[port] = worst((each.impact, ports.get(port, Impact.NONE)))
    return ports


def _ports(device: Device, planned: PlannedChange) -> Iterable[str]:
    """The ports a change is about; every cabled one where it is about the whole switch."""
    table, key = planned.change.table, planned.change.key
    parts = [part for each in key.split("|") for part in each.split(",")]
    if named := [part for part in parts if part in device.neighbors]:
        return named
    if table.startswith("BGP_NEIGHBOR"):
        return _sessions(device, parts[-1])
    if table in {"PORT", "BREAKOUT_CFG"} or any(each.startswith("Ethernet") for each in parts):
        return _cage(device, parts[0])
    vlans = {f"Vlan{each.vlan}": each.ports for each in device.gateways}
    return next((vlans[part] for part in parts if part in vlans), tuple(device.neighbors))


def _sessions(device: Device, peer: str) -> Iterator[str]:
    for port, far in device.neighbors.items():
        if peer in {far.peer_address, far.peer_address6}:
            yield port


def _cage(device: Device, port: str) -> Iterator[str]:
    """The cabled ports of the cage that a port without a cable belongs to."""
    slot = device.layout.by_name.get(port)
    for name in device.neighbors if slot else ():
        other = device.layout.by_name.get(name)
        if slot and other and other.cage == slot.cage:
            yield name


def _links_by_end(fabric: Fabric) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, link in enumerate(fabric.links):
        for end in (link.a, link.b):
            found[end.device, end.port].append(number)
    return found


def _totals(links: Iterable[Link]) -> dict[bool, int]:
    """Bandwidth of NIC links (True) and of the others."""
    total = {True: 0, False: 0}
    for link in links:
        total[link.kind.tier == NIC_TIER] += link.kind.speed
    return total


def _sum(
    fabric: Fabric, impact: Impact, switches: int, links: list[Link], total: Mapping[bool, int]
) -> Blast:
    own = _totals(links)
    ends = {(link.a.device, link.a.port) for link in links if link.kind.tier == NIC_TIER}
    nodes = {device for device, _ in ends}
    rails = {rail for link in links for rail in _rails(fabric, link)}
    nic, other = (own[side] / total[side] if total[side] else 0.0 for side in (True, False))
    return Blast(impact, switches, len(links), tuple(sorted(rails)), len(nodes), nic, other)


def _rails(fabric: Fabric, link: Link) -> Iterable[int]:
    """The rail of a NIC link; the rails of the leaf below a link between switches."""
    if link.kind.tier == NIC_TIER:
        node = fabric.node_by_name[link.a.device]
        return [nic.rail for nic in node.nics if nic.name == link.a.port]
    leaf = fabric.by_name[link.a.device]
    return leaf.rails if leaf.role == "leaf" else ()


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
