"""A switch chip as the QoS plan sees it: catalog facts with the operator's own figures on top."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.catalog.asic import Asic, HeadroomRow, HeadroomTable, SharedPool
from nettool.core.provenance import Figure, Trust
from nettool.plan.qos.overrides import AsicOverride, Overrides, RowOverride
from nettool.plan.qos.qos_plan import Pool
from nettool.plan.qos.trace import assumed

_ASSUMED_CELL = 256
LOSSLESS_POOL = "ingress_lossless_pool"
EGRESS_LOSSLESS_POOL = "egress_lossless_pool"


@dataclass(frozen=True, slots=True)
class Chip:
    """Buffer and cell in bytes; `pools` as the reference configuration has them, or empty.

    `includes_xoff`: whether a pool's size holds its xoff (1) or not (0), by chip family.
    `on_box` is the table that the switch itself holds, as far as the catalog knows; `table` the
    one that the plan goes by.
    """

    asic: Asic
    table: HeadroomTable | None
    buffer: Figure | None
    cell: Figure
    includes_xoff: Figure
    pools: tuple[Pool, ...]
    on_box: HeadroomTable | None = None

    @property
    def xoff_is_inside(self) -> bool:
        """True where a pool's size already holds its headroom."""
        return bool(self.includes_xoff.value)


def chip_of(
    asic: Asic,
    table: HeadroomTable | None,
    overrides: Overrides,
    on_box: HeadroomTable | None = None,
) -> Chip:
    """The chip with the overrides of its name."""
    own = overrides.asic(asic.name)
    path = ("asics", asic.name)
    buffer = overrides.figure(own.buffer, "B", *path, "buffer")
    cell = overrides.figure(own.cell, "B", *path, "cell")
    return Chip(
        asic,
        _with_rows(table, own, overrides, asic.name),
        buffer or (asic.buffer.figure if asic.buffer else None),
        cell or (asic.cell.figure if asic.cell else _unknown_cell()),
        _includes_xoff(asic),
        tuple(_pool(each, own, overrides, asic.name) for each in asic.pools),
        on_box,
    )


def _unknown_cell() -> Figure:
    return assumed(_ASSUMED_CELL, "B", "the cell is not public; a large one rounds up the most")


def _includes_xoff(asic: Asic) -> Figure:
    fact = asic.pool_size_includes_xoff
    if fact is None:
        return assumed(0, "", "not published; counting xoff beside the pool asks for more buffer")
    return Figure(int(bool(fact.value)), "", fact.why)


def _with_rows(
    table: HeadroomTable | None, own: AsicOverride, overrides: Overrides, asic: str
) -> HeadroomTable | None:
    """The table with the operator's rows in place of those of the same speed and cable."""
    if not own.headroom:
        return table
    rows = {(row.speed, row.cable): row for row in (table.rows if table else ())}
    rows |= {(each.speed, int(each.cable)): _row(each) for each in own.headroom}
    return HeadroomTable(
        name=f"{table.name} with overrides" if table else f"{asic} overrides",
        about="rows given by the operator",
        source=f"{overrides.file} asics.{asic}.headroom"
        + (f"; other rows: {table.source}" if table else ""),
        trust=table.trust if table else Trust.GIVEN,
        rows=tuple(rows.values()),
    )


def _row(own: RowOverride) -> HeadroomRow:
    return HeadroomRow(
        speed=own.speed,
        cable=int(own.cable),
        size=own.size,
        xon=own.xon,
        xoff=own.xoff,
        threshold=own.threshold,
        xon_offset=own.xon_offset,
    )


def _pool(pool: SharedPool, own: AsicOverride, overrides: Overrides, asic: str) -> Pool:
    mine = own.pools.get(pool.name)
    path = ("asics", asic, "pools", pool.name)
    size = overrides.figure(mine.size, "B", *path, "size") if mine else None
    xoff = overrides.figure(mine.xoff, "B", *path, "xoff") if mine else None
    reference = pool.xoff.figure if pool.xoff and pool.xoff.value else None
    return Pool(pool.name, pool.type, pool.mode, size or pool.size.figure, xoff or reference)
