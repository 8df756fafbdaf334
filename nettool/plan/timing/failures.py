"""What the loss of one grandmaster, switch or link takes from the clock tree.

Grandmasters hang from one imagined root; what a single failure cuts off is then what lies below a
cut point or a bridge of that graph. One walk finds them all, in the size of the fabric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nettool.plan.design.fabric import Fabric

_ROOT = ""
_GRANDMASTER = "grandmaster "

Graph = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Loss:
    """One failure, in words, and how many working switches it leaves without a reference."""

    failed: str
    switches: int


@dataclass(slots=True)
class _Visit:
    """A node of the walk: when it was met, the earliest it leads back to, switches below it."""

    order: int
    parent: str
    rest: Iterator[str]
    low: int
    below: int
    cut: int = 0


def losses(fabric: Fabric, attached: Mapping[str, Sequence[str]]) -> tuple[Loss, ...]:
    """Every single failure that leaves a switch without time, the widest first.

    `attached` maps a grandmaster to its switches. Switches that have no reference to begin with
    are not counted; two links between the same switches stand in for each other.
    """
    found = list(_walk(_graph(fabric, attached)))
    return tuple(sorted(found, key=lambda loss: (-loss.switches, loss.failed)))


def _graph(fabric: Fabric, attached: Mapping[str, Sequence[str]]) -> Graph:
    known = fabric.by_name
    graph: dict[str, Counter[str]] = {
        device.name: Counter(n.device for n in device.neighbors.values() if n.device in known)
        for device in fabric.devices
    }
    graph[_ROOT] = Counter()
    for name, switches in attached.items():
        node = _GRANDMASTER + name
        graph[node] = Counter((_ROOT, *switches))
        for each in (_ROOT, *switches):
            graph[each][node] += 1
    return graph


def _walk(graph: Graph) -> Iterator[Loss]:
    met = {_ROOT: _Visit(0, _ROOT, iter(graph[_ROOT]), 0, 0)}
    path = [_ROOT]
    while path:
        name = path[-1]
        visit = met[name]
        peer = next(visit.rest, None)
        if peer is None:
            path.pop()
            if path:
                yield from _close(name, path[-1], met, graph)
        elif peer not in met:
            order, own = len(met), 0 if peer.startswith(_GRANDMASTER) else 1
            met[peer] = _Visit(order, name, iter(graph[peer]), order, own)
            path.append(peer)
        elif peer != visit.parent or graph[name][peer] > 1:
            visit.low = min(visit.low, met[peer].order)


def _close(name: str, parent: str, met: Mapping[str, _Visit], graph: Graph) -> Iterator[Loss]:
    """A node whose walk is over: what its own failure cuts off, and that of its link upwards."""
    visit, above = met[name], met[parent]
    if visit.cut:
        yield Loss(name if name.startswith(_GRANDMASTER) else f"switch {name}", visit.cut)
    if visit.low > above.order and parent != _ROOT and graph[name][parent] == 1:
        yield Loss(f"link {parent} to {name}", visit.below)
    if visit.low >= above.order:
        above.cut += visit.below
    above.low = min(above.low, visit.low)
    above.below += visit.below
