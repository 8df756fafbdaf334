"""Which switches and nodes of a fabric are alike: equal kinds, joined alike to equal neighbours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping

from nettool.plan.design.fabric import Fabric
from nettool.plan.qos.ports import group_switches

_NODE = "node"


def alike(fabric: Fabric) -> Mapping[str, int]:
    """A number for each switch and node; equal numbers cannot be told apart.

    Colour refinement: kinds are parted by the kinds they are joined to until nothing changes.
    What it keeps together differs at most in ways that a Clos does not have.
    """
    ends = _ends(fabric)
    colours: dict[str, Hashable] = {each.name: _NODE for each in fabric.nodes}
    for group in group_switches(fabric):
        colours |= dict.fromkeys(group.devices, group.key)
    numbers = _numbered(colours)
    while True:
        finer = _numbered(
            {
                name: (own, tuple(sorted((kind, numbers[far]) for kind, far in ends[name])))
                for name, own in numbers.items()
            }
        )
        if len(set(finer.values())) == len(set(numbers.values())):
            return numbers
        numbers = finer


def _ends(fabric: Fabric) -> Mapping[str, list[tuple[int, str]]]:
    """By device: link kind, as a number, and far end of each link."""
    kinds: dict[Hashable, int] = {}
    ends: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for link in fabric.links:
        kind = kinds.setdefault(link.kind, len(kinds))
        ends[link.a.device].append((kind, link.b.device))
        ends[link.b.device].append((kind, link.a.device))
    return ends


def _numbered(colours: Mapping[str, Hashable]) -> dict[str, int]:
    seen: dict[Hashable, int] = {}
    return {name: seen.setdefault(colour, len(seen)) for name, colour in colours.items()}
