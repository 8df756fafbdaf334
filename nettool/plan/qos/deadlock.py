"""PFC deadlock: whether buffers can ever wait for each other in a ring, also after failures.

First the cheap and strong check: over classes of switches, every turn that AS numbers permit.
It covers any number of failures, because routes may only use permitted turns. Where that graph
has a cycle, the routes themselves are worked out, intact and after every single failure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nettool.core.finding import Finding
from nettool.plan.design.fabric import Device, Fabric
from nettool.plan.qos.cycle import Hop, find_cycle
from nettool.plan.qos.note import error, warning
from nettool.plan.qos.routes import Graph, graph_of, waiting

_LARGEST = 256
"""Switches up to which routes are worked out after every single failure."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one network: `turns` permitted between classes, and a cycle if any.

    `possible` is a cycle of permitted turns between classes; `actual` one of routes, with what
    must have `failed` (empty: nothing).
    """

    network: str
    classes: int
    turns: int
    possible: tuple[Hop, ...] | None = None
    actual: tuple[Hop, ...] | None = None
    failed: str = ""
    examined: int = 0

    @property
    def text(self) -> str:
        """The verdict in one sentence."""
        if self.actual:
            return f"{self.network}: buffers wait in a cycle: {ring(self.actual)}"
        if self.possible:
            return (
                f"{self.network}: no cycle in {self.examined} states of single failures; more "
                f"failures could close {ring(self.possible)}"
            )
        return (
            f"{self.network}: no cycle of (link, priority) over {self.classes} classes of "
            f"switches and {self.turns} permitted turn{'s' * (self.turns != 1)}, whatever fails"
        )


def examine(fabric: Fabric) -> tuple[Verdict, ...]:
    """The verdict of every network."""
    return tuple(_examine(fabric, network) for network in fabric.topology)


def check_deadlock(verdicts: tuple[Verdict, ...], lossless: tuple[int, ...]) -> Iterator[Finding]:
    """An error for a cycle of routes, a warning for one that several failures could close."""
    priorities = ", ".join(map(str, lossless))
    for each in verdicts:
        path = ("networks", each.network, "routing")
        if each.actual and lossless:
            state = f"after {each.failed} fails" if each.failed else "with nothing failed"
            yield error(
                "QOS011",
                f"{each.network}: {state}, buffers of priority {priorities} wait in a cycle: "
                f"{ring(each.actual)}",
                "route up and down only: one AS number for all spines of a pod, one for all cores",
                *path,
            )
        elif each.possible and lossless:
            yield warning(
                "QOS011",
                f"{each.network}: AS numbers permit a bounce, so several failures could close a "
                f"cycle of waiting buffers: {ring(each.possible)}",
                "give all spines of a pod one AS number, and all cores one",
                *path,
            )


def ring(cycle: tuple[Hop, ...]) -> str:
    """A cycle as people read it: a -> b -> c -> a -> b."""
    return " -> ".join([cycle[0][0], *(hop[1] for hop in cycle)])


def _examine(fabric: Fabric, network: str) -> Verdict:
    classes = _classes(fabric.of_network(network))
    waits = _permitted(fabric, network, classes)
    possible = find_cycle(waits)
    turns = sum(map(len, waits.values()))
    count = len(set(classes.values()))
    if possible is None:
        return Verdict(network, count, turns)
    graph = graph_of(fabric, network)
    if len(graph.links) > _LARGEST:
        return Verdict(network, count, turns, possible)
    examined = 0
    for failed, state in single_failures(graph):
        examined += 1
        actual = find_cycle(waiting(state))
        if actual:
            return Verdict(network, count, turns, possible, actual, failed, examined)
    return Verdict(network, count, turns, possible, examined=examined)


def single_failures(graph: Graph) -> Iterator[tuple[str, Graph]]:
    """The intact graph, then without each switch, then without each adjacency of one link."""
    yield "", graph
    for name in sorted(graph.links):
        yield name, graph.without(name)
    for name, peers in sorted(graph.links.items()):
        for peer, count in sorted(peers.items()):
            if count == 1 and name < peer:
                yield f"{name}-{peer}", graph.without(frozenset((name, peer)))


def _classes(devices: tuple[Device, ...]) -> dict[str, str]:
    """Switch to class: role, pod, plane and rail, and the AS number where several share it."""
    shared: dict[int | None, int] = {}
    for device in devices:
        shared[device.asn] = shared.get(device.asn, 0) + 1
    return {each.name: _class_of(each, shared[each.asn]) for each in devices}


def _class_of(device: Device, sharing: int) -> str:
    parts: list[str] = [device.role]
    parts += [f"pod {device.pod}"] if device.pod is not None else []
    parts += [f"plane {device.plane}"] if device.plane is not None else []
    parts += [f"rail {device.rails[0]}"] if len(device.rails) == 1 else []
    parts += [f"AS {device.asn}"] if sharing > 1 and device.asn is not None else []
    return " ".join(parts)


def _permitted(fabric: Fabric, network: str, classes: dict[str, str]) -> dict[Hop, set[Hop]]:
    """Turns u -> v -> w between classes that AS numbers permit (u and w in different ASes)."""
    numbers: dict[str, set[object]] = {}
    adjacent: dict[str, set[str]] = {}
    for device in fabric.of_network(network):
        own = classes[device.name]
        numbers.setdefault(own, set()).add(device.asn if device.asn is not None else device.name)
        peers = adjacent.setdefault(own, set())
        for neighbor in device.neighbors.values():
            if neighbor.device in classes:
                peers.add(classes[neighbor.device])
    waits: dict[Hop, set[Hop]] = {}
    for middle, peers in sorted(adjacent.items()):
        for before in sorted(peers):
            for after in peers:
                if len(numbers[before] | numbers[after]) > 1:
                    waits.setdefault((before, middle), set()).add((middle, after))
    return waits
