"""What a wire holds: bytes in flight on a cable, and how long a peer takes to obey a pause."""

from __future__ import annotations

import math

from nettool.core.provenance import Figure, Trust
from nettool.plan.qos.trace import derived, looked_up

SONIC_HEADROOM = "sonic-swss e6b0c5b5 cfgmgr/buffer_headroom_mellanox.lua"
PAUSE_QUANTA = {
    800_000: 905, 400_000: 905, 200_000: 453, 100_000: 394, 50_000: 147,
    40_000: 118, 25_000: 80, 10_000: 67, 1_000: 2, 100: 1,
}  # fmt: skip
"""Longest response to a pause by speed in Mb/s, in quanta of 512 bit times."""
QUANTUM_BYTES = 64
PFC_FRAME_BYTES = 84
NS_PER_METRE = 5.0
METRES_PER_SECOND = 198_000_000


def response(speed: int) -> Figure | None:
    """Bytes that a peer may still send before it obeys a pause; None for an unlisted speed.

    Source: IEEE 802.3 31B.3.7 as SONiC tabulates it. 800G repeats the 400G value there, which
    802.3df may change, so it is marked inferred.
    """
    quanta = PAUSE_QUANTA.get(speed)
    if quanta is None:
        return None
    trust = Trust.INFERRED if speed == 800_000 else Trust.PUBLISHED
    what = f"{quanta} pause quanta of 64 B at {speed} Mb/s"
    return Figure(quanta * QUANTUM_BYTES, "B", looked_up(what, SONIC_HEADROOM, trust))


def round_trip(speed: int, cable: Figure) -> Figure:
    """Bytes on a cable, out and back, at 5 ns a metre."""
    value = 2 * float(cable) * NS_PER_METRE * speed / 8000
    why = derived(
        "2 x cable x 5 ns/m x speed / 8",
        cable.as_input("cable"),
        source="propagation in fibre, n = 1.5 (IEEE 802.1Qbb annex O counts both ways)",
    )
    return Figure(value, "B", why)


def round_trip_sonic(speed: int, cable: Figure) -> Figure:
    """Bytes on a cable, out and back, as SONiC counts them (1.98e8 m/s)."""
    value = 2 * float(cable) * speed * 1e9 / METRES_PER_SECOND / 8000
    why = derived(
        "2 x cable x speed / 1.98e8 m/s / 8", cable.as_input("cable"), source=SONIC_HEADROOM
    )
    return Figure(value, "B", why)


def in_cells(size: float, cell: float) -> int:
    """Cells that `size` bytes occupy: a started cell is a whole one."""
    return math.ceil(size / cell)
