"""How far two NICs are from each other: switches, metres, and time of one packet on idle links.

A switch passes a packet on while it still comes in (cut-through) only where the link it comes
from is at least as fast as the one it leaves on, and the queue is empty; otherwise the whole
packet is taken in first, at the rate of the link it comes from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from nettool.catalog.catalog import Catalog
from nettool.core.provenance import Figure, Input, Provenance, Trust, weakest
from nettool.plan.design.fabric import Device, Fabric, LinkKind

FIBRE = Figure(
    5.0,
    "ns/m",
    Provenance(
        "group index of glass, 1.47 to 1.5, over the speed of light",
        source="ITU-T G.652 fibre, group index about 1.468 (4.9 ns/m); 5 ns/m is customary",
        trust=Trust.PUBLISHED,
    ),
)
"""Time that light or a signal takes for a metre of cable."""
DEFAULT_PACKET = 4178
"""Bytes of a full RoCEv2 frame with a 4,096 B payload."""


@dataclass(frozen=True, slots=True)
class PairLatency:
    """One class of NIC pairs of a network. `latency` is None where a switch's is not public.

    `pair` is same-leaf, same-pod (over one spine) or across-core; `whole_packets` says at how
    many switches the packet is stored first.
    """

    network: str
    pair: str
    nic_speed: int
    switches: int
    metres: float
    whole_packets: int
    latency: Figure | None


def pair_latencies(
    fabric: Fabric, catalog: Catalog, packet: int = DEFAULT_PACKET
) -> Iterator[PairLatency]:
    """Latency of `packet` bytes for every pair class, network and NIC speed of the fabric."""
    for network in fabric.topology:
        tiers = _first_of_each_role(fabric, network)
        for nic in _nic_kinds(fabric, network):
            for top, pair in enumerate(("same-leaf", "same-pod", "across-core"), 1):
                if len(tiers) >= top:
                    yield _latency(network, pair, nic, tiers[:top], (catalog, packet))


def _first_of_each_role(fabric: Fabric, network: str) -> list[Device]:
    first: dict[int, Device] = {}
    for device in fabric.of_network(network):
        first.setdefault(device.tier, device)
    return [first[tier] for tier in sorted(first)]


def _nic_kinds(fabric: Fabric, network: str) -> list[LinkKind]:
    """The usual cable to a NIC, by speed; one with a length of its own says nothing of a class."""
    kinds = Counter(
        faced.kind
        for device in fabric.of_network(network)
        if device.role == "leaf"
        for faced in device.neighbors.values()
        if faced.role == "node"
    )
    usual: dict[int, LinkKind] = {}
    for kind, _ in kinds.most_common():
        usual.setdefault(kind.speed, kind)
    return [usual[speed] for speed in sorted(usual)]


def _latency(
    network: str, pair: str, nic: LinkKind, tiers: list[Device], given: tuple[Catalog, int]
) -> PairLatency:
    catalog, packet = given
    ups = [_uplink(device) for device in tiers[:-1]]
    links = [nic, *ups, *reversed(ups), nic]
    boxes = [*tiers, *reversed(tiers[:-1])]
    stored = [a.speed for a, b in pairwise(links) if a.speed < b.speed]
    metres = sum(each.length for each in links)
    facts = [catalog.switch(each.model).latency_of(each.asic) for each in boxes]
    known = [fact for fact in facts if fact]
    latency = None
    if len(known) == len(boxes):
        times = [Input(f"{box.role} {box.model}", float(fact.value), "ns", why=fact.why)
                 for box, fact in zip(boxes, known, strict=True)]  # fmt: skip
        latency = _total(times, metres, [*stored, nic.speed], packet)
    return PairLatency(network, pair, nic.speed, len(boxes), metres, len(stored), latency)


def _uplink(device: Device) -> LinkKind:
    tier = {"leaf": "leaf-spine", "spine": "spine-core"}[device.role]
    kinds = Counter(each.kind for each in device.neighbors.values() if each.kind.tier == tier)
    return kinds.most_common(1)[0][0]


def _total(times: list[Input], metres: float, rates: list[int], packet: int) -> Figure:
    """Switches, metres of fibre, and the packet once at each rate in `rates` (Mb/s)."""
    serial = sum(packet * 8 * 1000 / rate for rate in rates)
    total = sum(float(each.value) for each in times) + metres * FIBRE.value + serial
    trusts = (each.why.trust for each in times if each.why)
    why = Provenance(
        "sum of switches + metres x fibre + packet at every switch that cannot cut through and "
        "once at the NIC",
        (
            *times,
            Input("cable", metres, "m"),
            FIBRE.as_input("fibre"),
            Input("packet", packet, "B"),
            Input("serialisation", round(serial, 3), "ns"),
        ),
        trust=weakest(Trust.COMPUTED, *trusts),
        bound="idle links and empty queues: a lower bound",
    )
    return Figure(round(total, 3), "ns", why)
