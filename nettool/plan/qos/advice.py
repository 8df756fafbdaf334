"""A buffer that does not fit: by how much, and what would."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding
from nettool.core.units import format_speed
from nettool.plan.qos.budget import Budget, Load
from nettool.plan.qos.chip import Chip
from nettool.plan.qos.note import error
from nettool.plan.qos.ports import SwitchClass
from nettool.plan.qos.verdict import named
from nettool.plan.qos.wire import in_cells


def what_would_fit(switch: SwitchClass, budget: Budget, load: Load, chip: Chip) -> Finding:
    """The error of a switch whose headroom does not fit, with the ways out that would work."""
    room = float(budget.headroom) - budget.short
    ways = [*_one_class(load, chip, room), *_shorter(load, chip, room), *_pooled(load, chip, room)]
    hint = "; or ".join(ways) if ways else "use fewer ports, or a switch with more buffer"
    return error(
        "QOS006",
        f"{named(switch)}: {float(budget.headroom):,.0f} B of headroom and "
        f"{float(budget.reserved):,.0f} B reserved do not fit the buffer of "
        f"{float(budget.capacity):,.0f} B: {budget.short:,} B too much",
        hint,
        *("qos", "lossless"),
    )


def _one_class(load: Load, chip: Chip, room: float) -> Iterator[str]:
    if load.priorities > 1:
        single = load.total(float(chip.cell)) / load.priorities
        if single <= room:
            yield f"use one lossless class ({single:,.0f} B of headroom)"


def _shorter(load: Load, chip: Chip, room: float) -> Iterator[str]:
    """The longest cable of the table at which all ports together fit."""
    if chip.table is None:
        return
    for cable in sorted({row.cable for row in chip.table.rows}, reverse=True):
        total = _total_at(load, chip, cable)
        if total is not None and total <= room:
            yield f"use cables of at most {cable} m ({total:,.0f} B of headroom)"
            return


def _total_at(load: Load, chip: Chip, cable: int) -> float | None:
    cells = 0
    for port, headroom in load.headrooms.items():
        length = min(cable, float(headroom.cable))
        row = chip.table.row(port.speed, length) if chip.table else None
        if row is None:
            return None
        cells += load.counts[port] * in_cells(row.xoff, float(chip.cell))
    return load.priorities * cells * float(chip.cell)


def _pooled(load: Load, chip: Chip, room: float) -> Iterator[str]:
    largest = load.largest
    if largest is not None and room >= float(largest.xoff):
        ratio = load.total(float(chip.cell)) / room
        speed = max(format_speed(port.speed) for port in load.headrooms)
        yield (
            f"share one headroom pool (qos.shared_headroom: true): {ratio:.2f}:1 oversubscribed, "
            f"it holds {int(room // float(largest.xoff))} paused {speed} groups at once"
        )
