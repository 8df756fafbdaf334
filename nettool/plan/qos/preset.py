"""ECN thresholds by a named rule: derived, or as published by sonic, nvidia, cisco, hpcc, simai.

A member of `presets/` gives Kmin, Kmax (bytes of queue) and Pmax (percent) of one port speed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nettool.core.provenance import Figure, Provenance
from nettool.core.registry import Registry


@dataclass(frozen=True, slots=True)
class EcnQuery:
    """One speed in Mb/s; base round trip in µs, senders to one port, and the shared buffer.

    `alpha` and `shared` (bytes) bound the derived Kmax where they are known.
    """

    speed: int
    rtt_us: Figure
    incast: Figure
    alpha: Figure | None = None
    shared: Figure | None = None


@dataclass(frozen=True, slots=True)
class Marking:
    """Marking starts at `kmin`, and is sure from `kmax`, where its probability is `pmax`."""

    kmin: Figure
    kmax: Figure
    pmax: Figure


EcnPreset = Callable[[EcnQuery], Marking]
PRESETS: Registry[EcnPreset] = Registry("nettool.plan.qos.presets")


def marking(kmin: float, kmax: float, pmax: float, why: Provenance) -> Marking:
    """A marking whose three figures share one provenance."""
    return Marking(Figure(kmin, "B", why), Figure(kmax, "B", why), Figure(pmax, "%", why))
