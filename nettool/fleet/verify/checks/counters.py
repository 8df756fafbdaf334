"""What the counters say since a baseline: drops, storms, errors, pause and marks.

A counter that wrapped or was reset is an error of its own: what it hides is not known, so it is
never a pass. Pause and marks are no fault by themselves; pause without a single mark is, since
marking must come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.core.finding import Finding, Severity
from nettool.core.order import natural
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.lossless_set import lossless_places
from nettool.fleet.verify.observed import Seen

SHOWN = 3


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
_LOSSLESS_ONLY = frozenset({"pg_drop", "queue_drop"})
_SHOWN_IF_ANY = frozenset({"storm"})
"""Kinds that a switch lists where it has counted something, and not elsewhere."""
_TRAFFIC = {"pfc_rx": "pause frames received", "pfc_tx": "pause frames sent", "ecn_marked": "marks"}


@CHECKS.add("counters")
def counters(seen: Seen) -> Iterator[Finding]:
    """A finding for each counter of faults that grew since the baseline, or went backwards.

    Without a baseline everything since the counters were last cleared counts, as a warning.
    """
    for kind, rule in _KINDS.items():
        before, now = _pair(seen, kind)
        yield from _lost(seen, rule.what, before, now)
        for place, count in now.items():
            if count > before.get(place, count):
                yield _grown(seen, rule, place, count - before[place])


@CHECKS.add("congestion")
def congestion(seen: Seen) -> Iterator[Finding]:
    """How much was paused and marked since the baseline, and whether marking came first.

    Says nothing without a baseline.
    """
    if seen.baseline is None:
        return
    grown: dict[str, Mapping[str, int]] = {}
    for kind, what in _TRAFFIC.items():
        before, now = _pair(seen, kind)
        yield from _lost(seen, what, before, now)
        grown[kind] = {p: n - before[p] for p, n in now.items() if n > before.get(p, n)}
    if any(grown.values()):
        told = ", ".join(f"{sum(grown[k].values())} {what}" for k, what in _TRAFFIC.items())
        yield wrong(
            "VER015", seen, f"{told} since the baseline", "for the record", severity=Severity.INFO
        )
    if grown["pfc_tx"] and not grown["ecn_marked"]:
        places = _names(grown["pfc_tx"])
        yield wrong(
            "VER016",
            seen,
            f"paused its neighbours ({places}) without marking a packet",
            "marking must begin before pause: see WRED_PROFILE of these queues, and whether the "
            "hosts send ECN-capable packets",
            severity=Severity.WARNING,
        )
    stray = {place: n for place, n in grown["pfc_rx"].items() if place not in _lossless(seen)}
    if stray:
        yield wrong(
            "VER017",
            seen,
            f"got pause for priorities that are not lossless here: {_names(stray)}",
            "hosts and switch disagree on the lossless priorities: see hosts/NODE of the build",
            severity=Severity.WARNING,
        )


def _pair(seen: Seen, kind: str) -> tuple[dict[str, int], dict[str, int]]:
    """Counts before and now, in natural order; before is 0 everywhere without a baseline."""
    lossless = _lossless(seen) if kind in _LOSSLESS_ONLY else None
    now = {
        place: count
        for place, count in sorted(
            seen.observed.counters.get(kind, {}).items(), key=lambda each: natural(each[0])
        )
        if lossless is None or place in lossless
    }
    if seen.baseline is None:
        return dict.fromkeys(now, 0), now
    before = seen.baseline.counters.get(kind, {})
    if kind in _SHOWN_IF_ANY:
        now = {**dict.fromkeys(before, 0), **now}
        before = {**dict.fromkeys(now, 0), **before}
    return {place: count for place, count in before.items() if place in now}, now


def _lost(
    seen: Seen, what: str, before: Mapping[str, int], now: Mapping[str, int]
) -> Iterator[Finding]:
    """One finding for all counters of a kind from which nothing can be concluded."""
    back = {place: n for place, n in now.items() if n < before.get(place, n)}
    new = {place: n for place, n in now.items() if place not in before}
    if not back and not new:
        return
    first = next(iter(back or new))
    said = f"went from {before[first]} to {now[first]}" if back else "was not counted before"
    more = f" (and {len(back) + len(new) - 1} more)" if len(back) + len(new) > 1 else ""
    yield wrong(
        "VER014",
        seen,
        f"{first}: the counter of {what} {said}{more}: reset or wrapped, no verdict",
        "take a new baseline and look again after the same time under load",
        key=first,
    )


def _grown(seen: Seen, rule: _Kind, place: str, by: int) -> Finding:
    since = "since they were cleared" if seen.baseline is None else "since the baseline"
    severity = Severity.WARNING if seen.baseline is None else rule.severity
    return wrong(
        rule.rule, seen, f"{place}: {by} {rule.what} {since}", rule.hint, severity=severity,
        key=place,
    )  # fmt: skip


def _lossless(seen: Seen) -> frozenset[str]:
    return lossless_places(seen.intended)


def _names(places: Mapping[str, int]) -> str:
    shown = list(places)[:SHOWN]
    more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    return ", ".join(shown) + more
