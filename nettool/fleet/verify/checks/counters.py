"""What the counters say: drops and storms against a baseline; a reset or wrap is no pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nettool.core.finding import Finding, Severity
from nettool.core.order import natural
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.observed import Seen


@dataclass(frozen=True, slots=True)
class _Kind:
    rule: str
    what: str
    severity: Severity
    hint: str


_KINDS = {
    "pg_drop": _Kind(
        "VER010",
        "packets dropped in a priority group",
        Severity.ERROR,
        "headroom is too small for the cable, or pause is not honoured by the sender",
    ),
    "queue_drop": _Kind(
        "VER011",
        "packets dropped in a lossless queue",
        Severity.ERROR,
        "the queue's pool is exhausted: look at pause from the next hop",
    ),
    "storm": _Kind(
        "VER012", "PFC storms", Severity.ERROR, "look for a NIC that pauses without end"
    ),
    "rx_err": _Kind(
        "VER013", "errors received", Severity.WARNING, "clean or change the optic or cable"
    ),
}


@CHECKS.add("counters")
def counters(seen: Seen) -> Iterator[Finding]:
    """A finding for each counter that grew, or went backwards, since the baseline.

    Without a baseline everything since the counters were last cleared counts, as a warning.
    """
    lossless = _lossless(seen)
    before = None if seen.baseline is None else seen.baseline.counters
    for kind, rule in _KINDS.items():
        for place, now in sorted(
            seen.observed.counters.get(kind, {}).items(), key=lambda each: natural(each[0])
        ):
            if kind in {"pg_drop", "queue_drop"} and place not in lossless:
                continue
            was = 0 if before is None else before.get(kind, {}).get(place)
            yield from _judged(seen, rule, place, was, now)


def _judged(seen: Seen, rule: _Kind, place: str, was: int | None, now: int) -> Iterator[Finding]:
    if was is None or now < was:
        gone = "was not counted before" if was is None else f"went from {was} to {now}"
        yield wrong(
            "VER014",
            seen,
            f"{place}: the counter of {rule.what} {gone}: reset or wrapped, no verdict",
            "take a new baseline and look again",
            severity=Severity.WARNING,
            key=place,
        )
    elif now > was:
        since = "since they were cleared" if seen.baseline is None else "since the baseline"
        severity = Severity.WARNING if seen.baseline is None else rule.severity
        yield wrong(
            rule.rule,
            seen,
            f"{place}: {now - was} {rule.what} {since}",
            rule.hint,
            severity=severity,
            key=place,
        )


def _lossless(seen: Seen) -> frozenset[str]:
    return frozenset(
        f"{port}|{priority}"
        for port, row in seen.intended.get("PORT_QOS_MAP", {}).items()
        for priority in str(row.get("pfc_enable", "")).split(",")
        if priority
    )
