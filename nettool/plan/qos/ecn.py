"""ECN marking of a switch: thresholds by port speed, from a named preset or the operator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nettool.core.provenance import Figure
from nettool.core.units import format_speed
from nettool.intent.intent import EcnIntent
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.preset import PRESETS, EcnQuery, Marking
from nettool.plan.qos.qos_plan import Wred
from nettool.plan.qos.sharing import Sharing
from nettool.plan.qos.trace import assumed, given

DEFAULT_RTT_US = 8.0
DERIVED = "derived"
"""The preset whose Kmin follows from the base round trip."""


def base_rtt(asked: EcnIntent) -> Figure:
    """The base round trip as given, else 8 µs."""
    if asked.rtt_us is not None:
        return given(asked.rtt_us, "us", "qos", "ecn", "rtt_us")
    return assumed(DEFAULT_RTT_US, "us", "NIC to NIC over two tiers with an empty network")


def wred_name(speed: int) -> str:
    """The name of a speed's WRED profile."""
    return f"ROCE_{format_speed(speed)}"


def mark(
    speed: int,
    asked: EcnIntent,
    incast: Figure,
    overrides: Overrides,
    sharing: Sharing | None = None,
) -> Marking:
    """Thresholds of one speed; without `sharing` the buffer does not bound Kmax yet."""
    query = EcnQuery(
        speed,
        base_rtt(asked),
        incast,
        sharing.alpha if sharing else None,
        sharing.shared if sharing else None,
    )
    preset = PRESETS[asked.preset](query)
    kmin = overrides.ecn(speed, "kmin") or _given(asked.kmin, "kmin", "B") or preset.kmin
    kmax = overrides.ecn(speed, "kmax") or _given(asked.kmax, "kmax", "B") or preset.kmax
    pmax = overrides.ecn(speed, "pmax", "%") or _given(asked.pmax, "pmax", "%") or preset.pmax
    return Marking(kmin, kmax, pmax)


def wreds(markings: Mapping[int, Marking]) -> tuple[Wred, ...]:
    """WRED profiles by speed, ascending."""
    return tuple(
        Wred(wred_name(speed), speed, each.kmin, each.kmax, each.pmax)
        for speed, each in sorted(markings.items())
    )


def compare_presets(
    speeds: Iterable[int],
    rtt_us: Figure,
    incast: Figure,
    alpha: Figure | None = None,
    shared: Figure | None = None,
) -> tuple[tuple[str, Wred], ...]:
    """Every preset at every speed, in one table: preset name and thresholds."""
    ordered = sorted(speeds)
    rows = (
        (name, speed, PRESETS[name](EcnQuery(speed, rtt_us, incast, alpha, shared)))
        for name in PRESETS
        for speed in ordered
    )
    return tuple(
        (name, Wred(wred_name(speed), speed, each.kmin, each.kmax, each.pmax))
        for name, speed, each in rows
    )


def _given(value: int | None, key: str, unit: str) -> Figure | None:
    return None if value is None else given(value, unit, "qos", "ecn", key)
