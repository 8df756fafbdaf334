"""How lossless groups divide the shared buffer of a switch, and whether ECN acts before PFC."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.core.provenance import Figure, Input
from nettool.plan.qos.threshold import (
    alpha_of,
    certain_limit,
    pause_room,
    serves,
    threshold,
    weakest_power,
)
from nettool.plan.qos.trace import assumed, derived

_GREATEST = 7


@dataclass(frozen=True, slots=True)
class Sharing:
    """The pause threshold of a group: `power` (log2 alpha) or `fixed` bytes, of `shared` bytes.

    `queues` lossless queues of the switch may be congested at once; `served` is False where no
    alpha leaves ECN what it needs.
    """

    shared: Figure
    queues: int
    power: Figure | None
    fixed: Figure | None
    served: bool = True

    @property
    def alpha(self) -> Figure | None:
        """Alpha, where the pool is dynamic."""
        if self.power is None:
            return None
        why = derived("2 ^ dynamic_th", self.power.as_input("dynamic_th"))
        return Figure(alpha_of(int(self.power)), "", why)

    def each(self, queues: int) -> float:
        """What each of `queues` congested queues may hold before a pause, bytes."""
        if self.fixed is not None:
            return float(self.fixed)
        return threshold(float(self.alpha or 0), float(self.shared), queues)

    def room(self, queued: float) -> float:
        """What an ingress that holds all `queued` bytes may still take before a pause."""
        if self.fixed is not None:
            return float(self.fixed) - queued
        return pause_room(float(self.alpha or 0), float(self.shared), queued)

    def certain_limit(self) -> float:
        """The Kmax below which marking is certain before a pause, all queues congested."""
        if self.fixed is not None:
            return float(self.fixed) / self.queues
        return certain_limit(float(self.alpha or 0), float(self.shared), self.queues)


def choose_sharing(
    *,
    mode: str,
    shared: Figure,
    queues: int,
    need: Figure,
    total: Figure,
    preferred: Figure | None,
    given: Figure | None,
) -> Sharing:
    """Alpha so that `queues` congested queues reach Kmin (`need`), and `total` does not pause.

    `given` stands; else the platform's `preferred` power where it serves; else the smallest
    that does; where none does, the platform's with `served` False. A static pool is cut into
    equal parts.
    """
    if mode == "static":
        return Sharing(shared, queues, None, given or _equal_part(shared, queues))
    terms = (float(need), float(total), float(shared), queues)
    if given is not None:
        return Sharing(shared, queues, given, None, serves(int(given), *terms))
    inputs = (
        shared.as_input("B"),
        Input("n", queues),
        need.as_input("Kmin"),
        total.as_input("sum of Kmin"),
    )
    bound = "alpha B/(1 + n alpha) >= Kmin and alpha (B - sum Kmin) > sum Kmin"
    if preferred is not None and serves(int(preferred), *terms):
        why = derived(
            "the platform's own value, which serves",
            preferred.as_input("platform"),
            *inputs,
            bound=bound,
        )
        return Sharing(shared, queues, Figure(preferred.value, "", why), None)
    power = weakest_power(*terms)
    if power is None:
        why = derived("no alpha serves: the platform's own, else the largest", *inputs)
        fallback = _GREATEST if preferred is None else preferred.value
        return Sharing(shared, queues, Figure(fallback, "", why), None, served=False)
    why = derived("smallest n for which 2^n serves", *inputs, bound=bound)
    return Sharing(shared, queues, Figure(power, "", why), None)


def _equal_part(shared: Figure, queues: int) -> Figure:
    why = derived(
        "B / n: every group can reach its own threshold at once",
        shared.as_input("B"),
        Input("n", queues),
    )
    return Figure(int(float(shared) // max(1, queues)), "B", why)


def never(unit: str = "") -> Figure:
    """The dynamic_th that in practice never limits (alpha 128)."""
    return assumed(_GREATEST, unit, "egress must not drop what ingress accepted: alpha 128")
