"""The role of every clock port: which may follow, which only lead, and where a reference enters.

A port may follow where its neighbour is nearer to some grandmaster, so that the tree can turn
when the active one fails; every other port only leads, hosts above all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nettool.plan.design.fabric import Device
from nettool.plan.timing.timing_plan import ClockPort
from nettool.plan.timing.tree import Branch

Tree = Mapping[str, Branch]


def clock_ports(
    device: Device, trees: Sequence[Tree], references: Mapping[str, str], *, synce: bool
) -> Iterator[ClockPort]:
    """The ports of one switch: references first, then cabled ports in layout order.

    `trees` has a tree for each grandmaster, the active one's first; `references` maps a port
    of this switch to the grandmaster cabled to it. The first port that leads to the parent in
    the active tree is the slave, other ways up are passive.
    """
    parent = trees[0][device.name].parent if device.name in trees[0] else None
    rank = 0
    locked = False
    for port, peer in _ways(device, references):
        if port not in references and not _leads_up(device.name, peer, trees):
            yield ClockPort(port, "master", peer, None, "QL")
            continue
        rank += 1
        selected = peer == parent and not locked
        locked = locked or selected
        yield ClockPort(
            port,
            "slave" if selected else "passive",
            peer,
            rank if synce else None,
            "DNU" if selected else "QL",
        )


def reference_port(device: Device, taken: int) -> str | None:
    """The port where a switch's next grandmaster is cabled: a free SFP+ port, else a free cage."""
    free = [slot.name for slot in device.layout.extras]
    free += [slot.name for slot in device.layout.slots if slot.name not in device.neighbors]
    return free[taken] if taken < len(free) else None


def _ways(device: Device, references: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from references.items()
    for slot, neighbor in device.used:
        yield slot.name, neighbor.device


def _leads_up(name: str, peer: str, trees: Sequence[Tree]) -> bool:
    return any(
        name in tree and peer in tree and tree[peer].hops < tree[name].hops for tree in trees
    )
