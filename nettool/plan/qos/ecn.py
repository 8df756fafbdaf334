"""ECN marking of a switch: thresholds by port speed, from a named preset or the operator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from nettool.core.finding import Finding
from nettool.core.provenance import Figure
from nettool.core.units import format_speed
from nettool.intent.intent import EcnIntent
from nettool.plan.qos.note import error
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


def turned_round(
    markings: Mapping[int, Marking], asked: EcnIntent, switches: str
) -> Iterator[Finding]:
    """Speeds whose marking would be sure before it starts: no switch takes such a profile."""
    keys = [key for key in ("kmin", "kmax") if getattr(asked, key) is not None]
    path = ("ecn", keys[0]) if keys else ("overrides",)
    for speed, each in sorted(markings.items()):
        low, high = float(each.kmin), float(each.kmax)
        if low >= high:
            yield error(
                "QOS021",
                f"{switches}, {format_speed(speed)}: marking starts at Kmin {low:,.0f} B and is "
                f"sure from Kmax {high:,.0f} B; Kmax must be above Kmin",
                f"lower kmin below {high:,.0f} or raise kmax above {low:,.0f} "
                "(qos.ecn, or ecn in the overrides file)",
                "qos",
                *path,
            )


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
