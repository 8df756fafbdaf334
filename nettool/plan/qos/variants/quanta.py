"""Two frames, the pause frame, the longest legal response and the cable; no cell inflation."""

from __future__ import annotations

from nettool.core.provenance import Figure
from nettool.plan.qos.trace import derived
from nettool.plan.qos.variant import VARIANTS, Headroom, HeadroomQuery, Refusal, no_response
from nettool.plan.qos.wire import PFC_FRAME_BYTES, response, round_trip


@VARIANTS.add("quanta")
def quanta(query: HeadroomQuery) -> Headroom | Refusal:
    """Two MTU, 84 B of pause frame, quanta of the speed x 64 B, and the cable out and back."""
    peer = response(query.speed)
    if peer is None:
        return no_response(query.speed)
    cable = round_trip(query.speed, query.cable)
    value = 2 * float(query.mtu) + PFC_FRAME_BYTES + float(peer) + float(cable)
    why = derived(
        "2 MTU + 84 + response + 2 cable",
        query.mtu.as_input("MTU"),
        peer.as_input("response"),
        cable.as_input("2 cable"),
        source="IEEE 802.1Qbb annex O reasoning with the quanta of IEEE 802.3 31B.3.7",
    )
    return Headroom(cable=query.cable, xoff=Figure(value, "B", why))
