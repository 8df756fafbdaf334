"""Traffic with storage: checkpoints, restarts and the data set, cluster-wide."""

from __future__ import annotations

from nettool.core.provenance import Figure, Input, Provenance, Trust
from nettool.plan.demand.demand import StorageFlow
from nettool.plan.demand.shape import Shape


def storage_flows(shape: Shape, iteration: Figure) -> tuple[StorageFlow, ...]:
    """Checkpoint write, restart read and data set read of one job."""
    return (_checkpoint(shape), _restart(shape), _data_set(shape, iteration))


def checkpoint_bytes(parameters: int, bytes_per_parameter: int) -> int:
    """14 B a parameter: bf16 weight, fp32 master copy, two Adam moments."""
    return parameters * bytes_per_parameter


def restart_bytes(parameters: int, param_bytes: int, readers: int) -> int:
    """P w x readers: every replica reads the same weights."""
    return parameters * param_bytes * readers


def data_set_bytes(tokens: int, bytes_per_token: int) -> int:
    """Tokens of an iteration x bytes of a token."""
    return tokens * bytes_per_token


def _checkpoint(shape: Shape) -> StorageFlow:
    given = shape.options.storage.checkpoint
    size = given.bytes_per_parameter
    why = Provenance(
        "P x bytes a parameter",
        (_parameters(shape), Input("bytes a parameter", size, "B")),
        "bf16 weight, fp32 master, Adam m and v; HPN SIGCOMM 2024 s2.3 has 30 GB a GPU every 2-4 h",
    )
    interval = Provenance("checkpoint interval", (), "option storage.checkpoint", Trust.ASSUMED)
    seconds = Figure(given.seconds, "s", interval) if given.seconds else None
    total = checkpoint_bytes(shape.model.total_parameters, size)
    return StorageFlow(
        "checkpoint write", Figure(total, "B", why), seconds,
        "burst: every node writes its part at once", Figure(given.interval_s, "s", interval), True,
    )  # fmt: skip


def _restart(shape: Shape) -> StorageFlow:
    broadcast = shape.options.storage.broadcast_restart
    readers = 1 if broadcast else shape.replicas
    weight = shape.options.param_bytes
    why = Provenance(
        "P w x replicas" if not broadcast else "P w, read once and broadcast",
        (_parameters(shape), Input("w", weight, "B"), Input("replicas", readers)),
        "each data-parallel replica reads the same weights",
    )
    total = restart_bytes(shape.model.total_parameters, weight, readers)
    note = f"{readers} readers of the same weights: the worst incast on storage"
    return StorageFlow("restart read", Figure(total, "B", why), None, note)


def _data_set(shape: Shape, iteration: Figure) -> StorageFlow:
    size = shape.options.storage.bytes_per_token
    why = Provenance(
        "tokens x bytes a token",
        (Input("tokens", shape.tokens), Input("bytes a token", size, "B")),
        "int32 token numbers; images and video take 1e3 to 1e5 times as much",
    )
    total = data_set_bytes(shape.tokens, size)
    return StorageFlow(
        "data set read", Figure(total, "B", why), iteration, "spread over the iteration", iteration
    )


def _parameters(shape: Shape) -> Input:
    return Input("P", shape.model.total_parameters, "parameters")
