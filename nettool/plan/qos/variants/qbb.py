"""The bit-time sum of IEEE 802.1Qbb, as far as its interface delays are published."""

from __future__ import annotations

from nettool.core.provenance import Figure, Trust
from nettool.plan.qos.trace import derived, looked_up
from nettool.plan.qos.variant import VARIANTS, Headroom, HeadroomQuery, Refusal, no_response
from nettool.plan.qos.wire import response, round_trip

_SOURCE = "IEEE 802.1Qbb annex O components in bit times, read in a public write-up (inferred sum)"
_INTERFACE = {10_000: 8192, 25_000: 6144, 40_000: 24_576, 100_000: 122_880}
_OVERHEAD_BYTES = 20
_PAUSE_BITS = 672


@VARIANTS.add("qbb")
def qbb(query: HeadroomQuery) -> Headroom | Refusal:
    """Max frame + pause + 2 interface + response + 2 cable + max lossless frame, from bits.

    A frame carries 20 B of preamble and gap on the wire. Speeds without a published interface
    delay (above 100G) are refused.
    """
    interface = _INTERFACE.get(query.speed)
    if interface is None:
        known = ", ".join(f"{each // 1000}G" for each in _INTERFACE)
        return Refusal(
            f"802.1Qbb interface delays are published for {known}, not {query.speed // 1000}G",
            "choose variant table, sonic or quanta",
        )
    peer = response(query.speed)
    if peer is None:
        return no_response(query.speed)
    delay = Figure(2 * interface / 8, "B", looked_up("2 interface delays", _SOURCE, Trust.INFERRED))
    cable = round_trip(query.speed, query.cable)
    frame = float(query.mtu) + _OVERHEAD_BYTES
    value = 2 * frame + _PAUSE_BITS / 8 + float(delay) + float(peer) + float(cable)
    why = derived(
        "2 (MTU + 20) + 84 + 2 interface + response + 2 cable",
        query.mtu.as_input("MTU"),
        delay.as_input("2 interface"),
        peer.as_input("response"),
        cable.as_input("2 cable"),
        source=_SOURCE,
    )
    return Headroom(cable=query.cable, xoff=Figure(value, "B", why))
