"""The platform's own pg_profile_lookup.ini: the row of the nearest cable not shorter."""

from __future__ import annotations

from nettool.core.provenance import Figure, Input, Provenance
from nettool.core.units import format_speed
from nettool.plan.qos.variant import VARIANTS, Headroom, HeadroomQuery, Refusal


@VARIANTS.add("table")
def table(query: HeadroomQuery) -> Headroom | Refusal:
    """The published row; nothing is interpolated, because the switch looks rows up exactly."""
    if query.table is None:
        return Refusal(
            f"{query.asic.name} has no headroom table",
            "name one with headroom_table, or choose another variant (sonic, quanta, qbb)",
        )
    row = query.table.row(query.speed, float(query.cable))
    if row is None:
        return _missing(query)
    why = Provenance(
        f"row {row.speed} {row.cable}m of {query.table.name}",
        (Input("speed", query.speed, "Mb/s"), query.cable.as_input("cable")),
        query.table.source,
        query.table.trust,
        f"row cable {row.cable} m >= cable {float(query.cable):g} m",
    )
    offset = None if row.xon_offset is None else Figure(row.xon_offset, "B", why)
    return Headroom(
        cable=Figure(row.cable, "m", why),
        xoff=Figure(row.xoff, "B", why),
        xon=Figure(row.xon, "B", why),
        size=Figure(row.size, "B", why),
        xon_offset=offset,
        threshold=Figure(row.threshold, "", why),
    )


def _missing(query: HeadroomQuery) -> Refusal:
    rows = query.table.rows if query.table else ()
    lengths = [each.cable for each in rows if each.speed == query.speed]
    name = query.table.name if query.table else ""
    speed = format_speed(query.speed)
    if not lengths:
        known = ", ".join(format_speed(each) for each in sorted({row.speed for row in rows}))
        return Refusal(
            f"table {name} has no row for {speed}; it has {known or 'none at all'}",
            "use a listed speed, or give the rows in the overrides file",
        )
    return Refusal(
        f"table {name} has no {speed} row for {float(query.cable):g} m; the longest is "
        f"{max(lengths)} m",
        f"use a cable of at most {max(lengths)} m, or give a row in the overrides file",
    )
