"""Two frames, 60 pause quanta and the cable: the rule of the 10G era."""

from __future__ import annotations

from nettool.core.provenance import Figure, Trust
from nettool.plan.qos.trace import derived, looked_up
from nettool.plan.qos.variant import VARIANTS, Headroom, HeadroomQuery
from nettool.plan.qos.wire import round_trip

_SOURCE = 'Cisco, "Priority Flow Control: Build Reliable Layer 2 Infrastructure"'
_RESPONSE_BYTES = 3840


@VARIANTS.add("simple")
def simple(query: HeadroomQuery) -> Headroom:
    """2 MTU + 3840 + 2 cable; far below what 100G and faster peers may take to respond."""
    cable = round_trip(query.speed, query.cable)
    peer = Figure(_RESPONSE_BYTES, "B", looked_up("60 quanta of 64 B", _SOURCE, Trust.INFERRED))
    why = derived(
        "2 MTU + 3840 + 2 cable",
        query.mtu.as_input("MTU"),
        peer.as_input("response"),
        cable.as_input("2 cable"),
        source=_SOURCE,
    )
    value = 2 * float(query.mtu) + _RESPONSE_BYTES + float(cable)
    return Headroom(cable=query.cable, xoff=Figure(value, "B", why))
