"""Capacity of each tier boundary of a network."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.plan.design.fabric import Tier
from nettool.plan.design.network import Network


def tiers_of(network: Network) -> Iterator[Tier]:
    """NIC to leaf, leaf to spine and spine to core, as far as the network has them.

    `down` is what comes from below the upper end's tier, `up` what leads on, Mb/s.
    """
    hardware = network.hardware
    speeds = [each.link.speed for each in hardware.kinds]
    nodes = sum(count * speeds[kind] for kind, count in hardware.runs)
    ports = sum(len(each.rails) for each in network.blocks)
    capacity = nodes * ports
    yield Tier(network.name, "nic-leaf", network.nodes * ports, capacity, capacity)
    lower = sum(each.leaf_spine_links for each in network.closes)
    upper = sum(each.spine_core_links for each in network.closes)
    uplink = hardware.leaf.cages.up_speed
    if lower:
        yield Tier(network.name, "leaf-spine", lower, capacity, lower * uplink)
    if upper:
        up = upper * hardware.spine.cages.up_speed
        yield Tier(network.name, "spine-core", upper, lower * uplink, up)
