"""Single failures of a fabric, equal ones once, and the design that is left after each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nettool.plan.design.fabric import Device, End, Fabric, Link
from nettool.plan.qos.ports import group_switches


@dataclass(frozen=True, slots=True)
class Failure:
    """What fails: switches, links and nodes. `name` is one example of `count` equal failures.

    `kind` is link, leaf, spine, core, plane or node.
    """

    kind: str
    name: str
    count: int
    switches: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()
    links: frozenset[tuple[End, End]] = frozenset()


def single_failures(fabric: Fabric) -> tuple[Failure, ...]:
    """One of each kind of switch, plane, node and link, with how many are like it."""
    kinds = {name: each.key for each in group_switches(fabric) for name in each.devices}
    return (
        *_switches(fabric, kinds),
        *_planes(fabric),
        *_nodes(fabric),
        *_links(fabric, kinds),
    )


def degrade(fabric: Fabric, failure: Failure) -> Fabric:
    """The fabric without what failed; ports that faced it are no longer cabled."""
    gone = failure.switches | failure.nodes
    dead = {end for pair in failure.links for end in pair}
    devices = tuple(_left(each, gone, dead) for each in fabric.devices if each.name not in gone)
    links = tuple(
        each
        for each in fabric.links
        if not {each.a.device, each.b.device} & gone and (each.a, each.b) not in failure.links
    )
    nodes = tuple(each for each in fabric.nodes if each.name not in failure.nodes)
    return replace(fabric, devices=devices, nodes=nodes, links=links)


def _left(device: Device, gone: frozenset[str], dead: set[End]) -> Device:
    lost = {
        port
        for port, neighbor in device.neighbors.items()
        if neighbor.device in gone or End(device.name, port) in dead
    }
    if not lost:
        return device
    kept = {port: each for port, each in device.neighbors.items() if port not in lost}
    return replace(device, neighbors=kept)


def _switches(fabric: Fabric, kinds: dict[str, str]) -> Iterator[Failure]:
    alike: dict[str, list[Device]] = {}
    for device in fabric.devices:
        alike.setdefault(kinds[device.name], []).append(device)
    for members in alike.values():
        first = members[0]
        yield Failure(first.role, first.name, len(members), frozenset({first.name}))


def _planes(fabric: Fabric) -> Iterator[Failure]:
    planes: dict[tuple[str, int], set[str]] = {}
    for device in fabric.devices:
        if device.plane is not None:
            planes.setdefault((device.network, device.plane), set()).add(device.name)
    if planes:
        (network, plane), members = min(planes.items())
        yield Failure("plane", f"{network} plane {plane}", len(planes), frozenset(members))


def _nodes(fabric: Fabric) -> Iterator[Failure]:
    if fabric.nodes:
        first = fabric.nodes[0].name
        yield Failure("node", first, len(fabric.nodes), nodes=frozenset({first}))


def _links(fabric: Fabric, kinds: dict[str, str]) -> Iterator[Failure]:
    """One link between each two kinds of switch (or a switch and nodes) with each link kind."""
    alike: dict[tuple[object, ...], list[Link]] = {}
    for link in fabric.links:
        ends = (kinds.get(link.a.device, "node"), kinds.get(link.b.device, "node"))
        alike.setdefault((*ends, id(link.kind)), []).append(link)
    for members in alike.values():
        first = members[0]
        name = f"{first.a.device} {first.a.port} - {first.b.device} {first.b.port}"
        yield Failure("link", name, len(members), links=frozenset({(first.a, first.b)}))
