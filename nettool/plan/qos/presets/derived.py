"""Thresholds from the bandwidth-delay product, kept where ECN still acts before PFC."""

from __future__ import annotations

import math

from nettool.core.provenance import Figure, Input
from nettool.plan.qos.preset import PRESETS, EcnQuery, Marking
from nettool.plan.qos.trace import assumed, derived

_RATIO = 4
_SOURCE = "bandwidth-delay rule of DCTCP and DCQCN (SIGCOMM 2010, 2015)"


@PRESETS.add("derived")
def derived_marking(query: EcnQuery) -> Marking:
    """Kmin = rate x RTT x lambda, Kmax = 4 Kmin (at most what k ingresses may hold), Pmax 10 %.

    A queue below Kmin keeps a link busy for one round trip, so marking earlier costs throughput.
    """
    scale = assumed(1.0, "", "lambda: one bandwidth-delay product of queue before marking")
    ratio = assumed(_RATIO, "", "Kmax over Kmin: published pairs lie between 1.7 and 20")
    rate = Input("rate", query.speed, "Mb/s")
    kmin = Figure(
        math.ceil(query.speed * float(query.rtt_us) / 8 * float(scale)),
        "B",
        derived(
            "rate x RTT x lambda / 8",
            rate,
            query.rtt_us.as_input("RTT, us"),
            scale.as_input("lambda"),
            source=_SOURCE,
        ),
    )
    pmax = assumed(10, "%", "between the published 5 and 20 %")
    return Marking(kmin, _kmax(query, kmin, ratio), pmax)


def _kmax(query: EcnQuery, kmin: Figure, ratio: Figure) -> Figure:
    wanted = _RATIO * kmin.value
    inputs = [ratio.as_input("ratio"), kmin.as_input("Kmin")]
    if query.alpha is None or query.shared is None:
        return Figure(wanted, "B", derived("ratio x Kmin", *inputs, source=_SOURCE))
    alpha, senders = float(query.alpha), float(query.incast)
    room = math.floor(alpha * senders * float(query.shared) / (1 + alpha * senders))
    inputs += [
        query.alpha.as_input("alpha"),
        query.shared.as_input("B"),
        query.incast.as_input("k"),
    ]
    why = derived(
        "min(ratio x Kmin, alpha k B / (1 + alpha k)), never below Kmin",
        *inputs,
        source=_SOURCE,
        bound="alpha (B - Kmax) >= Kmax / k",
    )
    return Figure(max(kmin.value, min(wanted, room)), "B", why)
