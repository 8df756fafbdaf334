"""BGP between the switches of a network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.core.provenance import Figure, Input, Provenance, Trust
from nettool.plan.design.fabric import Device, Neighbor

MOST_PATHS = 256
"""Largest ECMP width that the models of FRR's unified form accept (max_ebgp_paths 1..256)."""


@dataclass(frozen=True, slots=True)
class Bgp:
    """One BGP speaker. `manager` is who renders FRR; links are numbered or not.

    Sessions are one a link to a switch (`sessions`); the loopback and the gateway subnets are
    announced. `paths` is the ECMP width.
    """

    asn: Figure
    manager: str
    unnumbered: bool
    neighbors: Mapping[str, Neighbor]
    paths: Figure
    switches: Mapping[str, Device]
    """The design's switches by name, so that a session can say why its AS number is what it is."""

    @property
    def sessions(self) -> Iterator[tuple[str, Neighbor]]:
        """Port and neighbor of each session, in layout order."""
        return ((p, n) for p, n in self.neighbors.items() if n.peer_asn is not None)

    def why_asn(self, faced: Neighbor) -> Provenance:
        """Provenance of the other end's AS number: the design's own for that switch."""
        given = self.switches[faced.device].why.get("asn")
        return given or Provenance(f"AS number of {faced.device}")

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form."""
        return {
            "asn": int(self.asn),
            "manager": self.manager,
            "unnumbered": self.unnumbered,
            "paths": int(self.paths),
            "sessions": {port: faced.peer_asn for port, faced in self.sessions},
        }


def routing(sources: Sources, device: Device) -> Bgp | None:
    """BGP as the design has it; None where the network does not route between switches."""
    wanted = sources.intent.networks[device.network].routing
    if wanted.protocol != "bgp" or device.asn is None:
        return None
    why = device.why.get("asn") or Provenance("AS numbers from asn_first, in device order")
    return Bgp(
        asn=Figure(device.asn, "", why),
        manager=wanted.manager,
        unnumbered=wanted.links == "unnumbered",
        neighbors=device.neighbors,
        paths=_paths(sources, device),
        switches=sources.fabric.by_name,
    )


def _paths(sources: Sources, device: Device) -> Figure:
    links = sum(each.peer_asn is not None for each in device.neighbors.values())
    return sources.share(("paths", links), lambda: _width(links))


def _width(links: int) -> Figure:
    why = Provenance(
        "min(links to switches, 256)",
        (Input("links to switches", links), Input("most paths", MOST_PATHS)),
        source="sonic-buildimage 086b03bd sonic-bgp-global.yang, max_ebgp_paths 1..256, default 1",
        trust=Trust.COMPUTED,
        bound="at least the equal-cost links of any destination",
    )
    return Figure(max(1, min(links, MOST_PATHS)), "", why)
