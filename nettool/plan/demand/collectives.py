"""What each collective sends: bytes a GPU and serial steps, exact, by operation and algorithm.

`size` is the whole unsharded buffer in bytes (all-to-all: one GPU's send buffer), `gpus` the
size of the group. Bytes are exact fractions of a byte: a shard need not be a whole number.
NCCL's bus-bandwidth factors are the same numbers divided by the buffer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from nettool.core.errors import UsageError

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Collective:
    """Bytes one GPU sends and the serial steps; `nic` and `nvlink` where two levels part them."""

    bytes_per_gpu: Fraction
    steps: int
    formula: str
    approximate: bool = False
    nic: Fraction | None = None
    nvlink: Fraction | None = None


def collective(
    op: str, algorithm: str, gpus: int, size: Number, node_size: int | None = None
) -> Collective:
    """One collective's cost. Raises UsageError for a pair that has no formula."""
    if algorithm == "hierarchical" and op in _TWO_LEVEL:
        return _hierarchical(op, gpus, Fraction(size), _node_size(gpus, node_size))
    form = _FLAT.get((op, algorithm))
    if form is None:
        raise UsageError(f"no formula for {op} by {algorithm}: legal pairs are {legal_pairs()}")
    return form(gpus, Fraction(size))


def algorithms(op: str) -> tuple[str, ...]:
    """The algorithms that have a formula for one operation."""
    flat = tuple(algorithm for each, algorithm in _FLAT if each == op)
    return (*flat, "hierarchical") if op in _TWO_LEVEL else flat


def legal_pairs() -> str:
    """The pairs of operation and algorithm that have a formula, for messages."""
    return "; ".join(f"{op}: {', '.join(algorithms(op))}" for op in OPERATIONS)


OPERATIONS = ("all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast")
ALGORITHMS = (
    "ring", "tree", "halving-doubling", "hierarchical", "in-network",
    "recursive-doubling", "direct",
)  # fmt: skip


def part(gpus: int) -> Fraction:
    """(G-1)/G: what leaves a GPU when everything but its own share does."""
    return Fraction(gpus - 1, gpus)


def _node_size(gpus: int, node_size: int | None) -> int:
    if not node_size:
        raise UsageError("hierarchical needs the node size: GPUs that one node holds")
    if gpus % node_size:
        raise UsageError(f"{gpus} GPUs are not a whole number of nodes of {node_size}")
    return node_size


def _log2(gpus: int, algorithm: str) -> int:
    steps = gpus.bit_length() - 1
    if 1 << steps != gpus:
        raise UsageError(f"{algorithm} needs a power of two, not {gpus} GPUs")
    return steps


def _ring_all_reduce(gpus: int, size: Fraction) -> Collective:
    return Collective(2 * part(gpus) * size, 2 * (gpus - 1), "2 (G-1)/G S; 2 (G-1) steps")


def _tree_all_reduce(gpus: int, size: Fraction) -> Collective:
    steps = 2 * (gpus - 1).bit_length()
    sent = 2 * size if gpus > 1 else Fraction(0)
    return Collective(sent, steps, "about 2 S (inner nodes of a double tree); 2 log2 G steps", True)


def _halving_doubling(gpus: int, size: Fraction) -> Collective:
    steps = 2 * _log2(gpus, "halving-doubling")
    return Collective(2 * part(gpus) * size, steps, "2 (G-1)/G S; 2 log2 G steps")


def _recursive_doubling(gpus: int, size: Fraction) -> Collective:
    steps = _log2(gpus, "recursive-doubling")
    return Collective(size * steps, steps, "S log2 G; log2 G steps")


def _in_network(gpus: int, size: Fraction) -> Collective:
    if gpus == 1:
        return Collective(Fraction(0), 0, "nothing to reduce")
    return Collective(size, 2, "S up to the switch, S down; 2 steps")


def _ring_part(gpus: int, size: Fraction) -> Collective:
    return Collective(part(gpus) * size, gpus - 1, "(G-1)/G S; G-1 steps")


def _halving(gpus: int, size: Fraction) -> Collective:
    return Collective(part(gpus) * size, _log2(gpus, "halving-doubling"), "(G-1)/G S; log2 G steps")


def _direct_all_to_all(gpus: int, size: Fraction) -> Collective:
    return Collective(part(gpus) * size, min(1, gpus - 1), "(G-1)/G S; 1 step")


def _ring_broadcast(gpus: int, size: Fraction) -> Collective:
    sent = size if gpus > 1 else Fraction(0)
    return Collective(sent, gpus - 1, "S, pipelined along the ring; G-1 steps")


def _tree_broadcast(gpus: int, size: Fraction) -> Collective:
    sent = size if gpus > 1 else Fraction(0)
    formula = "about S (half of the nodes forward each half); log2 G steps"
    return Collective(sent, (gpus - 1).bit_length(), formula, True)


def _hierarchical(op: str, gpus: int, size: Fraction, node: int) -> Collective:
    """Reduce-scatter in the node, the collective over nodes on 1/g, all-gather in the node."""
    nodes = gpus // node
    passes = 2 if op == "all-reduce" else 1
    nvlink = passes * part(node) * size
    nic = passes * part(nodes) * size / node
    steps = passes * (node - 1 + nodes - 1)
    formula = (
        "NVLink 2 (g-1)/g S + NIC 2 (n-1)/n S/g; 2 (g-1) + 2 (n-1) steps"
        if passes == 2
        else "NVLink (g-1)/g S + NIC (n-1)/n S/g; (g-1) + (n-1) steps"
    )
    return Collective(nvlink + nic, steps, formula, nic=nic, nvlink=nvlink)


_TWO_LEVEL = ("all-reduce", "reduce-scatter", "all-gather")
_FLAT: dict[tuple[str, str], Callable[[int, Fraction], Collective]] = {
    ("all-reduce", "ring"): _ring_all_reduce,
    ("all-reduce", "tree"): _tree_all_reduce,
    ("all-reduce", "halving-doubling"): _halving_doubling,
    ("all-reduce", "recursive-doubling"): _recursive_doubling,
    ("all-reduce", "in-network"): _in_network,
    ("reduce-scatter", "ring"): _ring_part,
    ("reduce-scatter", "halving-doubling"): _halving,
    ("all-gather", "ring"): _ring_part,
    ("all-gather", "halving-doubling"): _halving,
    ("all-to-all", "ring"): _ring_part,
    ("all-to-all", "direct"): _direct_all_to_all,
    ("broadcast", "ring"): _ring_broadcast,
    ("broadcast", "tree"): _tree_broadcast,
}
