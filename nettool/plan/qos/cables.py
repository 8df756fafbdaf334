"""The cable length a port is configured with: one the platform has a row for, never shorter."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nettool.core.finding import Finding
from nettool.core.provenance import Figure, Input
from nettool.core.units import format_speed
from nettool.plan.qos.chip import Chip
from nettool.plan.qos.note import error, info
from nettool.plan.qos.ports import PortClass
from nettool.plan.qos.trace import derived

DYNAMIC_MODEL = frozenset({"mellanox", "barefoot"})
"""Kinds of chip for which SONiC computes headroom itself, so that any whole length is legal."""


@dataclass(frozen=True, slots=True)
class Cabled:
    """The length in metres, and what is to be said about it."""

    length: Figure
    finding: Finding | None = None


def cable_for(port: PortClass, chip: Chip) -> Cabled:
    """The length for CABLE_LENGTH: the nearest row not shorter, or the next whole metre.

    A lossless port whose speed or length has no row is an error: the switch would make no
    headroom for it at all.
    """
    asked = Input("cable", port.length, "m", port.origin)
    if chip.table is None or chip.asic.sonic_asic_type in DYNAMIC_MODEL or not port.lossless:
        why = derived("roundup(cable): CABLE_LENGTH takes whole metres", asked)
        return Cabled(Figure(max(1, math.ceil(port.length)), "m", why))
    row = chip.table.row(port.speed, port.length)
    if row is None:
        whole = Figure(math.ceil(port.length), "m", derived("as given", asked))
        return Cabled(whole, _no_row(port, chip))
    rows = Input(f"rows of {chip.table.name}", row.cable, "m")
    why = derived(
        "the shortest row that is not shorter than the cable",
        asked,
        rows,
        source=chip.table.source,
        bound=f"{row.cable} m >= {port.length:g} m",
    )
    length = Figure(row.cable, "m", why)
    return Cabled(length, None if row.cable == port.length else _rounded(port, row.cable, chip))


def _rounded(port: PortClass, cable: int, chip: Chip) -> Finding:
    table = chip.table.name if chip.table else ""
    return info(
        "QOS005",
        f"{format_speed(port.speed)} ports with {port.length:g} m of cable are configured as "
        f"{cable} m: table {table} has no row between",
        "headroom is larger than needed; give a row of the exact length in the overrides file "
        "to save buffer",
        *port.origin.path,
    )


def _no_row(port: PortClass, chip: Chip) -> Finding:
    rows = chip.table.rows if chip.table else ()
    name = chip.table.name if chip.table else ""
    lengths = sorted(each.cable for each in rows if each.speed == port.speed)
    speed = format_speed(port.speed)
    if lengths:
        message = f"no {speed} row for {port.length:g} m in table {name}; longest {lengths[-1]} m"
    else:
        known = ", ".join(format_speed(each) for each in sorted({row.speed for row in rows}))
        message = f"no row for {speed} in table {name}; it has {known or 'none'}"
    return error(
        "QOS004",
        f"{message}: the switch would make no headroom there",
        "use a length and speed of the table, or give the row in the overrides file",
        *port.origin.path,
    )
