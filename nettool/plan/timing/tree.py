"""The clock tree: which neighbour every switch follows, by distance from the grandmaster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nettool.intent.intent import GrandmasterIntent
from nettool.plan.design.fabric import Fabric


@dataclass(frozen=True, slots=True)
class Branch:
    """One switch in the tree: its parent, and clocks between grandmaster and itself."""

    parent: str
    hops: int


Adjacency = Mapping[str, tuple[str, ...]]
Tree = Mapping[str, Branch]
Attached = Mapping[str, Sequence[str]]
"""The switches that each grandmaster is cabled to, by its name, the active one first."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What is taken out of the graph: switches, and links by their two ends."""

    switches: frozenset[str] = frozenset()
    links: frozenset[frozenset[str]] = frozenset()


NOTHING = Failure()


def adjacency(fabric: Fabric) -> Adjacency:
    """Neighbouring switches of every switch, each once, in design order."""
    known = fabric.by_name
    return {
        device.name: tuple(
            dict.fromkeys(n.device for n in device.neighbors.values() if n.device in known)
        )
        for device in fabric.devices
    }


def attachments(fabric: Fabric, grandmasters: Sequence[GrandmasterIntent]) -> Attached:
    """The switches each grandmaster is cabled to: as given, else one of the top tier each."""
    top = max((device.tier for device in fabric.devices), default=0)
    candidates = [device.name for device in fabric.devices if device.tier == top]
    return {
        each.name: each.attach or (candidates[number % len(candidates)],)
        for number, each in enumerate(grandmasters)
    }


def grow(neighbours: Adjacency, attached: Attached, failed: Failure = NOTHING) -> dict[str, Branch]:
    """The shortest-path tree from all of these grandmasters at once.

    A neighbour found first wins, so the tree is the same for the same design.
    """
    tree: dict[str, Branch] = {}
    frontier: list[str] = []
    for grandmaster, roots in attached.items():
        for root in roots:
            if root in neighbours and root not in tree and _is_up(grandmaster, root, failed):
                tree[root] = Branch(grandmaster, 1)
                frontier.append(root)
    while frontier:
        following: list[str] = []
        for parent in frontier:
            for child in neighbours[parent]:
                if child not in tree and _is_up(parent, child, failed):
                    tree[child] = Branch(parent, tree[parent].hops + 1)
                    following.append(child)
        frontier = following
    return tree


def grow_each(
    neighbours: Adjacency, attached: Attached, failed: Failure = NOTHING
) -> tuple[dict[str, Branch], ...]:
    """A tree for each grandmaster, in their order."""
    return tuple(grow(neighbours, {name: roots}, failed) for name, roots in attached.items())


def in_force(trees: Sequence[Tree]) -> dict[str, Branch]:
    """The tree that switches follow: the first grandmaster that reaches a part of the fabric."""
    merged: dict[str, Branch] = {}
    for tree in reversed(trees):
        merged.update(tree)
    return merged


def children(tree: Tree) -> dict[str, list[str]]:
    """What follows each switch and grandmaster."""
    below: dict[str, list[str]] = {}
    for name, branch in tree.items():
        below.setdefault(branch.parent, []).append(name)
    return below


def tops(tree: Tree) -> Iterable[str]:
    """The grandmasters that the tree hangs from, each once."""
    return dict.fromkeys(each.parent for each in tree.values() if each.hops == 1)


def _is_up(parent: str, child: str, failed: Failure) -> bool:
    if child in failed.switches:
        return False
    return not failed.links or frozenset((parent, child)) not in failed.links
