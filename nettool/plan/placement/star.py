"""Storage traffic on whichever network carries it: every node to servers behind the spines.

Unicast, not a collective: a checkpoint is written by all nodes of a job at once, so a leaf
bursts with all of them; where servers attach is not known, so all of it is taken to climb. A node
uses all its NICs on the network evenly, on a rail fabric one a rail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from nettool.core.provenance import weakest
from nettool.plan.demand.demand import Demand, JobDemand
from nettool.plan.placement.burst import Moment, Placed
from nettool.plan.placement.loads import Switch, leaves_by_rail, load_of
from nettool.plan.placement.locality import Locality
from nettool.plan.placement.matrix import TierLoad
from nettool.plan.placement.shares import storage_bytes


def star_loads(placed: Sequence[Placed], ground: Locality, demand: Demand) -> Iterator[TierLoad]:
    """Storage's loads of a network, by rail: leaf and, where there are spines, above it."""
    moments: dict[int, Moment] = {}
    for each in placed:
        for leaf, moment in _of_job(each, ground).items():
            moments[leaf] = moments.get(leaf, Moment()) + moment
    if not moments:
        return
    trust = weakest(*(each.job.iteration.why.trust for each in placed))
    rails = {
        rail: [_switch(ground, leaf, moments[leaf]) for leaf in leaves if leaf in moments]
        for rail, leaves in leaves_by_rail(ground).items()
    }
    for tier, target in (("nic-leaf", None), ("leaf-spine", demand.target_utilisation)):
        for rail, switches in rails.items():
            if switches and (target is None or all(each.links for each in switches)):
                load = load_of(ground, tier, rail, switches, trust, target)
                yield replace(load, traffic="storage")


def _switch(ground: Locality, leaf: int, moment: Moment) -> Switch:
    links = ground.uplinks.get(leaf, (0, 0))
    return Switch(ground.names[leaf], moment, ground.down.get(leaf, 0), *links)


def _of_job(placed: Placed, ground: Locality) -> dict[int, Moment]:
    """Bytes an iteration (whole, their sum exact) and the burst of each leaf's nodes."""
    total, nodes, seconds = storage_bytes(placed.job), len(placed.nodes), placed.job.iteration
    part = _burst_part(placed.job, nodes, ground)
    found, before, whole = {}, 0, nodes * ground.gpus_per_node
    for leaf, (here, writers) in sorted(_writers(placed.nodes, ground).items()):
        sent = total * (before + here) // whole - total * before // whole
        before += here
        average = sent * 8 / float(seconds) / 1e6
        found[leaf] = Moment(sent, average, here * part, writers)
    return found


def _writers(nodes: Sequence[int], ground: Locality) -> dict[int, tuple[int, int]]:
    """By leaf: the GPUs whose NICs are on it, and their nodes."""
    found: dict[int, tuple[int, int]] = {}
    for segment, count in Counter(ground.segment[node] for node in nodes).items():
        for leaf, gpus in Counter(ground.leaf[segment]).items():
            seen = found.get(leaf, (0, 0))
            found[leaf] = (seen[0] + gpus * count, seen[1] + count)
    return found


def _burst_part(job: JobDemand, nodes: int, ground: Locality) -> float:
    """Part of line rate a checkpoint takes: all of it, or what its given time asks."""
    write = next((flow for flow in job.storage if flow.to_storage and flow.seconds), None)
    if write is None or write.seconds is None:
        return 1.0
    asked = int(write.bytes_total) * 8 / nodes / float(write.seconds)
    return min(1.0, asked / (ground.nic_speed * ground.gpus_per_node * 1e6))
