"""The options of a training job, read from its raw `options` with every error located."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from nettool.core.finding import Finding, Severity
from nettool.core.model import Model, problem_of
from nettool.core.units import Count, Flag, Real
from nettool.plan.demand.demand import Dimension

DpMode = Literal["ddp", "zero1", "zero2", "zero2-all-reduce", "zero3", "fsdp", "hsdp"]
Algorithm = Literal[
    "ring", "flat-ring", "hierarchical", "tree", "halving-doubling", "recursive-doubling",
    "in-network",
]  # fmt: skip


def _order(value: object) -> object:
    """`tp-cp-ep-dp-pp` as Megatron spells it, or a list."""
    return value.split("-") if isinstance(value, str) else value


def _switch(value: object) -> object:
    """YAML 1.1 reads a bare on or off as a boolean."""
    return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


class CheckpointOptions(Model):
    """How checkpoints are written."""

    interval_s: Real = Field(
        default=3600.0, gt=0, le=1e9, description="seconds from one to the next"
    )
    bytes_per_parameter: Count = Field(
        default=14, description="bf16 weight, fp32 master, two Adam moments"
    )
    seconds: Real | None = Field(
        default=None, gt=0, le=1e9, description="time one may take to write"
    )


class StorageOptions(Model):
    """What stands at the other end of storage traffic."""

    servers: Count | None = Field(default=None, description="servers that share the load")
    bytes_per_token: Count = Field(default=4, description="data set: 4 for int32 token numbers")
    broadcast_restart: Flag = Field(
        default=False, description="weights are read once and spread over the compute network"
    )
    checkpoint: CheckpointOptions = Field(default=CheckpointOptions(), description="checkpoints")


class JobOptions(Model):
    """Everything a job may say beyond its degrees and batch."""

    order: Annotated[tuple[Dimension, ...] | None, BeforeValidator(_order)] = Field(
        default=None, description="ranks innermost first; default tp-cp-ep-dp-pp"
    )
    dp_mode: DpMode = Field(default="zero1", description="how gradients and parameters are kept")
    shard: Count | None = Field(default=None, description="hsdp: GPUs that share one copy")
    grad_bytes: Count = Field(default=4, description="bytes of a reduced gradient")
    param_bytes: Count = Field(default=2, description="bytes of a gathered parameter")
    activation_bytes: Count = Field(default=2, description="bytes of an activation")
    mfu: Real = Field(default=0.4, gt=0, le=1, description="part of peak rate, where not measured")
    flops: Literal["parameters", "layers"] = Field(
        default="parameters", description="6 P T, or counted layer by layer with attention"
    )
    peak_tflops: Real | None = Field(default=None, gt=0, le=1e9, description="default: the GPU's")
    step_time: Real | None = Field(
        default=None, gt=0, le=1e9, description="measured seconds an iteration"
    )
    sequence_parallel: Annotated[Literal["off", "on", "no-regather"], BeforeValidator(_switch)] = (
        Field(default="off", description="on: backward gathers its inputs again (10 b s h, not 8)")
    )
    recompute: Literal["none", "full"] = Field(default="none", description="activations")
    scatter_gather: Flag = Field(default=True, description="pipeline sends 1/t of an activation")
    reshard_after_forward: Flag = Field(default=True, description="zero3: gather again in backward")
    gather: Literal["iteration", "microbatch"] = Field(
        default="iteration", description="zero2, zero3: once, or for every micro-batch"
    )
    cp_mode: Literal["all-gather", "ring"] = Field(default="all-gather", description="context")
    expert_tp: Count | None = Field(default=None, description="TP of experts; default: tp")
    dispatch_bytes: Count | None = Field(default=None, description="EP: default: the model's")
    max_nodes: Count | None = Field(default=None, description="EP: nodes a token may go to")
    algorithms: dict[Dimension, Algorithm] = Field(
        default={}, description="collective algorithm by dimension"
    )
    classes: dict[Dimension, str] = Field(
        default={}, description="lossless class by dimension; default: the first"
    )
    qps: Count = Field(default=1, description="queue pairs between two GPUs")
    pxn: Flag = Field(default=True, description="relay to the right rail over NVLink")
    placement: Literal["contiguous", "fragmented"] = Field(
        default="contiguous", description="next free nodes, or scattered over the leaves"
    )
    nodes: tuple[str, ...] | None = Field(default=None, description="node names, in rank order")
    gpus: Count | None = Field(default=None, description="GPUs it should come to, to be checked")
    target_utilisation: Real = Field(default=1.0, gt=0, le=1, description="of an uplink")
    storage: StorageOptions = Field(default=StorageOptions(), description="storage traffic")


def read_options(
    raw: Mapping[str, Any], path: tuple[str | int, ...]
) -> tuple[JobOptions, list[Finding]]:
    """The options and what is wrong with them; wrong ones are left out and take their default."""
    rest = {key: value for key, value in raw.items() if not key.startswith("x-")}
    try:
        return JobOptions.model_validate(rest), []
    except ValidationError as exc:
        errors = exc.errors(include_url=False)
    findings = list(_findings(errors, path))
    wrong = {error["loc"][0] for error in errors}
    return JobOptions.model_validate({k: v for k, v in rest.items() if k not in wrong}), findings


def located(
    rule: str, severity: Severity, message: str, path: tuple[str | int, ...], hint: str | None
) -> Finding:
    """A finding at a key path of the fabric file."""
    return Finding(
        rule=rule, severity=severity, message=message, hint=hint, table="fabric.yaml",
        key=".".join(map(str, path)),
    )  # fmt: skip


def _findings(errors: list[Any], path: tuple[str | int, ...]) -> Iterator[Finding]:
    for error in errors:
        where = (*path, *error["loc"])
        name = ".".join(map(str, error["loc"]))
        if error["type"] == "extra_forbidden":
            yield located(
                "DEM001", Severity.ERROR, f"unknown option {name!r} of a job", where,
                _nearest(error["loc"]),
            )  # fmt: skip
        else:
            problem = problem_of(error)
            yield located(
                "DEM002", Severity.ERROR, f"option {name}: {problem}; given {error['input']!r:.60}",
                where, _described(error["loc"]),
            )  # fmt: skip


def _nearest(loc: tuple[str | int, ...]) -> str:
    known = sorted(_model_at(loc).model_fields)
    close = get_close_matches(str(loc[-1]), known, n=1, cutoff=0.5)
    return f"did you mean {close[0]!r}?" if close else f"known options: {', '.join(known)}"


def _described(loc: tuple[str | int, ...]) -> str | None:
    field = _model_at(loc[:1]).model_fields.get(str(loc[0]))
    return field.description if field else None


def _model_at(loc: tuple[str | int, ...]) -> type[Model]:
    if loc[:2] == ("storage", "checkpoint") and len(loc) > 2:
        return CheckpointOptions
    return StorageOptions if loc[0] == "storage" and len(loc) > 1 else JobOptions
