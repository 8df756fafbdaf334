"""Who sends to whom inside a group, by algorithm, for members numbered 0 to G-1.

Bytes are whole. The all-to-all is not listed here (it has G (G-1) pairs): each member sends the
same to each other one. Nor is in-network reduction, whose other end is a switch.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from nettool.plan.demand.demand import Flow

Edge = tuple[int, int, int]
"""From member, to member, bytes."""


def edges(flow: Flow) -> list[Edge]:
    """Every edge of one group of a flow."""
    if flow.pattern == "pairwise":
        return _pipeline(flow)
    if flow.pattern == "ends":
        last, sent = flow.members - 1, int(flow.bytes_per_gpu)
        return [(0, last, sent), (last, 0, sent)]
    forms = {
        "halving-doubling": _halving_doubling,
        "recursive-doubling": _recursive_doubling,
        "tree": _trees,
    }
    return forms.get(flow.algorithm, _ring)(flow)


def group_bytes(flow: Flow) -> int:
    """All that one group sends, without listing its edges."""
    members, sent = flow.members, int(flow.bytes_per_gpu)
    if flow.pattern == "pairwise":
        hop, wrap = pipeline_hops(flow)
        back = 1 if flow.collective == "send-forward" else 2
        return back * ((members - 1) * hop + wrap)
    if flow.pattern == "ends":
        return 2 * sent
    if flow.algorithm == "tree":
        return 4 * (members - 1) * tree_link(flow)
    return members * sent


def pipeline_hops(flow: Flow) -> tuple[int, int]:
    """Bytes one direction of a stage boundary carries, and of the wrap-around hop."""
    each = flow.messages * int(flow.message)
    hop = each if flow.collective == "send-forward" else each // 2
    return hop, hop // flow.interleave * (flow.interleave - 1)


def tree_link(flow: Flow) -> int:
    """Bytes one direction of a link of one of the two trees carries: S/2."""
    members = flow.members
    return ceil(Fraction(int(flow.bytes_per_gpu) * members, 4 * (members - 1)))


def halves(flow: Flow) -> list[int]:
    """Bytes a member exchanges at distance 1, 2, 4, …: the largest with the nearest."""
    members, sent = flow.members, int(flow.bytes_per_gpu)
    whole = Fraction(sent * members, members - 1)
    later = [ceil(whole / 2 ** (step + 1)) for step in range(1, members.bit_length() - 1)]
    return [sent - sum(later), *later]


def _ring(flow: Flow) -> list[Edge]:
    members, sent = flow.members, int(flow.bytes_per_gpu)
    return [(k, (k + 1) % members, sent) for k in range(members)]


def _pipeline(flow: Flow) -> list[Edge]:
    hop, wrap = pipeline_hops(flow)
    members = flow.members
    forward = [(k, k + 1, hop) for k in range(members - 1)]
    if wrap:
        forward.append((members - 1, 0, wrap))
    if flow.collective == "send-forward":
        return forward
    return forward + [(b, a, sent) for a, b, sent in forward]


def _halving_doubling(flow: Flow) -> list[Edge]:
    steps = enumerate(halves(flow))
    return [(k, k ^ 1 << step, sent) for step, sent in steps for k in range(flow.members)]


def _recursive_doubling(flow: Flow) -> list[Edge]:
    count = flow.members.bit_length() - 1
    sent = int(flow.bytes_per_gpu) // count
    return [(k, k ^ 1 << step, sent) for step in range(count) for k in range(flow.members)]


def _trees(flow: Flow) -> list[Edge]:
    """Two binary trees, the second mirrored, each with half of the data up and down."""
    members, sent = flow.members, tree_link(flow)
    pairs = [(k, _parent(k, members)) for k in range(1, members)]
    pairs += [(members - 1 - k, members - 1 - parent) for k, parent in pairs]
    return [edge for k, up in pairs for edge in ((k, up, sent), (up, k, sent))]


def _parent(member: int, members: int) -> int:
    """The parent in NCCL's in-order binary tree; 0 is the root."""
    bit = member & -member
    parent = (member ^ bit) | (bit << 1)
    return parent if parent < members else member ^ bit
