"""The buffer of one switch, counted in cells: reserved, headroom and what is left to share.

Whether a pool's `size` holds its `xoff` is a property of the chip's family (`Chip.includes_xoff`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from nettool.core.provenance import Figure, Input, Provenance
from nettool.plan.qos.chip import EGRESS_LOSSLESS_POOL, LOSSLESS_POOL, Chip
from nettool.plan.qos.ports import PortClass
from nettool.plan.qos.qos_plan import Pool
from nettool.plan.qos.trace import assumed, derived
from nettool.plan.qos.variant import Headroom
from nettool.plan.qos.wire import in_cells

LOSSY_POOL = "lossy_pool"
"""The one pool of the Teralynx family that counts lossy traffic in both directions."""
_LOSSLESS_PART = 0.75
_RATIO = 2.0


@dataclass(frozen=True, slots=True)
class Load:
    """What the ports of a switch ask of its lossless pool."""

    headrooms: Mapping[PortClass, Headroom]
    counts: Mapping[PortClass, int]
    priorities: int

    @property
    def groups(self) -> int:
        """Lossless priority groups of all cabled ports."""
        return self.priorities * sum(self.counts[each] for each in self.headrooms)

    @property
    def bytes(self) -> float:
        """Headroom of all groups, before it is rounded to cells."""
        return self.priorities * sum(
            self.counts[each] * float(headroom.xoff) for each, headroom in self.headrooms.items()
        )

    def total(self, cell: float) -> int:
        """Headroom of all groups in bytes, each rounded up to whole cells."""
        cells = (
            self.counts[each] * in_cells(float(headroom.xoff), cell)
            for each, headroom in self.headrooms.items()
        )
        return round(self.priorities * sum(cells) * cell)

    def reserved(self, cell: float) -> int:
        """What all groups own outright in bytes, in whole cells; headroom is not in it."""
        cells = (
            self.counts[each] * in_cells(own_size(headroom), cell)
            for each, headroom in self.headrooms.items()
        )
        return round(self.priorities * sum(cells) * cell)

    @property
    def largest(self) -> Headroom | None:
        """The largest headroom of one group."""
        return max(self.headrooms.values(), key=lambda each: float(each.xoff), default=None)


@dataclass(frozen=True, slots=True)
class Budget:
    """Bytes. `headroom` is the sum of all groups, `set_aside` what the pool holds for it.

    `shared` is what thresholds divide; `short` how much is missing (0 where it fits); `ratio`
    headroom over what is set aside: above 1 the headroom is oversubscribed.
    """

    pools: tuple[Pool, ...]
    reserved: Figure
    headroom: Figure
    set_aside: Figure
    shared: Figure
    used: Figure
    capacity: Figure
    short: int

    @property
    def fits(self) -> bool:
        """True where everything has its place."""
        return self.short == 0

    @property
    def ratio(self) -> float:
        """Headroom oversubscription."""
        return float(self.headroom) / float(self.set_aside) if self.set_aside.value else 1.0

    def pool(self, name: str) -> Pool | None:
        """A pool by name."""
        return next((each for each in self.pools if each.name == name), None)


def own_size(headroom: Headroom) -> float:
    """What a priority group owns besides headroom: `size`, less xoff where size holds it."""
    if headroom.size is None:
        return 0.0
    return without_xoff(float(headroom.size), float(headroom.xoff))


def without_xoff(size: float, xoff: float) -> float:
    """A group's size less its headroom, where the size holds it."""
    return size - xoff if size >= xoff else size


def make_budget(chip: Chip, capacity: Figure, load: Load, *, shared_headroom: bool) -> Budget:
    """Lay the load on the chip's reference pools, or on derived ones where it has none.

    Headroom is dedicated while it fits what the reference sets aside; a larger sum takes from
    the shared part, unless `shared_headroom` lets ports share one smaller pool. Where a smaller
    buffer cannot hold what the reference sets aside, the sum of headroom alone is set aside.
    """
    pools = tuple(map(_typed, chip.pools)) or _derived_pools(capacity)
    pool = next(each for each in pools if each.name == LOSSLESS_POOL)
    headroom = _sum_of_headroom(chip, load)
    set_aside = _set_aside(pool, headroom, load, shared_headroom=shared_headroom)
    laid = _laid(chip, capacity, load, pools, set_aside)
    if laid.fits or shared_headroom or float(headroom) >= float(set_aside):
        return laid
    return _laid(chip, capacity, load, pools, headroom)


def _laid(
    chip: Chip, capacity: Figure, load: Load, pools: tuple[Pool, ...], set_aside: Figure
) -> Budget:
    """The pools with this much of the lossless one set aside for headroom."""
    cell = float(chip.cell)
    pool = next(each for each in pools if each.name == LOSSLESS_POOL)
    reserved = _reserved(chip, load)
    resized = _with_xoff(_within(pool, pools, set_aside, chip, capacity), set_aside)
    planned = tuple(resized if each is pool else each for each in pools)
    inside = float(set_aside) if chip.xoff_is_inside else 0.0
    room = float(resized.size) - float(reserved) - inside
    shared = max(0, int(room // cell * cell))
    used = _used(planned, set_aside, chip)
    least = load.groups * cell
    short = max(0.0, least - room, float(used) - float(capacity))
    return Budget(
        planned,
        reserved,
        _sum_of_headroom(chip, load),
        set_aside,
        Figure(shared, "B", _shared_why(chip, resized, reserved, set_aside)),
        used,
        capacity,
        round(short),
    )


def _typed(pool: Pool) -> Pool:
    """The pool as both directions use it: the one lossy pool of Teralynx counts both."""
    return replace(pool, type="both") if pool.name == LOSSY_POOL else pool


def _counts_arrivals(pool: Pool) -> bool:
    return pool.type in ("ingress", "both")


def _within(
    pool: Pool, pools: tuple[Pool, ...], set_aside: Figure, chip: Chip, capacity: Figure
) -> Pool:
    """The lossless pool, cut where it would not fit the chip beside the other pools."""
    others = [each for each in pools if each is not pool and _counts_arrivals(each)]
    outside = 0.0 if chip.xoff_is_inside else float(set_aside)
    left = float(capacity) - sum(float(each.size) for each in others) - outside
    if float(pool.size) <= left:
        return pool
    why = derived(
        "buffer - other pools - headroom beside the pool: the reference size does not fit",
        capacity.as_input("buffer"),
        *(each.size.as_input(each.name) for each in others),
        set_aside.as_input("headroom"),
        pool.size.as_input("reference size"),
    )
    return replace(pool, size=Figure(max(0, int(left)), "B", why))


def _derived_pools(capacity: Figure) -> tuple[Pool, ...]:
    part = assumed(_LOSSLESS_PART, "", "three quarters lossless, as the public references split it")
    lossless = derived("buffer x part", capacity.as_input("buffer"), part.as_input("part"))
    lossy = derived("buffer x (1 - part)", capacity.as_input("buffer"), part.as_input("part"))
    own = int(float(capacity) * _LOSSLESS_PART)
    return (
        Pool(LOSSLESS_POOL, "ingress", "dynamic", Figure(own, "B", lossless), None),
        Pool(LOSSY_POOL, "both", "dynamic", Figure(int(float(capacity)) - own, "B", lossy), None),
        Pool(EGRESS_LOSSLESS_POOL, "egress", "static", capacity, None),
    )


def _sum_of_headroom(chip: Chip, load: Load) -> Figure:
    inputs = [
        Input(f"{load.counts[each]} ports {each.speed // 1000}G {each.length:g} m",
              headroom.xoff.value, "B", why=headroom.xoff.why)
        for each, headroom in load.headrooms.items()
    ]  # fmt: skip
    why = derived(
        "sum over ports of lossless priorities x xoff, in whole cells",
        Input("lossless priorities", load.priorities),
        chip.cell.as_input("cell"),
        *inputs,
    )
    return Figure(load.total(float(chip.cell)), "B", why)


def _reserved(chip: Chip, load: Load) -> Figure:
    sizes = [each.size.as_input("size") for each in load.headrooms.values() if each.size]
    why = derived(
        "sum over ports of lossless priorities x size (without headroom), in whole cells",
        chip.cell.as_input("cell"),
        *sizes,
    )
    return Figure(load.reserved(float(chip.cell)), "B", why)


def _set_aside(pool: Pool, headroom: Figure, load: Load, *, shared_headroom: bool) -> Figure:
    if pool.xoff and (float(headroom) <= float(pool.xoff) or shared_headroom):
        return pool.xoff
    if not shared_headroom or load.largest is None:
        return headroom
    ratio = assumed(_RATIO, "", "no more than half of all priority groups are paused at once")
    largest = load.largest.xoff
    why = derived(
        "max(sum of headroom / oversubscription, largest xoff)",
        headroom.as_input("sum of headroom"),
        ratio.as_input("oversubscription"),
        largest.as_input("largest xoff"),
    )
    return Figure(int(max(float(headroom) / _RATIO, float(largest))), "B", why)


def _with_xoff(pool: Pool, set_aside: Figure) -> Pool:
    """The pool with its xoff, where the reference has one or ports share their headroom."""
    if pool.xoff is None and "oversubscription" not in set_aside.why.formula:
        return pool
    return replace(pool, xoff=set_aside)


def _used(pools: tuple[Pool, ...], set_aside: Figure, chip: Chip) -> Figure:
    inward = [each for each in pools if _counts_arrivals(each)]
    inputs = [each.size.as_input(each.name) for each in inward]
    outside = 0.0
    if not chip.xoff_is_inside:
        outside = float(set_aside)
        inputs.append(set_aside.as_input("headroom beside the pool"))
    value = sum(float(each.size) for each in inward) + outside
    why = derived(
        "sum of the pools that count arriving traffic",
        chip.includes_xoff.as_input("size holds xoff"),
        *inputs,
    )
    return Figure(round(value), "B", why)


def _shared_why(chip: Chip, pool: Pool, reserved: Figure, set_aside: Figure) -> Provenance:
    inputs = [pool.size.as_input("pool size"), reserved.as_input("reserved")]
    inputs += [set_aside.as_input("headroom")] if chip.xoff_is_inside else []
    return derived(
        f"pool size - reserved{' - headroom' if chip.xoff_is_inside else ''}, in whole cells",
        *inputs,
        chip.includes_xoff.as_input("size holds xoff"),
        chip.cell.as_input("cell"),
        bound="B > 0",
    )
