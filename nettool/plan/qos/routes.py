"""Which ways traffic takes between switches: shortest AS paths, also with parts failed.

Model: eBGP with multipath over equal AS-path length, and the rule that a switch refuses a path
that holds its own AS number. A leaf is where traffic enters and leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.plan.design.fabric import Fabric
from nettool.plan.qos.cycle import Hop, dependencies


@dataclass(frozen=True)
class Graph:
    """Switches of one network: who is linked to whom by how many links; AS numbers."""

    links: Mapping[str, Mapping[str, int]]
    asn: Mapping[str, int | None]
    edge: frozenset[str]
    """Switches that hosts attach to."""

    def without(self, *failed: str | frozenset[str]) -> Graph:
        """The graph less switches (names) and adjacencies (pairs)."""
        links = {
            name: {
                peer: count
                for peer, count in peers.items()
                if peer not in failed and frozenset((name, peer)) not in failed
            }
            for name, peers in self.links.items()
            if name not in failed
        }
        return Graph(links, self.asn, self.edge & links.keys())


def graph_of(fabric: Fabric, network: str) -> Graph:
    """The switch graph of a network."""
    devices = fabric.of_network(network)
    links: dict[str, dict[str, int]] = {each.name: {} for each in devices}
    for device in devices:
        own = links[device.name]
        for neighbor in device.neighbors.values():
            if neighbor.device in links:
                own[neighbor.device] = own.get(neighbor.device, 0) + 1
    edge = frozenset(each.name for each in devices if each.role == "leaf")
    return Graph(links, {each.name: each.asn for each in devices}, edge)


def next_hops(graph: Graph, target: str) -> dict[str, tuple[str, ...]]:
    """Next hops of every switch towards `target`, all of equal AS-path length."""
    chosen: dict[str, tuple[str, ...]] = {target: ()}
    paths: dict[str, tuple[int | None, ...]] = {target: (graph.asn[target],)}
    frontier = [target]
    while frontier:
        offers: dict[str, list[str]] = {}
        for name in frontier:
            for peer in graph.links[name]:
                if peer not in chosen and _accepts(graph.asn[peer], paths[name]):
                    offers.setdefault(peer, []).append(name)
        for name, peers in offers.items():
            chosen[name] = tuple(sorted(peers))
            paths[name] = (graph.asn[name], *paths[chosen[name][0]])
        frontier = sorted(offers)
    return chosen


def waiting(graph: Graph) -> dict[Hop, set[Hop]]:
    """What each directed link waits for, over all routes between edge switches."""
    return dependencies(
        turn for target in sorted(graph.edge) for turn in _turns(graph, next_hops(graph, target))
    )


def _turns(graph: Graph, hops: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str, str]]:
    """Every three switches in a row on the routes that start at edge switches."""
    seen: set[str] = set()
    frontier = [name for name in sorted(graph.edge) if name in hops]
    while frontier:
        name = frontier.pop()
        if name in seen:
            continue
        seen.add(name)
        for following in hops[name]:
            frontier.append(following)
            for last in hops[following]:
                yield name, following, last


def _accepts(own: int | None, path: tuple[int | None, ...]) -> bool:
    return own is None or own not in path
