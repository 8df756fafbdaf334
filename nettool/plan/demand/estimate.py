"""From the intent's jobs to what they send, before any topology is known."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from nettool.catalog.catalog import Catalog, UnknownNameError
from nettool.core.finding import Finding, Report, Severity
from nettool.core.provenance import Figure, Provenance, Trust
from nettool.intent.intent import FabricIntent
from nettool.plan.demand.advice import batch_advice, layout_advice
from nettool.plan.demand.demand import Demand, JobDemand
from nettool.plan.demand.job import Machine, job_demand, read_job
from nettool.plan.demand.layout import job_groups
from nettool.plan.demand.options import located
from nettool.plan.demand.shape import Shape


def estimate(intent: FabricIntent, catalog: Catalog) -> tuple[Demand, Report]:
    """What every job sends in an iteration, exact, and all that is wrong with the jobs.

    A job with an error is left out of the demand; its findings say why.
    """
    machine, scale_up, findings = _machine(intent, catalog)
    classes = tuple(each.name for each in intent.qos.lossless)
    jobs: list[JobDemand] = []
    shapes: list[Shape] = []
    for number, job in enumerate(intent.jobs):
        shape, problems = read_job(job, number, machine)
        groups = job_groups(shape) if shape else None
        if shape:
            problems += _class_misfits(shape, classes, number)
        findings += problems
        if shape is None or groups is None or _broken(problems):
            continue
        shapes.append(shape)
        jobs.append(job_demand(job, number, shape, machine, groups))
        findings += [*batch_advice(shape, number), *layout_advice(jobs[-1], machine, number)]
    findings += _fleet_misfits(intent, jobs, machine)
    target = min((each.options.target_utilisation for each in shapes), default=1.0)
    demand = Demand(tuple(jobs), machine.gpus, machine.gpus_per_node, scale_up, target, classes)
    return demand, Report.of(findings, jobs=len(jobs))


def _broken(findings: list[Finding]) -> bool:
    return any(each.severity is Severity.ERROR for each in findings)


def _machine(
    intent: FabricIntent, catalog: Catalog
) -> tuple[Machine, Figure | None, list[Finding]]:
    cluster = intent.cluster
    gpus = cluster.nodes * cluster.gpus_per_node
    try:
        model = catalog.gpu(cluster.gpu)
    except UnknownNameError as exc:
        assumed = Provenance("H100 SXM taken instead", (), "", Trust.ASSUMED)
        finding = located(
            "DEM012", Severity.ERROR, f"unknown GPU {cluster.gpu!r}", ("cluster", "gpu"), exc.hint
        )
        return (
            Machine(gpus, cluster.gpus_per_node, Figure(989.0, "TFLOPS", assumed)),
            None,
            [finding],
        )
    machine = Machine(gpus, cluster.gpus_per_node, model.peak_bf16.figure)
    return machine, model.scale_up.figure, []


def _class_misfits(shape: Shape, classes: tuple[str, ...], number: int) -> Iterator[Finding]:
    for dimension, name in shape.options.classes.items():
        if name not in classes:
            close = get_close_matches(name, classes, n=1)
            yield located(
                "DEM013", Severity.ERROR,
                f"{dimension} is put into class {name!r}, but the lossless classes are "
                f"{', '.join(classes)}",
                ("jobs", number, "options", "classes", str(dimension)),
                f"did you mean {close[0]!r}?" if close else "name one of them, or add it to qos",
            )  # fmt: skip


def _fleet_misfits(
    intent: FabricIntent, jobs: list[JobDemand], machine: Machine
) -> Iterator[Finding]:
    used = sum(each.gpus for each in jobs)
    names = ", ".join(f"{each.name} {each.gpus}" for each in jobs)
    if used > machine.gpus and all(each.gpus <= machine.gpus for each in jobs):
        yield located(
            "DEM004", Severity.ERROR,
            f"the jobs need {used} GPUs together ({names}), but the fabric has {machine.gpus}",
            ("jobs",), "drop a job, or make one smaller",
        )  # fmt: skip
    elif jobs and len(jobs) == len(intent.jobs) and used < machine.gpus:
        yield located(
            "DEM014", Severity.WARNING,
            f"the jobs use {used} of the fabric's {machine.gpus} GPUs ({names})",
            ("jobs",), "a degree too small? The network is sized for what the jobs send",
        )  # fmt: skip
