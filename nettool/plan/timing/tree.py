"""The clock tree: which neighbour every switch follows, by distance from the grandmaster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nettool.plan.design.fabric import Device, Fabric


@dataclass(frozen=True, slots=True)
class Branch:
    """One switch in the tree: its parent, and clocks between grandmaster and itself."""

    parent: str
    hops: int


Adjacency = Mapping[str, tuple[str, ...]]


def adjacency(fabric: Fabric) -> Adjacency:
    """Neighbouring switches of every switch, each once, in design order."""
    known = fabric.by_name
    return {
        device.name: tuple(
            dict.fromkeys(n.device for n in device.neighbors.values() if n.device in known)
        )
        for device in fabric.devices
    }


def attachments(fabric: Fabric, attach: Sequence[str], number: int) -> tuple[str, ...]:
    """The switches a grandmaster is cabled to: as given, else one of the top tier."""
    if attach:
        return tuple(attach)
    top = max(device.tier for device in fabric.devices)
    candidates = [device.name for device in fabric.devices if device.tier == top]
    return (candidates[number % len(candidates)],)


def grow(
    neighbours: Adjacency, roots: Iterable[str], grandmaster: str, *, without: frozenset[str]
) -> dict[str, Branch]:
    """The shortest-path tree from a grandmaster's switches; `without` names failed switches.

    A neighbour found first wins, so the tree is the same for the same design.
    """
    tree: dict[str, Branch] = {}
    frontier = [root for root in roots if root in neighbours and root not in without]
    for root in frontier:
        tree[root] = Branch(grandmaster, 1)
    while frontier:
        following: list[str] = []
        for parent in frontier:
            for child in neighbours[parent]:
                if child not in tree and child not in without:
                    tree[child] = Branch(parent, tree[parent].hops + 1)
                    following.append(child)
        frontier = following
    return tree


def depth_below(tree: Mapping[str, Branch], one: str, other: str) -> int:
    """Clocks below the last common clock of two switches, on the longer branch.

    0 where both are the same switch: the switch itself is the common clock.
    """
    ancestors = _path(tree, one)
    depth = {name: number for number, name in enumerate(ancestors)}
    for number, name in enumerate(_path(tree, other)):
        if name in depth:
            return max(depth[name], number)
    return max(tree[one].hops, tree[other].hops)


def _path(tree: Mapping[str, Branch], start: str) -> list[str]:
    path = [start]
    while path[-1] in tree and tree[path[-1]].parent in tree:
        path.append(tree[path[-1]].parent)
    return path


def top_first(devices: Iterable[Device]) -> list[Device]:
    """Switches from the highest tier down, in design order within one."""
    return sorted(devices, key=lambda device: -device.tier)
