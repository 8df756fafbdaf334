"""Demand laid on the design: the traffic matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nettool.core.finding import Report
from nettool.core.provenance import Figure, Input, Provenance
from nettool.plan.demand.demand import Demand, Flow, JobDemand
from nettool.plan.design.fabric import Fabric
from nettool.plan.placement.advice import load_advice, placement_advice
from nettool.plan.placement.burst import Placed
from nettool.plan.placement.census import Tally, census
from nettool.plan.placement.loads import needed_oversubscription, tier_loads
from nettool.plan.placement.locality import Locality, locality
from nettool.plan.placement.matrix import TierLoad, TrafficMatrix
from nettool.plan.placement.nodes import assign
from nettool.plan.placement.shares import class_shares, storage_incast, storage_network
from nettool.plan.placement.star import star_loads

_COMPUTE = "compute"


def place(demand: Demand, fabric: Fabric) -> tuple[TrafficMatrix, Report]:
    """What the jobs put on every rail and tier of the design, with warnings that carry numbers.

    Training runs on the network named compute, or the first one; storage on the one named
    storage or frontend, else beside it.
    """
    networks = tuple(fabric.topology)
    compute = _COMPUTE if _COMPUTE in networks else networks[0]
    ground = locality(fabric, compute, demand.gpus_per_node)
    nodes, findings = assign(demand.jobs, ground)
    placed = [
        Placed(job, nodes[job.name], _tallies(job, job.flows, nodes[job.name], ground))
        for job in demand.jobs
        if job.name in nodes
    ]
    evaluated = _evaluated(placed, ground)
    storage = storage_network(networks, compute)
    training = tuple(tier_loads(placed, ground, demand))
    desk = ground if storage == compute else locality(fabric, storage, demand.gpus_per_node)
    loads = (
        *training,
        *star_loads(placed, desk, demand),
        *(replace(each, traffic="evaluation") for each in tier_loads(evaluated, ground, demand)),
    )
    findings += [*placement_advice(placed, ground), *load_advice(placed, loads)]
    matrix = TrafficMatrix(
        loads=loads,
        classes=class_shares(placed, demand, compute, storage),
        edges=dict(_edges(placed)),
        incast=_incast(placed, networks, compute, storage),
        needed_oversubscription=_needed(networks, training, ground),
        evaluation=dict(_edges(evaluated)),
        relayed={
            (each.job.name, str(flow.dimension)): tally.relayed
            for each in placed
            for flow, tally in each.tallies
            if tally.relayed
        },
        nodes={
            each.job.name: tuple(ground.node_names[node] for node in each.nodes) for each in placed
        },
    )
    return matrix, Report.of(findings, placed=len(placed))


def _tallies(
    job: JobDemand, flows: Sequence[Flow], nodes: Sequence[int], ground: Locality
) -> tuple[tuple[Flow, Tally], ...]:
    return tuple((flow, census(flow, job.gpus, nodes, ground, pxn=job.pxn)) for flow in flows)


def _evaluated(placed: Sequence[Placed], ground: Locality) -> list[Placed]:
    """The jobs in a step of evaluation, which takes the forward part of an iteration."""
    return [
        Placed(
            replace(each.job, iteration=_forward_seconds(each.job)), each.nodes,
            _tallies(each.job, each.job.evaluation, each.nodes, ground),
        )
        for each in placed
    ]  # fmt: skip


def _forward_seconds(job: JobDemand) -> Figure:
    why = Provenance(
        "iteration / 3: forward is 2 P T of 6 P T (less of 8 P T with full recomputation)",
        (job.iteration.as_input("iteration"),), "Narayanan SC21 eq. 3", job.iteration.why.trust,
    )  # fmt: skip
    return Figure(float(job.iteration) / 3, "s", why)


def _edges(placed: Sequence[Placed]) -> Iterator[tuple[tuple[str, str, str], int]]:
    total: dict[tuple[str, str, str], int] = {}
    for each in placed:
        for flow, tally in each.tallies:
            for kind, sent in tally.edges.items():
                key = (each.job.name, str(flow.dimension), str(kind))
                total[key] = total.get(key, 0) + sent
    return ((key, sent) for key, sent in total.items() if sent)


def _incast(
    placed: Sequence[Placed], networks: Sequence[str], compute: str, storage: str
) -> dict[str, Figure]:
    found = {name: Figure(1, "senders", _ONE) for name in networks}
    if storage != compute:
        found[storage] = storage_incast(placed)
    rows = [(tally.incast, flow, each.job) for each in placed for flow, tally in each.tallies]
    if rows:
        most, flow, job = max(rows, key=lambda row: row[0])
        why = Provenance(
            "largest number of NICs that send to one NIC at once",
            (Input("job", job.name), Input("dimension", str(flow.dimension)),
             Input("algorithm", flow.algorithm), Input("group", flow.members, "GPUs")),
        )  # fmt: skip
        found[compute] = Figure(max(1, most), "senders", why if most > 1 else _ONE)
    return found


def _needed(
    networks: Sequence[str], loads: Sequence[TierLoad], ground: Locality
) -> dict[str, Figure]:
    found = {name: Figure(1.0, "down:up", _NON_BLOCKING) for name in networks}
    if loads:
        found[ground.network] = needed_oversubscription(loads, ground)
    return found


_ONE = Provenance("one sender at a time: rings and neighbours")
_NON_BLOCKING = Provenance("no job says what it sends here: non-blocking")
