"""Ports of a switch by what they face: names for NICs or lower links, and for uplinks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nettool.catalog.ports import PortLayout, PortSlot
from nettool.core.quick import lazy
from nettool.plan.design.cages import Seat, modes_of, seats_in_order
from nettool.plan.design.hardware import TierSwitch
from nettool.plan.design.media import PortKind


@dataclass(frozen=True)
class SwitchPorts:
    """A breakout of one switch model, shared by every switch that has it.

    `down` and `up` are ports in the order in which they are cabled.
    """

    layout: PortLayout
    sku: str
    down: tuple[PortSlot, ...]
    up: tuple[PortSlot, ...]

    @lazy
    def order(self) -> dict[str, int]:
        """Place of each port in the layout, by name."""
        return {each.name: number for number, each in enumerate(self.layout.slots)}


def lay_out(
    switch: TierSwitch, kinds: Sequence[int], uplinks: int, before: Sequence[int] = ()
) -> SwitchPorts:
    """The breakout with ports for `kinds` below, in their order, and `uplinks` above.

    `before` has the numbers of uplinks that there were, oldest first: their ports come first.
    """
    down, up = seats_in_order(switch.cages, kinds, uplinks)
    modes = modes_of(down, up)
    if before:
        older = (each for most in before for each in _last(switch, most))
        up = tuple(dict.fromkeys((*older, *up)))
    model = switch.model
    sku = switch.sku or model.sku_for(modes).name
    layout = model.layout(sku, modes)
    by_cage: dict[int, list[PortSlot]] = {}
    for slot in layout.slots:
        by_cage.setdefault(slot.cage, []).append(slot)
    return SwitchPorts(layout, sku, _slots(by_cage, down), _slots(by_cage, up)[:uplinks])


def _last(switch: TierSwitch, uplinks: int) -> Sequence[Seat]:
    """The seats of so many uplinks on an empty switch."""
    return seats_in_order(switch.cages, (), uplinks)[1][:uplinks]


def port_kind(switch: TierSwitch, slot: PortSlot) -> PortKind:
    """What a port is to a cable."""
    model = switch.model
    form_factor = model.kinds[model.cage_by_number[slot.cage].kind].form_factor
    return PortKind(form_factor, len(slot.lanes))


def _slots(by_cage: dict[int, list[PortSlot]], seats: Sequence[Seat]) -> tuple[PortSlot, ...]:
    return tuple(by_cage[seat.cage][seat.leg] for seat in seats)
