"""`calc collective`: bytes a GPU sends and serial steps of one collective."""

from __future__ import annotations

from nettool.core.provenance import Trust
from nettool.plan.calculators.calculator import (
    COUNT,
    SIZE,
    TEXT,
    Calculation,
    Flag,
    Result,
    calculator,
    exact,
)
from nettool.plan.demand.collectives import ALGORITHMS, OPERATIONS, collective


@calculator(
    "collective",
    "bytes one GPU sends in a collective, and its serial steps",
    Flag("op", TEXT, help="the operation", choices=OPERATIONS),
    Flag("algorithm", TEXT, help="how it is carried out", choices=ALGORITHMS),
    Flag("gpus", COUNT, help="GPUs in the group"),
    Flag("bytes", SIZE, help="whole unsharded buffer; for all-to-all one GPU's send buffer"),
    Flag("node_size", COUNT, help="GPUs in one node, for hierarchical", optional=True),
)
def collective_cost(
    *,
    op: str,
    algorithm: str,
    gpus: int,
    bytes: int,  # noqa: A002  the flag's own name
    node_size: int | None,
) -> Calculation:
    """One collective; hierarchical gives the NIC's and NVLink's bytes apart."""
    cost = collective(op, algorithm, gpus, bytes, node_size)
    result: dict[str, Result] = {"bytes_per_gpu": exact(cost.bytes_per_gpu), "steps": cost.steps}
    units = {"bytes_per_gpu": "B sent", "steps": "serial steps"}
    if cost.nic is not None and cost.nvlink is not None:
        result |= {"nic_bytes": exact(cost.nic), "nvlink_bytes": exact(cost.nvlink)}
        units |= {"nic_bytes": "B sent", "nvlink_bytes": "B sent"}
    return Calculation(
        result=result,
        units=units,
        formula=f"{cost.formula} (approximate)" if cost.approximate else cost.formula,
        source="Thakur, Rabenseifner, Gropp 2005; NCCL bus-bandwidth factors (nccl-tests)",
        trust=Trust.INFERRED if cost.approximate else Trust.COMPUTED,
    )
