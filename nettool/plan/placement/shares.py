"""Bytes of every traffic class of every network, for the weights of its queues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from nettool.core.provenance import Figure, Input, Provenance, Trust
from nettool.plan.demand.demand import Demand, JobDemand
from nettool.plan.placement.burst import Placed
from nettool.plan.placement.matrix import ClassShare
from nettool.plan.placement.path import EdgeClass

BEST_EFFORT = "default"
"""The class of what is not RDMA of a job: storage, management."""
_STORAGE_NETWORKS = ("storage", "frontend")
_ASSUMED_NODES_A_SERVER = 8


def storage_network(networks: Sequence[str], compute: str) -> str:
    """The network that carries storage: storage or frontend, else the compute network."""
    return next((each for each in _STORAGE_NETWORKS if each in networks), compute)


def class_shares(
    placed: Sequence[Placed], demand: Demand, compute: str, storage: str
) -> tuple[ClassShare, ...]:
    """Shares by network and class: bytes an iteration on NICs, storage spread over its period."""
    first = demand.classes[0] if demand.classes else "roce"
    volumes: dict[tuple[str, str], int] = defaultdict(int)
    for each in placed:
        for flow, tally in each.tallies:
            sent = sum(tally.edges.values()) - tally.edges[EdgeClass.SCALE_UP]
            volumes[compute, flow.traffic_class or first] += sent
        volumes[storage, BEST_EFFORT] += storage_bytes(each.job)
    return tuple(_shares(volumes, compute, storage))


def storage_bytes(job: JobDemand) -> int:
    """Bytes an iteration of the periodic storage traffic of a job, rounded to a byte."""
    total = Fraction(0)
    for flow in job.storage:
        if flow.period:
            part = Fraction(float(job.iteration)) / Fraction(float(flow.period))
            total += int(flow.bytes_total) * part
    return round(total)


def storage_incast(placed: Sequence[Placed]) -> Figure:
    """Nodes that write to one server at once in a checkpoint, at least 1."""
    worst, why = 1, Provenance("no job writes checkpoints")
    for each in placed:
        nodes, servers = len(each.nodes), each.job.storage_servers
        count = servers or max(1, nodes // _ASSUMED_NODES_A_SERVER)
        senders = -(-nodes // count)
        if senders >= worst:
            worst = senders
            why = Provenance(
                "ceil(nodes/servers)", (Input("nodes", nodes), Input("servers", count)),
                "every node writes its part of a checkpoint at once",
                Trust.GIVEN if servers else Trust.ASSUMED,
            )  # fmt: skip
    return Figure(worst, "senders", why)


def _shares(volumes: Mapping[tuple[str, str], int], compute: str, storage: str) -> list[ClassShare]:
    why = Provenance(
        "bytes an iteration on NICs; checkpoints and data set x iteration/period",
        (Input("compute", compute), Input("storage", storage)),
        "storage shares the compute network where the fabric has no other",
    )
    part = Provenance("bytes of the class / bytes of the network", (), "", why.trust)
    found = []
    for (network, name), size in sorted(volumes.items()):
        total = sum(each for (other, _), each in volumes.items() if other == network)
        share = Figure(size / total if total else 0.0, "", part)
        found.append(ClassShare(network, name, Figure(size, "B", why), share))
    return found
