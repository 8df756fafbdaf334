"""Layer 3 of the switch: routed links and gateway VLANs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.core.provenance import Provenance
from nettool.plan.design.fabric import Device, Gateway, Neighbor


@dataclass(frozen=True, slots=True)
class Interfaces:
    """What each cabled port faces, and the gateway VLANs. `neighbors` is the design's own map.

    A port that faces a switch is routed: with the link's addresses, or IPv6 link-local only
    where the link is unnumbered. A port that faces a NIC is a member of its gateway's VLAN.
    """

    neighbors: Mapping[str, Neighbor]
    gateways: tuple[Gateway, ...]
    why: Provenance
    """Provenance of link addresses."""

    @property
    def routed(self) -> Iterator[tuple[str, Neighbor]]:
        """Ports that face switches, in layout order."""
        return ((p, n) for p, n in self.neighbors.items() if n.role != "node")

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form."""
        return {
            "links": {port: _link(faced) for port, faced in self.neighbors.items()},
            "gateways": [_gateway(each) for each in self.gateways],
        }


def _link(faced: Neighbor) -> dict[str, object]:
    return {
        "device": faced.device,
        "port": faced.port,
        "role": faced.role,
        "speed": faced.kind.speed,
        "length": faced.kind.length,
        "medium": faced.kind.medium,
        "address": faced.address,
        "peer_address": faced.peer_address,
        "address6": faced.address6,
        "peer_address6": faced.peer_address6,
    }


def _gateway(gateway: Gateway) -> dict[str, object]:
    return {
        "vlan": gateway.vlan,
        "rail": gateway.rail,
        "address": gateway.address,
        "address6": gateway.address6,
        "ports": list(gateway.ports),
    }


def interfaces(sources: Sources, device: Device) -> Interfaces:  # noqa: ARG001 - one shape for all
    """The links and gateways that the design gives to `device`."""
    why = device.why.get("links") or Provenance("pool of link addresses, in link order")
    return Interfaces(device.neighbors, device.gateways, why)
