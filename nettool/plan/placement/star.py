"""Storage traffic on a network of its own: every node to servers that stand behind the spines.

Unicast, not a collective: a checkpoint is written by all nodes of a job at once, so a leaf
bursts with all of them; where servers attach is not known, so all of it is taken to climb.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from nettool.core.provenance import weakest
from nettool.plan.demand.demand import Demand, JobDemand
from nettool.plan.placement.burst import Moment, Placed
from nettool.plan.placement.loads import Switch, load_of
from nettool.plan.placement.locality import Locality
from nettool.plan.placement.matrix import TierLoad
from nettool.plan.placement.shares import storage_bytes


def star_loads(placed: Sequence[Placed], ground: Locality, demand: Demand) -> Iterator[TierLoad]:
    """The loads of a storage network: leaf and, where there are spines, above it."""
    moments: dict[int, Moment] = {}
    for each in placed:
        for leaf, moment in _of_job(each, ground).items():
            moments[leaf] = moments.get(leaf, Moment()) + moment
    if not moments:
        return
    trust = weakest(*(each.job.iteration.why.trust for each in placed))
    switches = [
        Switch(
            ground.names[leaf], moment, ground.down.get(leaf, 0), *ground.uplinks.get(leaf, (0, 0))
        )
        for leaf, moment in sorted(moments.items())
    ]
    yield load_of(ground, "nic-leaf", 0, switches, trust, None)
    if all(switch.links for switch in switches):
        yield load_of(ground, "leaf-spine", 0, switches, trust, demand.target_utilisation)


def _of_job(placed: Placed, ground: Locality) -> dict[int, Moment]:
    """Bytes an iteration (whole, their sum exact) and the burst of each leaf's nodes."""
    total, nodes, seconds = storage_bytes(placed.job), len(placed.nodes), placed.job.iteration
    part = _burst_part(placed.job, nodes, ground)
    found, before, size = {}, 0, ground.gpus_per_node
    for leaf, here in sorted(Counter(_leaf(node, ground) for node in placed.nodes).items()):
        sent = total * (before + here) // nodes - total * before // nodes
        before += here
        average = sent * 8 / float(seconds) / 1e6
        found[leaf] = Moment(sent, average, here * size * part, here)
    return found


def _leaf(node: int, ground: Locality) -> int:
    return ground.leaf[ground.segment[node]][0]


def _burst_part(job: JobDemand, nodes: int, ground: Locality) -> float:
    """Part of line rate a checkpoint takes: all of it, or what its given time asks."""
    write = next((flow for flow in job.storage if flow.to_storage and flow.seconds), None)
    if write is None or write.seconds is None:
        return 1.0
    asked = int(write.bytes_total) * 8 / nodes / float(write.seconds)
    return min(1.0, asked / (ground.nic_speed * ground.gpus_per_node * 1e6))
