"""Which nodes a job runs on: the next free ones, named ones, or scattered over the leaves."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from itertools import zip_longest

from nettool.core.finding import Finding, Severity
from nettool.plan.demand.demand import JobDemand
from nettool.plan.placement.locality import Locality


def assign(
    jobs: Sequence[JobDemand], ground: Locality
) -> tuple[dict[str, Sequence[int]], list[Finding]]:
    """Node numbers of each job in rank order, and what does not fit; such a job has none.

    Jobs with named nodes come first, the others follow in their order.
    """
    findings: list[Finding] = []
    taken: dict[int, str] = {}
    found: dict[str, Sequence[int]] = {}
    number = {name: index for index, name in enumerate(ground.node_names)}
    for job in jobs:
        if not isinstance(job.placement, str):
            nodes, problems = _named(job, job.placement, number, taken, ground)
            findings += problems
            if not problems:
                found[job.name] = nodes
                taken.update(dict.fromkeys(nodes, job.name))
    for job in jobs:
        if isinstance(job.placement, str):
            free = [each for each in range(len(ground.segment)) if each not in taken]
            need = _need(job, ground)
            if need > len(free):
                findings.append(_no_room(job, need, len(free), ground))
                continue
            order = _scattered(free, ground) if job.placement == "fragmented" else free
            found[job.name] = order[:need]
            taken.update(dict.fromkeys(order[:need], job.name))
    return found, findings


def problem(
    job: JobDemand, rule: str, message: str, hint: str, *, level: Severity, at: str = ""
) -> Finding:
    """A finding about a job (or its key `at`), at its place in the fabric file."""
    key = ".".join(map(str, (*job.origin.path, at) if at else job.origin.path))
    return Finding(
        rule=rule, severity=level, message=message, hint=hint, table="fabric.yaml", key=key
    )


def _need(job: JobDemand, ground: Locality) -> int:
    return -(-job.gpus // ground.gpus_per_node)


def _scattered(free: Sequence[int], ground: Locality) -> list[int]:
    """Free nodes dealt from segment to segment: neighbours in rank share no leaf."""
    by_segment: dict[int, list[int]] = {}
    for node in free:
        by_segment.setdefault(ground.segment[node], []).append(node)
    rounds = zip_longest(*by_segment.values())
    return [node for each in rounds for node in each if node is not None]


def _no_room(job: JobDemand, need: int, free: int, ground: Locality) -> Finding:
    return problem(
        job, "PLC001", f"job {job.name} needs {need} nodes of {ground.gpus_per_node} GPUs, but "
        f"{free} of {len(ground.segment)} are free", "make it smaller, or the jobs before it",
        level=Severity.ERROR,
    )  # fmt: skip


def _named(
    job: JobDemand, names: tuple[str, ...], number: dict[str, int], taken: dict[int, str],
    ground: Locality,
) -> tuple[list[int], list[Finding]]:  # fmt: skip
    findings = [_unknown(job, name, number) for name in names if name not in number]
    nodes = [number[name] for name in names if name in number]
    need = _need(job, ground)
    if len(names) != need:
        findings.append(
            problem(
                job, "PLC002", f"job {job.name} names {len(names)} nodes, but its {job.gpus} GPUs "
                f"fill {need} of {ground.gpus_per_node}", f"name {need} nodes",
                level=Severity.ERROR,
            )
        )  # fmt: skip
    for node in dict.fromkeys(nodes):
        owner = taken.get(node, job.name if nodes.count(node) > 1 else "")
        if owner:
            findings.append(
                problem(
                    job, "PLC003", f"node {ground.node_names[node]} is named by {job.name} and "
                    f"already belongs to {owner}", "name each node once", level=Severity.ERROR,
                )
            )  # fmt: skip
    return nodes, findings


def _unknown(job: JobDemand, name: str, number: dict[str, int]) -> Finding:
    close = get_close_matches(name, number, n=1)
    known = f"nodes are {next(iter(number))} to {next(reversed(number))}" if number else "no nodes"
    return problem(
        job, "PLC002", f"job {job.name} names node {name!r}, which the fabric does not have",
        f"did you mean {close[0]}? {known}" if close else known, level=Severity.ERROR,
    )  # fmt: skip
