"""How the switch spreads flows over equal paths."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.core.provenance import Provenance, Trust
from nettool.plan.design.fabric import Device

FIVE_TUPLE = ("DST_IP", "IP_PROTOCOL", "L4_DST_PORT", "L4_SRC_PORT", "SRC_IP")
"""RoCEv2 varies only the UDP source port between queue pairs, so it must be hashed."""


@dataclass(frozen=True, slots=True, eq=False)
class Hash:
    """Fields of the ECMP hash, and the tier whose seed the device must have.

    Tiers need different seeds: with one seed, a spine repeats the choice its leaf made and
    leaves half of its links idle (polarisation).
    """

    fields: tuple[str, ...]
    tier: int
    why: Provenance

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form."""
        return {"fields": list(self.fields), "tier": self.tier}


def hashing(sources: Sources, device: Device) -> Hash:
    """The hash of a device of this tier."""
    return sources.share(("hash", device.tier), lambda: Hash(FIVE_TUPLE, device.tier, _WHY))


_WHY = Provenance(
    "five-tuple: RoCEv2 carries its entropy in the UDP source port",
    source="InfiniBand Architecture Annex A17 (RoCEv2), UDP source port as flow entropy",
    trust=Trust.PUBLISHED,
)
