"""What the jobs ask in tables: bytes by dimension, storage, and where it all lands."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.plan.demand.demand import JobDemand
from nettool.plan.placement.matrix import TrafficMatrix
from nettool.plan.placement.table import by_rail, edge_table, heat_map, share_table, tier_table
from nettool.report.page import Table


def job_tables(job: JobDemand) -> tuple[Table, Table]:
    """One job: its dimensions, and its traffic with storage."""
    rows = [
        (str(f.dimension), f.pattern, int(f.bytes_per_gpu), int(f.message), f.messages, f.peers)
        for f in job.flows
    ]
    title = (
        f"job {job.name}: {job.model} on {job.gpus} GPUs, {float(job.iteration):.3f} s a step "
        f"({job.iteration.why.trust})"
    )
    head = ("dimension", "pattern", "B/GPU/step", "B/message", "messages", "peers")
    stored = [
        (f.name, int(f.bytes_total), f.period.value if f.period else None, f.note)
        for f in job.storage
    ]
    return Table(head, rows, title), Table(("storage", "B", "every, s", "note"), stored)


def matrix_tables(matrix: TrafficMatrix) -> Iterator[Table]:
    """Where the bytes of a step go: by class of edge, by rail and tier, by traffic class."""
    yield Table(*edge_table(matrix), "where the bytes of a step go")
    yield Table(*by_rail(heat_map(matrix)), "burst by rail and tier, busiest switch, one way")
    title = (
        "load by rail and tier: an iteration of training, storage beside it, one evaluation step"
    )
    yield Table(*by_rail(tier_table(matrix)), title)
    yield Table(*share_table(matrix), "traffic classes")
