"""Cycles among buffers that wait for each other: the graph of (link, priority) over routes.

A packet that came in over link a and leaves over link b makes the buffer behind a wait for the
one behind b. PFC can deadlock only where such waiting closes a cycle. The priority of a packet
never changes on its way, so every lossless priority has the same graph.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

Hop = tuple[str, str]
"""A link in one direction: from a switch to the next."""
Node = TypeVar("Node", bound=Hashable)


def dependencies(routes: Iterable[Sequence[str]]) -> dict[Hop, set[Hop]]:
    """What each directed link waits for, over routes given as switches in order."""
    waits: dict[Hop, set[Hop]] = {}
    for route in routes:
        for before, after in pairwise(pairwise(route)):
            waits.setdefault(before, set()).add(after)
    return waits


def find_cycle(waits: Mapping[Node, Iterable[Node]]) -> tuple[Node, ...] | None:
    """One cycle, from its first node in sort order, or None where the graph has none."""
    done: set[Node] = set()
    for start in waits:
        cycle = _from(start, waits, done)
        if cycle:
            return cycle
    return None


def _from(
    start: Node, waits: Mapping[Node, Iterable[Node]], done: set[Node]
) -> tuple[Node, ...] | None:
    """Depth-first search without recursion; `done` holds what is known to be free of cycles."""
    if start in done:
        return None
    path: dict[Node, Iterator[Node]] = {start: _ordered(waits, start)}
    while path:
        last = next(reversed(path))
        following = next((each for each in path[last] if each not in done), None)
        if following is None:
            done.add(last)
            del path[last]
        elif following in path:
            names = list(path)
            return _from_first(names[names.index(following) :])
        else:
            path[following] = _ordered(waits, following)
    return None


def _ordered(waits: Mapping[Node, Iterable[Node]], node: Node) -> Iterator[Node]:
    return iter(sorted(waits.get(node, ()), key=repr))


def _from_first(cycle: list[Node]) -> tuple[Node, ...]:
    start = min(range(len(cycle)), key=lambda index: repr(cycle[index]))
    return (*cycle[start:], *cycle[:start])
