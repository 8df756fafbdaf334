"""Where a GPU stands in one network: its rail, its leaf, and its pod, by node and local index.

Nodes on the same leaves form a segment, so tables have one row a segment, not one a node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nettool.plan.design.fabric import Device, Fabric, Nic, Node


@dataclass(frozen=True, slots=True)
class Locality:
    """Segments of one network. Leaves are numbered; `names` gives them back.

    `segment` by node, in the fabric's order; `leaf[segment][local]` the leaf of a GPU's NIC;
    `rail[local]` its rail, 0 where rails mix; `pod[leaf]` 0 where there is no third tier;
    `island[leaf]` equal for leaves that switches connect.
    """

    network: str
    gpus_per_node: int
    segment: Sequence[int]
    leaf: Sequence[tuple[int, ...]]
    rail: tuple[int, ...]
    pod: Sequence[int]
    names: Sequence[str]
    nic_speed: int = 400_000
    """Mb/s that one GPU has on the network, in each plane."""
    planes: int = 1
    """Equal planes that share the bytes; the leaves here are those of the first."""
    nodes_of_segment: Sequence[int] = ()
    island: Sequence[int] = ()
    node_names: Sequence[str] = ()
    down: Mapping[int, int] = field(default_factory=dict)
    """Mb/s of all NIC ports of a leaf."""
    uplinks: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Number and speed (Mb/s) of the uplinks of a leaf."""
    spine_uplinks: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Number and speed (Mb/s) of the links of a pod to the core."""

    def joined(self, a: int, b: int) -> bool:
        """True where switches connect two leaves."""
        return a == b or not self.island or self.island[a] == self.island[b]


def locality(fabric: Fabric, network: str, gpus_per_node: int) -> Locality:
    """The locality of one network of a design."""
    switches = fabric.of_network(network)
    leaves = [each for each in switches if each.role == "leaf"]
    number = {each.name: index for index, each in enumerate(leaves)}
    segment, rows = _segments(fabric, network, gpus_per_node, number)
    root = _islands(switches)
    pods = _Numbers()
    counts = [0] * len(rows)
    for each in segment:
        counts[each] += 1
    sample = _nics_of(fabric.nodes[0], network) if fabric.nodes else []
    ports = [_ports(each) for each in leaves]
    planes = len({nic.plane for nic in sample}) or 1
    return Locality(
        network=network, gpus_per_node=gpus_per_node, segment=segment, leaf=rows,
        rail=tuple(_nic_of(sample, gpu, gpus_per_node).rail for gpu in range(gpus_per_node))
        if sample else (0,) * gpus_per_node,
        pod=[pods.of(root[each.name], each.pod) for each in leaves],
        names=[each.name for each in leaves],
        nic_speed=sum(nic.speed for nic in sample) // gpus_per_node // planes,
        planes=planes,
        nodes_of_segment=counts, island=[root[each.name] for each in leaves],
        node_names=[each.name for each in fabric.nodes],
        down={index: each.down for index, each in enumerate(ports)},
        uplinks={index: (each.up, each.up_speed) for index, each in enumerate(ports)},
        spine_uplinks=_pod_uplinks(switches, root, pods),
    )  # fmt: skip


class _Numbers:
    """Pods numbered from 1; those of one rail's Clos are not those of another's."""

    def __init__(self) -> None:
        self._seen: dict[tuple[int, int], int] = {}

    def of(self, island: int, pod: int | None) -> int:
        """The number of a pod, 0 for none."""
        return self._seen.setdefault((island, pod), len(self._seen) + 1) if pod else 0


@dataclass(frozen=True, slots=True)
class _Ports:
    """Mb/s towards nodes, and the links to the next tier."""

    down: int
    up: int
    up_speed: int


def _ports(device: Device) -> _Ports:
    upper = "core" if device.role == "spine" else "spine"
    down = up = speed = 0
    for each in device.neighbors.values():
        if each.role == upper:
            up, speed = up + 1, each.kind.speed
        else:
            down += each.kind.speed
    return _Ports(down, up, speed)


def _nics_of(node: Node, network: str) -> list[Nic]:
    return [each for each in node.nics if each.network == network]


def _nic_of(nics: Sequence[Nic], local: int, gpus: int) -> Nic:
    """The NIC a GPU uses; where a rail has several planes, the first stands for them."""
    first = [each for each in nics if each.plane in (None, nics[0].plane)]
    return first[local * len(first) // gpus]


def _segments(
    fabric: Fabric, network: str, gpus: int, number: Mapping[str, int]
) -> tuple[list[int], list[tuple[int, ...]]]:
    """The segment of every node, and the leaf of every GPU of a segment; -1 for no NIC."""
    seen: dict[tuple[str, ...], int] = {}
    rows: list[tuple[int, ...]] = []
    segment: list[int] = []
    for node in fabric.nodes:
        switches = tuple(each.switch for each in node.nics if each.network == network)
        if switches not in seen:
            seen[switches] = len(rows)
            nics = _nics_of(node, network)
            rows.append(
                tuple(number[_nic_of(nics, g, gpus).switch] if nics else -1 for g in range(gpus))
            )
        segment.append(seen[switches])
    return segment, rows


def _islands(switches: Sequence[Device]) -> dict[str, int]:
    """A number by switch, equal for those that links between switches connect."""
    number = {each.name: index for index, each in enumerate(switches)}
    root = list(range(len(switches)))

    def find(index: int) -> int:
        while root[index] != index:
            root[index] = root[root[index]]
            index = root[index]
        return index

    for device in switches:
        upper = {each.device for each in device.neighbors.values() if each.role != "node"}
        for name in upper & number.keys():
            root[find(number[name])] = find(number[device.name])
    return {name: find(index) for name, index in number.items()}


def _pod_uplinks(
    switches: Sequence[Device], root: Mapping[str, int], pods: _Numbers
) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}
    for device in switches:
        if device.role == "spine" and device.pod is not None:
            pod, ports = pods.of(root[device.name], device.pod), _ports(device)
            found[pod] = (found.get(pod, (0, 0))[0] + ports.up, ports.up_speed)
    return found
