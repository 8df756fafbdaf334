"""The role of every clock port: which may follow, which only lead, and where a reference enters.

A port may follow time where its neighbour is nearer to some grandmaster, so that the tree can
turn when the active one fails; every other port only leads, hosts above all. Frequency is taken
only from clocks that are nearer to a grandmaster than the switch itself, whichever one: then no
chain of inputs can lead back to itself, however many failures there are. The price is that a
switch whose own grandmaster fails keeps frequency by holdover while time reaches it by PTP.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nettool.plan.design.fabric import Device
from nettool.plan.timing.timing_plan import ClockPort
from nettool.plan.timing.tree import Branch, Tree

Addresses = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Trees:
    """How time and frequency spread.

    `time` has a tree for each grandmaster, `followed` the one in force; `frequency` grows from
    all grandmasters at once and is empty without SyncE.
    """

    time: Sequence[Tree]
    followed: Mapping[str, Branch]
    frequency: Mapping[str, Branch]


def clock_ports(
    device: Device, trees: Trees, references: Mapping[str, str], addresses: Addresses | None
) -> Iterator[ClockPort]:
    """The ports of one switch: references first, then cabled ports in layout order.

    `references` maps a port of this switch to the grandmaster cabled to it. The first port that
    leads to the parent is the slave; of two clocks the nearer one leads, and hosts only
    follow. `addresses` are those of the grandmasters where the profile is unicast, else None.
    """
    branch = trees.followed.get(device.name)
    parent = branch.parent if branch else None
    source = frequency_parent(device.name, trees)
    rank = 0
    locked = tuned = False
    for port, peer in _ways(device, references):
        is_reference = port in references
        if not is_reference and peer not in trees.followed:
            yield ClockPort(port, "master", peer, None, "QL")
            continue
        may_follow = is_reference or _leads_up(device.name, peer, trees.time)
        role = "master"
        if may_follow and peer == parent:
            role = "passive" if locked else "slave"
        elif may_follow and not _is_nearer(device.name, peer, trees.followed):
            role = "master" if is_reference else "passive"
        enters = is_reference or _is_nearer(peer, device.name, trees.frequency)
        enters = enters and source is not None
        rank += enters
        selected = enters and not tuned and peer == source
        locked, tuned = locked or role == "slave", tuned or selected
        yield ClockPort(
            port=port,
            role=role,
            peer=peer,
            synce_input=rank if enters else None,
            esmc="DNU" if selected else "QL",
            may_follow=may_follow,
            peer_address=_asked(device, port, peer, addresses) if may_follow else None,
        )


def frequency_parent(name: str, trees: Trees) -> str | None:
    """Where a switch takes frequency from while nothing has failed; None without SyncE."""
    branch = trees.frequency.get(name)
    return branch.parent if branch else None


def _ways(device: Device, references: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from references.items()
    for slot, neighbor in device.used:
        yield slot.name, neighbor.device


def _leads_up(name: str, peer: str, trees: Sequence[Tree]) -> bool:
    return any(_is_nearer(peer, name, tree) for tree in trees)


def _asked(device: Device, port: str, peer: str, addresses: Addresses | None) -> str | None:
    """The address of a neighbour or grandmaster, where the profile has a clock ask for it."""
    if addresses is None:
        return None
    neighbor = device.neighbors.get(port)
    return addresses.get(peer) if neighbor is None else neighbor.peer_address


def _is_nearer(peer: str, name: str, tree: Tree) -> bool:
    here, there = tree.get(name), tree.get(peer)
    return here is not None and there is not None and there.hops < here.hops
