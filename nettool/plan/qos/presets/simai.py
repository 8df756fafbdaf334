"""The table SimAI simulates with."""

from __future__ import annotations

from nettool.core.provenance import Input, Trust
from nettool.plan.qos.preset import PRESETS, EcnQuery, Marking, marking
from nettool.plan.qos.trace import looked_up

_TABLE = {
    25_000: (100_000, 400_000, 20),
    50_000: (200_000, 800_000, 20),
    100_000: (400_000, 1_600_000, 20),
    200_000: (300_000, 1_200_000, 80),
    400_000: (800_000, 3_200_000, 20),
    1_600_000: (600_000, 2_400_000, 20),
}
"""Kmin and Kmax in bytes and Pmax in percent, by speed in Mb/s."""


@PRESETS.add("simai")
def simai(query: EcnQuery) -> Marking:
    """The row of the speed; a speed without one takes the next slower row, marked inferred."""
    slower = [each for each in _TABLE if each <= query.speed]
    row = max(slower, default=min(_TABLE))
    trust = Trust.PUBLISHED if row == query.speed else Trust.INFERRED
    why = looked_up(
        f"row of {row // 1000}G",
        "aliyun/SimAI cef83f9d SimAI.conf",
        trust,
        Input("rate", query.speed, "Mb/s"),
    )
    return marking(*_TABLE[row], why)
