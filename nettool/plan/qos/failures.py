"""Single and double failures of a fabric, equal ones once, and the design left after each."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace

from nettool.plan.design.fabric import Device, End, Fabric, Link, LinkKind
from nettool.plan.qos.symmetry import alike


@dataclass(frozen=True, slots=True)
class Failure:
    """What fails: switches, links and nodes. `name` is one example of `count` equal failures.

    `kind` is link, leaf, spine, core, plane or node; of a double failure both, with a comma.
    `planes` is how many planes the network has where whole ones fail, `lost` how many of them;
    `made` the kind of a single link.
    """

    kind: str
    name: str
    count: int
    switches: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()
    links: frozenset[tuple[End, End]] = frozenset()
    planes: int = 0
    lost: int = 0
    made: LinkKind | None = None


def single_failures(fabric: Fabric) -> tuple[Failure, ...]:
    """One of each kind of switch, plane, node and link, with how many are like it."""
    return tuple(_failures(fabric, alike(fabric)))


def double_failures(fabric: Fabric) -> Iterator[Failure]:
    """One of each kind of pair, with how many are like it.

    After the first failure the rest is looked at anew for what is alike, so a pair in one plane,
    on one leaf or in one pod is not taken for a pair apart.
    """
    intact = alike(fabric)
    first = tuple(_failures(fabric, intact))
    rank = {_key(each, intact): number for number, each in enumerate(first)}
    plane = next((number for number, each in enumerate(first) if each.kind == "plane"), 0)
    for number, one in enumerate(first):
        left = degrade(fabric, one)
        for other in _failures(left, alike(left)):
            own = plane if other.kind == "plane" else rank[_key(other, intact)]
            if own >= number:
                yield _pair(one, other, same=own == number)


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


def _pair(one: Failure, other: Failure, *, same: bool) -> Failure:
    """Both at once. Pairs of one kind are met in either order, so they count half."""
    count = one.count * other.count
    return Failure(
        f"{one.kind}, {other.kind}",
        f"{one.name} and {other.name}",
        max(1, count // 2 if same else count),
        one.switches | other.switches,
        one.nodes | other.nodes,
        one.links | other.links,
        max(one.planes, other.planes),
        one.lost + other.lost,
    )


def _failures(fabric: Fabric, kinds: Mapping[str, int]) -> Iterator[Failure]:
    yield from _switches(fabric, kinds)
    yield from _planes(fabric, kinds)
    yield from _nodes(fabric, kinds)
    yield from _links(fabric, kinds)


def _key(failure: Failure, kinds: Mapping[str, int]) -> Hashable:
    """What a failure is called by the kinds of its parts; equal failures have equal keys."""
    ends = [kinds[end.device] for pair in failure.links for end in pair]
    parts = sorted(kinds[each] for each in failure.switches | failure.nodes)
    return failure.kind, failure.made, *ends, *parts


def _switches(fabric: Fabric, kinds: Mapping[str, int]) -> Iterator[Failure]:
    members: dict[int, list[Device]] = {}
    for device in fabric.devices:
        members.setdefault(kinds[device.name], []).append(device)
    for each in members.values():
        first = each[0]
        yield Failure(first.role, first.name, len(each), frozenset({first.name}))


def _planes(fabric: Fabric, kinds: Mapping[str, int]) -> Iterator[Failure]:
    planes: dict[tuple[str, int], list[str]] = {}
    for device in fabric.devices:
        if device.plane is not None:
            planes.setdefault((device.network, device.plane), []).append(device.name)
    members: dict[Hashable, list[tuple[str, int]]] = {}
    for place, names in planes.items():
        members.setdefault(tuple(sorted(kinds[each] for each in names)), []).append(place)
    for each in members.values():
        network, plane = each[0]
        of = len({number for name, number in planes if name == network})
        gone = frozenset(planes[network, plane])
        yield Failure("plane", f"{network} plane {plane}", len(each), gone, planes=of, lost=1)


def _nodes(fabric: Fabric, kinds: Mapping[str, int]) -> Iterator[Failure]:
    members: dict[int, list[str]] = {}
    for node in fabric.nodes:
        members.setdefault(kinds[node.name], []).append(node.name)
    for each in members.values():
        yield Failure("node", each[0], len(each), nodes=frozenset({each[0]}))


def _links(fabric: Fabric, kinds: Mapping[str, int]) -> Iterator[Failure]:
    members: dict[tuple[int, int, int], list[Link]] = {}
    for link in fabric.links:
        key = (kinds[link.a.device], kinds[link.b.device], id(link.kind))
        members.setdefault(key, []).append(link)
    for each in members.values():
        first = each[0]
        name = f"{first.a.device} {first.a.port} - {first.b.device} {first.b.port}"
        yield Failure(
            "link", name, len(each), links=frozenset({(first.a, first.b)}), made=first.kind
        )
