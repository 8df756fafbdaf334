"""A buffer that does not fit, or leaves ECN too little: by how much, and what would do.

Every way out that is offered was laid on the chip first, and fits there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nettool.core.finding import Finding
from nettool.core.provenance import Figure
from nettool.core.units import format_speed
from nettool.plan.qos.budget import LOSSY_POOL, Budget, Load, make_budget
from nettool.plan.qos.chip import LOSSLESS_POOL, Chip
from nettool.plan.qos.note import error, warning
from nettool.plan.qos.ports import PortClass, SwitchClass
from nettool.plan.qos.sharing import Sharing
from nettool.plan.qos.threshold import POWERS, alpha_of, serves, threshold
from nettool.plan.qos.variant import Headroom
from nettool.plan.qos.verdict import named


@dataclass(frozen=True, slots=True)
class Asked:
    """What marking asks of the shared buffer of a switch.

    `kmin` is the largest Kmin of a queue and `total` the Kmins of all `queues`, bytes; `rtt` the
    base round trip that they follow from, us, None where they are given.
    """

    kmin: float
    total: float
    queues: int
    rtt: Figure | None


def what_would_fit(
    switch: SwitchClass, budget: Budget, load: Load, chip: Chip, senders: float = 1.0
) -> Finding:
    """The error of a switch whose headroom does not fit, with the ways out that would work.

    A shared headroom pool must hold the groups that `senders` to one port pause.
    """
    ways = [
        *(text for text, _ in _other_loads(load, chip)),
        *_pooled(load, chip, senders),
        *_smaller_pools(budget, load, chip),
    ]
    hint = "; or ".join(ways) if ways else "use fewer ports, or a switch with more buffer"
    return error(
        "QOS006",
        f"{named(switch)}: {float(budget.headroom):,.0f} B of headroom and "
        f"{float(budget.reserved):,.0f} B reserved do not fit the buffer of "
        f"{float(budget.capacity):,.0f} B: {budget.short:,} B too much",
        hint,
        *("qos", "lossless"),
    )


def what_would_serve(
    switch: SwitchClass, sharing: Sharing, load: Load, chip: Chip, asked: Asked
) -> Finding:
    """The warning of a switch where no alpha lets all queues reach Kmin, with what would do."""
    ways = [
        *_lower_kmin(float(sharing.shared), asked),
        *(text for text, other in _other_loads(load, chip) if _serves(other, load, chip, asked)),
    ]
    each = sharing.each(sharing.queues)
    return warning(
        "QOS015",
        f"{named(switch)}: no dynamic_th from -8 to 7 lets {sharing.queues} congested queues "
        f"reach Kmin {asked.kmin:,.0f} B; each gets {each:,.0f} B",
        "; or ".join(ways) if ways else "use fewer ports, or a switch with more buffer",
        *("qos", "ecn"),
    )


def _other_loads(load: Load, chip: Chip) -> Iterator[tuple[str, Load]]:
    """Loads that ask for less and fit: one class, or the longest cable that does."""
    if load.priorities > 1:
        single = replace(load, priorities=1)
        if _laid(single, chip).fits:
            size = single.total(float(chip.cell))
            yield f"use one lossless class ({size:,} B of headroom)", single
    longest = max((float(each.cable) for each in load.headrooms.values()), default=0.0)
    rows = chip.table.rows if chip.table else ()
    for cable in sorted({row.cable for row in rows if row.cable < longest}, reverse=True):
        nearer = _at(load, chip, cable)
        if nearer is not None and _laid(nearer, chip).fits:
            size = nearer.total(float(chip.cell))
            yield f"use cables of at most {cable} m ({size:,} B of headroom)", nearer
            return


def _at(load: Load, chip: Chip, cable: int) -> Load | None:
    """The same ports with no cable longer than this; None where the table has no such row."""
    nearer: dict[PortClass, Headroom] = {}
    for port, headroom in load.headrooms.items():
        length = min(cable, float(headroom.cable))
        row = chip.table.row(port.speed, length) if chip.table else None
        if row is None:
            return None
        why = headroom.xoff.why
        nearer[port] = replace(
            headroom,
            cable=Figure(row.cable, "m", headroom.cable.why),
            xoff=Figure(row.xoff, "B", why),
            size=Figure(row.size, "B", why),
        )
    return replace(load, headrooms=nearer)


def _pooled(load: Load, chip: Chip, senders: float) -> Iterator[str]:
    largest = load.largest
    pooled = _laid(load, chip, shared_headroom=True)
    if largest is None or not pooled.fits:
        return
    groups = int(float(pooled.set_aside) // float(largest.xoff))
    if groups >= senders * load.priorities:
        speed = format_speed(max(port.speed for port in load.headrooms))
        yield (
            f"share one headroom pool (qos.shared_headroom: true): {pooled.ratio:.2f}:1 "
            f"oversubscribed, it holds {groups} paused {speed} groups at once"
        )


def _smaller_pools(budget: Budget, load: Load, chip: Chip) -> Iterator[str]:
    """The one other pool of the chip, cut to what the lossless groups leave of the buffer."""
    others = [p for p in chip.pools if p.name != LOSSLESS_POOL and p.type != "egress"]
    others = others or [p for p in chip.pools if p.name == LOSSY_POOL]
    needed = float(budget.headroom) + float(budget.reserved) + load.groups * float(chip.cell)
    left = int(float(budget.capacity) - needed) // 2
    if len(others) != 1 or not 0 < left < float(others[0].size):
        return
    cut = replace(others[0], size=Figure(left, "B", others[0].size.why))
    smaller = replace(chip, pools=tuple(cut if p is others[0] else p for p in chip.pools))
    if _laid(load, smaller).fits:
        path = f"asics.{chip.asic.name}.pools.{cut.name}.size"
        yield f"lower {cut.name} to {left:,} B ({path} in the overrides file)"


def _lower_kmin(shared: float, asked: Asked) -> Iterator[str]:
    """The longest round trip that some alpha serves; the largest Kmin where that is given."""
    if asked.rtt is not None:
        part = max(_part(power, shared, asked) for power in POWERS)
        rtt = math.floor(float(asked.rtt) * part * 100) / 100
        if rtt > 0:
            yield f"lower qos.ecn.rtt_us to {rtt:g} (Kmin {asked.kmin * part:,.0f} B at most)"
        return
    flat = replace(asked, total=asked.queues * asked.kmin)
    kmin = math.floor(asked.kmin * max(_part(power, shared, flat) for power in POWERS))
    if kmin > 0:
        yield f"lower Kmin to {kmin:,} B"


def _part(power: int, shared: float, asked: Asked) -> float:
    """How much of the asked thresholds one alpha serves, just below the bound."""
    alpha = alpha_of(power)
    reach = threshold(alpha, shared, asked.queues) / asked.kmin
    pause = alpha * shared / ((1 + alpha) * asked.total)
    return min(reach, pause) * (1 - 1e-6)


def _serves(other: Load, load: Load, chip: Chip, asked: Asked) -> bool:
    part = other.priorities / load.priorities
    queues, total = max(1, round(asked.queues * part)), asked.total * part
    shared = float(_laid(other, chip).shared)
    return any(serves(power, asked.kmin, total, shared, queues) for power in POWERS)


def _laid(load: Load, chip: Chip, *, shared_headroom: bool = False) -> Budget:
    capacity = chip.buffer or Figure(0, "B", chip.cell.why)
    return make_budget(chip, capacity, load, shared_headroom=shared_headroom)
