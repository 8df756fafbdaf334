"""Whether two ports link, and the cable that links them.

On copper both ends need the same speed, FEC, lane count and lane rate. Over fibre what counts
is the line: a module with a gearbox lets 8 lanes of 50G meet 4 lanes of 100G as 400GBASE-DR4,
while a 200G NIC of 4 x 50G and a 2 x 100G child have no line in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nettool.catalog.host import NicModel
from nettool.catalog.optic import Medium, Optic
from nettool.catalog.ports import PortSlot
from nettool.core.units import format_speed


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """One end of a link as the wire sees it; `name` is for messages, `speed` in Mb/s."""

    name: str
    speed: int
    lanes: int
    fec: str
    form_factor: str

    @property
    def lane_rate(self) -> int:
        """Mb/s of one lane."""
        return self.speed // self.lanes

    def __str__(self) -> str:
        rate = format_speed(self.lane_rate)
        return f"{self.name} ({format_speed(self.speed)} as {self.lanes} x {rate}, FEC {self.fec})"


@dataclass(frozen=True, slots=True)
class CableChoice:
    """What links two ends: medium, and the optic at each (the same twice for a fixed cable)."""

    medium: Medium
    a: Optic
    b: Optic


@dataclass(frozen=True, slots=True)
class NoCable:
    """Why two ends cannot be linked."""

    reason: str


def slot_end(slot: PortSlot, form_factor: str) -> LinkEnd:
    """A switch port as a link end; `form_factor` is its cage's."""
    return LinkEnd(slot.name, slot.speed, len(slot.lanes), slot.fec, form_factor)


def nic_ends(nic: NicModel, speed: int | None = None) -> tuple[LinkEnd, ...]:
    """The ways one port of a NIC can run, at `speed` Mb/s (default: its own) first to last."""
    wanted = speed or nic.speed
    return tuple(
        LinkEnd(nic.name, each.speed, each.lanes, each.fec, nic.form_factor)
        for each in nic.links
        if each.speed == wanted
    )


def link_mismatch(a: LinkEnd, b: LinkEnd) -> str | None:
    """Why these two ends do not link lane by lane, or None where they do."""
    if a.speed != b.speed:
        return f"speeds differ: {a} and {b}"
    if a.lanes != b.lanes:
        return f"lane counts and lane rates differ: {a} and {b}"
    if a.fec != b.fec:
        return f"FEC differs: {a} and {b}"
    return None


def cable_for(
    optics: Iterable[Optic], a: LinkEnd, b: LinkEnd, length: float
) -> CableChoice | NoCable:
    """The cheapest cable of at least `length` metres between two ends, or why there is none.

    `optics` are given in the order of preference, as the catalog gives them.
    """
    if a.speed != b.speed or a.fec != b.fec:
        return NoCable(link_mismatch(a, b) or "")
    for_a, for_b = _fitting(optics, a), _fitting(optics, b)
    pairs = [
        CableChoice(left.medium, left, right)
        for left in for_a
        for right in for_b
        if left.line == right.line and left.medium == right.medium
        if left is right or left.medium in ("mmf", "smf")
    ]
    longest = max((_reach(each) for each in pairs), default=None)
    for each in pairs:
        if _reach(each) >= length:
            return each
    if longest is None:
        return NoCable(link_mismatch(a, b) or f"the catalog has no cable for {a} and {b}")
    return NoCable(f"{length:g} m is too long for {a} and {b}: {longest:g} m is the most")


def cable_to_nic(
    optics: Sequence[Optic], nic: NicModel, port: LinkEnd, length: float
) -> CableChoice | NoCable:
    """The cheapest cable between a NIC, in any way it can run, and a switch port."""
    found = [cable_for(optics, each, port, length) for each in nic_ends(nic, port.speed)]
    cables = [each for each in found if isinstance(each, CableChoice)]
    if cables:
        return min(cables, key=lambda each: (each.a.rank, each.b.rank))
    speeds = ", ".join(format_speed(each) for each in sorted({x.speed for x in nic.links}))
    return found[0] if found else NoCable(f"{nic.name} runs at {speeds}, {port} does not")


def _fitting(optics: Iterable[Optic], end: LinkEnd) -> list[Optic]:
    return [
        each
        for each in optics
        if each.speed == end.speed
        and each.host_lanes == end.lanes
        and end.form_factor in each.form_factors
    ]


def _reach(choice: CableChoice) -> float:
    return min(float(choice.a.reach.value), float(choice.b.reach.value))
