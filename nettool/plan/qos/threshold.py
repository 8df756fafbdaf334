"""Dynamic thresholds: what a queue may take of a shared buffer, T = alpha x what is still free.

Choudhury and Hahne, "Dynamic queue length thresholds" (1998). All sizes in bytes.
"""

from __future__ import annotations

POWERS = range(-8, 8)
"""Values of dynamic_th: alpha is 2 to that power."""


def alpha_of(power: int) -> float:
    """Alpha of a dynamic_th."""
    return float(2.0**power)


def threshold(alpha: float, shared: float, queues: int) -> float:
    """What each of `queues` equally congested queues gets: alpha B / (1 + n alpha)."""
    return alpha * shared / (1 + queues * alpha)


def free(alpha: float, shared: float, queues: int) -> float:
    """What `queues` congested queues leave: B / (1 + n alpha)."""
    return shared / (1 + queues * alpha)


def certain_limit(alpha: float, shared: float, queues: int) -> float:
    """The queue length below which every queue marks before a pause fires: alpha B/(n (1+alpha)).

    Worst case: one ingress feeds all `queues` egress queues. With n x priorities queues and the
    paper's beta for alpha it is the dynamic bound of DCQCN section 4 (SIGCOMM 2015).
    """
    return alpha * shared / (queues * (1 + alpha))


def pause_room(alpha: float, shared: float, queued: float) -> float:
    """The ingress threshold while `queued` bytes are in use, less those bytes.

    Above zero, ECN has marked at that length before the ingress that holds it all is paused.
    """
    return alpha * (shared - queued) - queued


def weakest_power(need: float, total: float, shared: float, queues: int) -> int | None:
    """The smallest dynamic_th that serves ECN, or None where no alpha does.

    Each of `queues` congested queues must reach `need` bytes before a pause, and `total` bytes
    queued from one ingress must not pause it.
    """
    for power in POWERS:
        if serves(power, need, total, shared, queues):
            return power
    return None


def serves(power: int, need: float, total: float, shared: float, queues: int) -> bool:
    """Whether this dynamic_th leaves ECN what it needs; see `weakest_power`."""
    alpha = alpha_of(power)
    return threshold(alpha, shared, queues) >= need and pause_room(alpha, shared, total) > 0
