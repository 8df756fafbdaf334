"""Who the switch is: name, role, model, and what runs on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.core.provenance import Provenance
from nettool.plan.design.fabric import Device, Role


@dataclass(frozen=True, slots=True)
class Identity:
    """The device's name and place.

    `release` None leaves it to the dialect's default, `platform` None to the switch itself.
    `why` is the design's provenance by subject: loopback, asn, management, links, mtu, layout, sku.
    """

    hostname: str
    number: int
    role: Role
    tier: int
    network: str
    model: str
    sku: str
    platform: str | None
    asic: str
    rails: tuple[int, ...]
    pod: int | None
    plane: int | None
    redundancy: str
    nos: str
    release: str | None
    roce: str
    why: Mapping[str, Provenance]

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form."""
        return {
            "hostname": self.hostname,
            "role": self.role,
            "tier": self.tier,
            "network": self.network,
            "model": self.model,
            "sku": self.sku,
            "platform": self.platform,
            "asic": self.asic,
            "rails": list(self.rails),
            "pod": self.pod,
            "plane": self.plane,
            "redundancy": self.redundancy,
            "nos": self.nos,
            "release": self.release,
        }


def identity(sources: Sources, device: Device) -> Identity:
    """The identity that the design and the intent give to `device`."""
    nos = sources.intent.nos
    return Identity(
        hostname=device.name,
        number=device.number,
        role=device.role,
        tier=device.tier,
        network=device.network,
        model=device.model,
        sku=device.sku,
        platform=device.platform,
        asic=device.asic,
        rails=device.rails,
        pod=device.pod,
        plane=device.plane,
        redundancy=device.redundancy,
        nos=nos.name,
        release=nos.release,
        roce=nos.roce,
        why=device.why,
    )
