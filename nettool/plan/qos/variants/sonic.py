"""The formula SONiC runs on the switch for NVIDIA Spectrum (dynamic buffer model)."""

from __future__ import annotations

import math

from nettool.catalog.asic import HeadroomTerms
from nettool.core.provenance import Figure
from nettool.plan.qos.trace import derived
from nettool.plan.qos.variant import (
    VARIANTS,
    Headroom,
    HeadroomQuery,
    Refusal,
    no_response,
)
from nettool.plan.qos.wire import SONIC_HEADROOM, response, round_trip_sonic

_KIB = 1024
_SMALLEST = 64
_SLACK = 2048


@VARIANTS.add("sonic")
def sonic(query: HeadroomQuery) -> Headroom | Refusal:
    """Give xoff = roundup(L + occ x (MTU + 2 cable + MAC/PHY + response + tile)), to 1 KiB.

    L is the lossless MTU and occ the cell inflation of small packets. Reproduces 60 of 60
    published cells of Spectrum-1, -3 and -4 (MSN2700, MSN4700, SN5600).
    """
    terms = query.asic.headroom_terms
    if terms is None:
        return Refusal(
            f"the headroom terms of {query.asic.name} (cell, pipeline, delays) are not public",
            "choose variant table, quanta or qbb",
        )
    delay = _delay(query, terms)
    if delay is None:
        return no_response(query.speed)
    inflation = _inflation(query, terms)
    xoff = _xoff(query, terms, delay, inflation)
    xon = _xon(query, terms)
    return Headroom(
        cable=query.cable, xoff=xoff, xon=xon, size=_size(query, xoff, xon) if xon else None
    )


def occupancy(cell: float, small: float, mtu: float, *, rounds_up: bool) -> float:
    """How much larger a burst is in cells than on the wire, `small` percent of it 64 B packets."""
    worst = cell / 64 if cell > 128 else 2 * cell / (1 + cell)
    if rounds_up:
        worst = math.ceil(worst)
    share = 100 * _SMALLEST / ((small * _SMALLEST + (100 - small) * mtu) / 100)
    return (100 - share + share * worst) / 100


def _delay(query: HeadroomQuery, terms: HeadroomTerms) -> Figure | None:
    peer = terms.peer_response.figure if terms.peer_response else response(query.speed)
    if peer is None:
        return None
    cable = round_trip_sonic(query.speed, query.cable)
    phy = terms.mac_phy_delay.figure if terms.mac_phy_delay else None
    tile = float(terms.tile_per_gbps.figure) if terms.tile_per_gbps else 0.0
    inputs = [query.mtu.as_input("port MTU"), cable.as_input("2 cable"), peer.as_input("response")]
    inputs += [phy.as_input("MAC/PHY")] if phy else []
    inputs += [terms.tile_per_gbps.as_input("tile a Gb/s")] if terms.tile_per_gbps else []
    parts = (query.mtu, cable, peer, *((phy,) if phy else ()))
    value = sum(map(float, parts)) + tile * query.speed / 1000
    formula = "port MTU + 2 cable + MAC/PHY + response + tile x Gb/s"
    return Figure(value, "B", derived(formula, *inputs, source=SONIC_HEADROOM))


def _inflation(query: HeadroomQuery, terms: HeadroomTerms) -> Figure:
    cell, small, mtu = terms.cell.figure, query.small_packets, query.lossless_mtu
    rounds_up = terms.rounds_worst_factor
    value = occupancy(float(cell), float(small), float(mtu), rounds_up=rounds_up)
    why = derived(
        "(100 - s + s x f)/100; s = 6400/((p x 64 + (100 - p) x L)/100); f = cell/64 above 128 B, "
        f"else 2 cell/(1 + cell){', rounded up' if rounds_up else ''}",
        terms.cell.as_input("cell"),
        small.as_input("p"),
        mtu.as_input("L"),
        source=SONIC_HEADROOM,
    )
    return Figure(value, "", why)


def _xoff(query: HeadroomQuery, terms: HeadroomTerms, delay: Figure, inflation: Figure) -> Figure:
    extra = float(terms.extra.figure) if terms.extra else 0.0
    value = _xoff_bytes(query, delay, float(inflation)) + extra
    if not query.shared and float(query.small_packets) != 100:
        cell, mtu = float(terms.cell.figure), float(query.lossless_mtu)
        worst = occupancy(cell, 100, mtu, rounds_up=terms.rounds_worst_factor)
        value += _SLACK if value + _SLACK < _xoff_bytes(query, delay, worst) + extra else 0
    why = derived(
        "roundup_1024(L + delay x occ) + extra; 2048 more where still below the all-small case",
        query.lossless_mtu.as_input("L"),
        delay.as_input("delay"),
        inflation.as_input("occ"),
        *((terms.extra.as_input("extra"),) if terms.extra else ()),
        source=SONIC_HEADROOM,
    )
    return Figure(round(value), "B", why)


def _xoff_bytes(query: HeadroomQuery, delay: Figure, inflation: float) -> int:
    return _roundup(float(query.lossless_mtu) + float(delay) * inflation)


def _xon(query: HeadroomQuery, terms: HeadroomTerms) -> Figure | None:
    if terms.pipeline_latency is None:
        return None
    double = 2 if query.lanes == 8 else 1
    why = derived(
        f"roundup_1024(pipeline latency{' x 2 on 8 lanes' if double == 2 else ''})",
        terms.pipeline_latency.as_input("pipeline latency"),
        source=SONIC_HEADROOM,
    )
    return Figure(_roundup(double * float(terms.pipeline_latency.figure)), "B", why)


def _size(query: HeadroomQuery, xoff: Figure, xon: Figure) -> Figure:
    if query.shared:
        why = derived("xon; the shared headroom pool holds xoff", xon.as_input("xon"),
                      source=SONIC_HEADROOM)  # fmt: skip
        return Figure(xon.value, "B", why)
    mtu = float(query.mtu) if query.lanes == 8 else 0.0
    why = derived(
        "roundup_1024(xoff + xon + port MTU on 8 lanes)",
        xoff.as_input("xoff"),
        xon.as_input("xon"),
        query.mtu.as_input("port MTU"),
        source=SONIC_HEADROOM,
    )
    return Figure(_roundup(float(xoff) + float(xon) + mtu), "B", why)


def _roundup(size: float) -> int:
    return math.ceil(size / _KIB) * _KIB
