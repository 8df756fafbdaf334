"""The rule the HPCC paper used for DCQCN: proportional to the rate."""

from __future__ import annotations

from nettool.core.provenance import Input, Trust
from nettool.plan.qos.preset import PRESETS, EcnQuery, Marking, marking
from nettool.plan.qos.trace import looked_up


@PRESETS.add("hpcc")
def hpcc(query: EcnQuery) -> Marking:
    """100 KB and 400 KB at 25G, scaled with the rate; 20 %. From memory of the paper."""
    scale = query.speed / 25_000
    why = looked_up(
        "100 KB x rate / 25G, 400 KB x rate / 25G",
        "HPCC (SIGCOMM 2019), DCQCN setting",
        Trust.RECALLED,
        Input("rate", query.speed, "Mb/s"),
    )
    return marking(100_000 * scale, 400_000 * scale, 20, why)
