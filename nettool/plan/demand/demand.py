"""What training jobs send, before any topology is known: bytes per dimension and class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from nettool.core.provenance import Figure, Origin


class Dimension(StrEnum):
    """A parallel dimension of a job."""

    TP = "tp"
    CP = "cp"
    EP = "ep"
    DP = "dp"
    PP = "pp"


@dataclass(frozen=True, slots=True)
class Flow:
    """What one GPU sends along one dimension in one iteration.

    `bytes_per_gpu` is exact (an integer where the formula is exact); `message` the bytes of one
    message; `messages` how many an iteration; `pattern` ring, pairwise (PP neighbours) or
    all-to-all; `peers` how many GPUs one GPU talks to in it. For PP it is the middle stage's.
    """

    dimension: Dimension
    pattern: str
    collective: str
    bytes_per_gpu: Figure
    message: Figure
    messages: int
    peers: int


@dataclass(frozen=True, slots=True)
class StorageFlow:
    """Traffic with storage: checkpoint write, restart read, data set read (cluster-wide bytes)."""

    name: str
    bytes_total: Figure
    seconds: Figure | None
    note: str


@dataclass(frozen=True, slots=True)
class JobDemand:
    """One job's demand."""

    name: str
    model: str
    parameters: Figure
    gpus: int
    degrees: Mapping[Dimension, int]
    order: tuple[Dimension, ...]
    """Innermost first: the order in which ranks are laid out."""
    microbatches: int
    iteration: Figure
    """Seconds of one iteration, assumed from MFU unless measured."""
    flows: tuple[Flow, ...]
    storage: tuple[StorageFlow, ...]
    placement: tuple[str, ...] | str
    """`contiguous`, `fragmented`, or node names."""
    qps_per_peer: int
    origin: Origin

    def flow(self, dimension: Dimension) -> Flow | None:
        """The flow of one dimension, None where its degree is 1."""
        return next((each for each in self.flows if each.dimension is dimension), None)


@dataclass(frozen=True, slots=True)
class Demand:
    """The demand of all jobs of a fabric."""

    jobs: tuple[JobDemand, ...]
    gpus_in_fabric: int
    gpus_per_node: int
