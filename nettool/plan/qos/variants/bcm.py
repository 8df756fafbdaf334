"""A fit to the published rows of one Broadcom Tomahawk 5 box: a constant and a slope."""

from __future__ import annotations

from nettool.core.provenance import Figure, Trust
from nettool.plan.qos.trace import derived, looked_up
from nettool.plan.qos.variant import VARIANTS, Headroom, HeadroomQuery, Refusal
from nettool.plan.qos.wire import round_trip

_SOURCE = "fitted to sonic-buildimage 086b03bd Dell-Z9864f-O64/pg_profile_lookup.ini"
_CONSTANT = {100_000: 145_170, 200_000: 225_570, 400_000: 385_608, 800_000: 714_405}
_CELL, _SMALLEST_ON_WIRE = 254, 84


@VARIANTS.add("bcm")
def bcm(query: HeadroomQuery) -> Headroom | Refusal:
    """K(speed) + (254/84) x 2 cable: every byte in flight in 254 B cells of 84 B packets.

    Within 0.05 % of the 12 published cells of 100G to 800G.
    """
    constant = _CONSTANT.get(query.speed)
    if constant is None:
        known = ", ".join(f"{each // 1000}G" for each in _CONSTANT)
        return Refusal(
            f"the Tomahawk 5 fit holds for {known}, not {query.speed // 1000}G",
            "choose variant table, or a fitted speed",
        )
    cable = round_trip(query.speed, query.cable)
    fixed = Figure(constant, "B", looked_up("fitted constant K", _SOURCE, Trust.INFERRED))
    why = derived(
        "K + 254/84 x 2 cable",
        fixed.as_input("K"),
        cable.as_input("2 cable"),
        source=_SOURCE,
    )
    value = constant + _CELL / _SMALLEST_ON_WIRE * float(cable)
    return Headroom(cable=query.cable, xoff=Figure(value, "B", why))
