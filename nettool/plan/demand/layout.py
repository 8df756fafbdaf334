"""Which ranks form a group: the axes of every dimension in the order ranks are laid out.

rank = sum of coordinate x stride, innermost first. TP, CP, DP and PP multiply to the GPUs; EP is
a factor taken out of what the experts are replicated over (the rest of TP, CP, DP), from its
inner end, or from its outer end where the order names ep after dp. What is left replicates the
experts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd

from nettool.plan.demand.demand import Axis, Dimension
from nettool.plan.demand.shape import Shape

DEFAULT_ORDER = (Dimension.TP, Dimension.CP, Dimension.EP, Dimension.DP, Dimension.PP)
Axes = tuple[Axis, ...]


@dataclass(frozen=True, slots=True)
class Groups:
    """Ranks that talk to each other: the axes of every dimension, and of the experts' two."""

    axes: Mapping[Dimension, Axis]
    experts: Axes = ()
    expert_replicas: Axes = ()


def job_groups(shape: Shape) -> Groups | None:
    """The groups of every dimension; None where EP does not divide what it is taken from."""
    order = full_order(shape.options.order)
    axes = rank_axes(shape, order)
    parts = expert_axes(shape, axes, order)
    return Groups(axes, *parts) if parts else None


def full_order(given: tuple[Dimension, ...] | None) -> tuple[Dimension, ...]:
    """The order with every dimension once; those not named follow in the default order."""
    named = tuple(dict.fromkeys(given or DEFAULT_ORDER))
    return named + tuple(each for each in DEFAULT_ORDER if each not in named)


def rank_axes(shape: Shape, order: tuple[Dimension, ...]) -> dict[Dimension, Axis]:
    """The axis of TP, CP, DP and PP in a rank."""
    sizes = {
        Dimension.TP: shape.tp, Dimension.CP: shape.cp,
        Dimension.DP: shape.dp, Dimension.PP: shape.pp,
    }  # fmt: skip
    axes, stride = {}, 1
    for dimension in order:
        if dimension in sizes:
            axes[dimension] = Axis(stride, sizes[dimension])
            stride *= sizes[dimension]
    return axes


def replica_axes(axes: Mapping[Dimension, Axis]) -> Axes:
    """The axes over which dense parameters are replicated: CP and DP, innermost first."""
    return _cleaned([axes[Dimension.CP], axes[Dimension.DP]])


def expert_axes(
    shape: Shape, axes: Mapping[Dimension, Axis], order: tuple[Dimension, ...]
) -> tuple[Axes, Axes] | None:
    """Axes of EP, and of the replicas of experts; None where EP does not divide them."""
    tensor = axes[Dimension.TP]
    left = Axis(tensor.stride * shape.expert_tp, tensor.size // shape.expert_tp)
    pool = _cleaned([left, axes[Dimension.CP], axes[Dimension.DP]])
    outer = order.index(Dimension.EP) > order.index(Dimension.DP)
    return split(pool, shape.ep, from_outer=outer)


def split(pool: Axes, size: int, *, from_outer: bool = False) -> tuple[Axes, Axes] | None:
    """`size` members taken out of a pool of axes, and the axes left; None where it cannot be."""
    taken, left = [], []
    for axis in reversed(pool) if from_outer else pool:
        factor = gcd(size, axis.size)
        if size > 1 and factor not in (size, axis.size):
            return None
        rest = axis.size // factor
        if from_outer:
            taken.append(Axis(axis.stride * rest, factor))
            left.append(Axis(axis.stride, rest))
        else:
            taken.append(Axis(axis.stride, factor))
            left.append(Axis(axis.stride * factor, rest))
        size //= factor
    return (_cleaned(taken), _cleaned(left)) if size == 1 else None


def _cleaned(axes: list[Axis]) -> Axes:
    """Without axes of one member, innermost first, neighbours joined into one."""
    joined: list[Axis] = []
    for axis in sorted(axes, key=lambda each: each.stride):
        if axis.size == 1:
            continue
        if joined and joined[-1].stride * joined[-1].size == axis.stride:
            joined[-1] = Axis(joined[-1].stride, joined[-1].size * axis.size)
        else:
            joined.append(axis)
    return tuple(joined)
