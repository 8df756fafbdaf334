"""Edges of a group as pieces of nodes: what repeats is written once and counted.

A group is a set of ranks, a fixed set of offsets from its first rank. Ranks next to each other
belong to groups that are shifted copies, so `lanes` of them are handled as one bundle. Bundles
whose first ranks stand at the same place in a node have the same form: nodes relative to the
first, local indexes, bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import gcd

from nettool.plan.demand.demand import Axis, Flow
from nettool.plan.demand.pattern import edges

Pair = tuple[int, int]
"""A node (counted from the bundle's first) and a local index in it."""
Link = tuple[Pair, Pair, int]
"""From, to, bytes of each lane."""


@dataclass(frozen=True, slots=True)
class Form:
    """A group's members as (node, local index), and its edges; `mesh` bytes for all-to-all."""

    members: tuple[Pair, ...]
    links: tuple[Link, ...]
    mesh: int = 0
    aggregated: bool = False
    """True where the other end is a switch that adds up (in-network reduction)."""

    @property
    def nodes(self) -> tuple[int, ...]:
        """The nodes of all members, each once, in their order."""
        return tuple(dict.fromkeys(node for node, _ in self.members))


def offsets(group: Sequence[Axis]) -> list[int]:
    """Rank offsets of the members of a group, the innermost axis fastest."""
    ranges = [range(0, axis.stride * axis.size, axis.stride) for axis in reversed(group)]
    return [sum(each) for each in product(*ranges)]


def lanes_of(group: Sequence[Axis], gpus_per_node: int) -> int:
    """Ranks next to each other whose groups stay side by side in the same nodes."""
    return reduce(gcd, (axis.stride for axis in group), gpus_per_node)


def bundles(flow: Flow, gpus: int, lanes: int) -> Iterator[int]:
    """The first rank of every bundle of groups of a job with `gpus` ranks."""
    gaps, below = [], 1
    for axis in flow.group:
        if axis.stride > below:
            gaps.append(range(0, axis.stride, below))
        below = axis.stride * axis.size
    if gpus > below:
        gaps.append(range(0, gpus, below))
    inner = flow.group[0].stride
    if inner > 1:
        gaps[0] = range(0, inner, lanes)
    return (sum(each) for each in product(*reversed(gaps)))


def form_of(flow: Flow, start: int, gpus_per_node: int) -> Form:
    """The form of the bundle whose first rank stands at local index `start` of its node."""
    members = tuple(divmod(start + each, gpus_per_node) for each in offsets(flow.group))
    if flow.pattern == "all-to-all":
        return Form(members, (), mesh=int(flow.bytes_per_gpu) // (len(members) - 1))
    if flow.algorithm == "in-network":
        links = tuple((each, each, int(flow.bytes_per_gpu)) for each in members)
        return Form(members, links, aggregated=True)
    found = _two_levels(flow, members) or [
        (members[a], members[b], sent) for a, b, sent in edges(flow)
    ]
    return Form(members, tuple(each for each in found if each[2]))


def _two_levels(flow: Flow, members: tuple[Pair, ...]) -> list[Link] | None:
    """Rings as NCCL builds them: inside each node, then node to node on every rail.

    None where a flat ring is asked for or is the same, or nodes hold unequal parts.
    """
    if flow.algorithm not in ("ring", "hierarchical"):
        return None
    by_node: dict[int, list[Pair]] = {}
    for each in members:
        by_node.setdefault(each[0], []).append(each)
    rows = list(by_node.values())
    inside = len(rows[0])
    if len(rows) == 1 or inside == 1 or any(len(row) != inside for row in rows):
        return None
    sent = int(flow.bytes_per_gpu)
    outside = -(-sent * (len(rows) - 1) // (len(members) - 1))
    return [
        *_rings(rows, sent - outside),
        *_rings([list(column) for column in zip(*rows, strict=True)], outside),
    ]


def _rings(rows: Sequence[Sequence[Pair]], sent: int) -> Iterator[Link]:
    for row in rows:
        for index, each in enumerate(row):
            yield each, row[(index + 1) % len(row)], sent
