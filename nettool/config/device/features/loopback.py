"""The switch's loopback: its router id and the address it is known by."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.core.provenance import Provenance, Traced
from nettool.plan.design.fabric import Device


@dataclass(frozen=True, slots=True)
class Loopback:
    """Loopback addresses without prefix length; IPv6 only where the fabric has a pool for it."""

    address: Traced
    address6: Traced | None

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form."""
        return {"address": self.address, "address6": self.address6}


def loopback(sources: Sources, device: Device) -> Loopback:  # noqa: ARG001 - one shape for all
    """The loopback that the design gives to `device`."""
    why = device.why.get("loopback") or Provenance("pool of loopbacks, in device order")
    six = device.loopback6
    return Loopback(
        Traced.of(device.loopback.split("/")[0], why),
        Traced.of(six.split("/")[0], why) if six else None,
    )
