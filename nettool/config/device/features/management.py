"""How the switch is reached: the management port."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.core.provenance import Provenance, Traced
from nettool.plan.design.fabric import Device


@dataclass(frozen=True, slots=True)
class Management:
    """The management address with its prefix length, the gateway, and the login name."""

    address: Traced
    gateway: Traced
    user: str

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form."""
        return {"address": self.address, "gateway": self.gateway, "user": self.user}


def management(sources: Sources, device: Device) -> Management:
    """The management access that the design gives to `device`."""
    why = device.why.get("management") or Provenance("pool of the management network")
    return Management(
        Traced.of(device.management, why),
        Traced.of(device.management_gateway, why),
        sources.intent.management.user,
    )
