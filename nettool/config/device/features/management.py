"""How the switch is reached: the management port."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.core.provenance import Input, Origin, Provenance, Traced, Trust
from nettool.intent.intent import ManagementIntent
from nettool.intent.load import FILE_NAME
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
    given = sources.intent.management
    why = device.why.get("management") or Provenance("pool of the management network")
    gateway_why = sources.share("management gateway", lambda: _gateway_why(given))
    return Management(
        Traced.of(device.management, why),
        Traced.of(device.management_gateway, gateway_why),
        given.user,
    )


def _gateway_why(given: ManagementIntent) -> Provenance:
    key, value = ("gateway", given.gateway) if given.gateway else ("pool", given.pool)
    formula = "as given" if given.gateway else "first address of the pool: no gateway is given"
    trust = Trust.GIVEN if given.gateway else Trust.COMPUTED
    where = Input(key, str(value), origin=Origin(FILE_NAME, ("management", key)))
    return Provenance(formula, (where,), FILE_NAME, trust)
