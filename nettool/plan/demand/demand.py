"""What training jobs send, before any topology is known: bytes per dimension and class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import prod

from nettool.core.provenance import Figure, Origin


class Dimension(StrEnum):
    """A parallel dimension of a job."""

    TP = "tp"
    CP = "cp"
    EP = "ep"
    DP = "dp"
    PP = "pp"


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a group of ranks: `size` members, `stride` ranks apart."""

    stride: int
    size: int


@dataclass(frozen=True, slots=True)
class Flow:
    """What one GPU sends along one dimension in one iteration.

    `bytes_per_gpu` is a whole number of bytes (a fraction of a byte is rounded up once, here);
    `message` the bytes of one message; `messages` how many an iteration; `pattern` ring,
    pairwise (PP neighbours), ends (first and last stage) or all-to-all; `peers` how many GPUs one
    GPU talks to in it. For PP it is the middle stage's.
    """

    dimension: Dimension
    pattern: str
    collective: str
    bytes_per_gpu: Figure
    message: Figure
    messages: int
    peers: int
    name: str = ""
    """What is sent: activations, gradients, expert gradients, tokens, keys and values, …"""
    algorithm: str = "ring"
    """ring, flat-ring, halving- or recursive-doubling, tree, in-network, direct, 1f1b or pair."""
    group: tuple[Axis, ...] = ()
    """The ranks of one group: axes, innermost first."""
    interleave: int = 1
    """PP: stages a rank holds; the wrap-around hop carries one less."""
    node_limit: tuple[int, int] = (1, 1)
    """EP: of so many copies (second), those that cross NICs (first) under node-limited routing."""
    traffic_class: str = ""
    """Name of the lossless class it rides in."""
    group_bytes: int = 0
    """All that the members of one group send, exact."""

    @property
    def members(self) -> int:
        """GPUs in one group."""
        return prod(axis.size for axis in self.group)


@dataclass(frozen=True, slots=True)
class StorageFlow:
    """Traffic with storage: checkpoint write, restart read, data set read (cluster-wide bytes)."""

    name: str
    bytes_total: Figure
    seconds: Figure | None
    note: str
    period: Figure | None = None
    """Seconds from one to the next, None where it is not periodic."""
    to_storage: bool = False
    """True for a write."""


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
    pxn: bool = True
    """Whether messages to another rail move over NVLink to the GPU of that rail first."""
    evaluation: tuple[Flow, ...] = ()
    """One evaluation step: forward only, no gradients."""
    storage_servers: int | None = None
    """Servers that share the storage traffic; None where not given."""
    axes: Mapping[Dimension, Axis] = field(default_factory=dict)
    """Where each dimension's coordinate lies in a rank."""

    def flows_of(self, dimension: Dimension) -> tuple[Flow, ...]:
        """All flows of one dimension: DP has two where experts have their own, or in HSDP."""
        return tuple(each for each in self.flows if each.dimension is dimension)

    def flow(self, dimension: Dimension) -> Flow | None:
        """The flow of one dimension, None where its degree is 1."""
        return next((each for each in self.flows if each.dimension is dimension), None)


@dataclass(frozen=True, slots=True)
class Demand:
    """The demand of all jobs of a fabric."""

    jobs: tuple[JobDemand, ...]
    gpus_in_fabric: int
    gpus_per_node: int
    scale_up: Figure | None = None
    """Bandwidth of one GPU inside its node, GB/s in each direction."""
    target_utilisation: float = 1.0
    """The part of an uplink that may be planned for."""
    classes: tuple[str, ...] = ()
    """Names of the lossless classes, in the intent's order."""
