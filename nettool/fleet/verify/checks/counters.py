"""What the counters say since a baseline: drops, storms, errors, pause and marks.

A counter that wrapped, was reset, appeared, vanished or was never there is an error of its own:
what it hides is not known, so it is never a pass. Pause and marks are no fault by themselves;
pause without a single mark is, since marking must come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.core.finding import Finding, Severity
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.observed import Seen
from nettool.fleet.verify.verdict import Verdict, compare

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
    """A finding for each counter of faults that grew since the baseline, or has no verdict.

    Without a baseline everything since the counters were last cleared counts, as a warning.
    """
    if seen.has_restarted:
        yield _restarted(seen)
    for kind, rule in _KINDS.items():
        if kind not in seen.observed.unread:
            verdict = _verdict(seen, kind)
            yield from _doubts(seen, rule.what, verdict)
            for place, by in verdict.grown.items():
                yield _grown(seen, rule, place, by)


@CHECKS.add("congestion")
def congestion(seen: Seen) -> Iterator[Finding]:
    """How much was paused and marked since the baseline, and whether marking came first.

    Says nothing without a baseline.
    """
    if seen.baseline is None:
        return
    grown: dict[str, Mapping[str, int]] = {}
    for kind, what in _TRAFFIC.items():
        if kind not in seen.observed.unread:
            verdict = _verdict(seen, kind)
            yield from _doubts(seen, what, verdict)
            grown[kind] = verdict.grown
    if any(grown.values()):
        told = ", ".join(f"{sum(grown[k].values())} {w}" for k, w in _TRAFFIC.items() if k in grown)
        yield wrong(
            "VER015", seen, f"{told} since the baseline", "for the record", severity=Severity.INFO
        )
    marks = seen.observed.counters.get("ecn_marked", {})
    unmarked = {place: n for place, n in grown.get("pfc_tx", {}).items() if place in marks}
    if unmarked and not grown.get("ecn_marked"):
        yield wrong(
            "VER016",
            seen,
            f"paused its neighbours ({_names(unmarked)}) without marking a packet",
            "marking must begin before pause: see WRED_PROFILE of these queues, and whether the "
            "hosts send ECN-capable packets",
            severity=Severity.WARNING,
        )
    lossless = seen.plan.places
    stray = {place: n for place, n in grown.get("pfc_rx", {}).items() if place not in lossless}
    if stray:
        yield wrong(
            "VER017",
            seen,
            f"got pause for priorities that are not lossless here: {_names(stray)}",
            "hosts and switch disagree on the lossless priorities: see hosts/NODE of the build",
            severity=Severity.WARNING,
        )


def _verdict(seen: Seen, kind: str) -> Verdict:
    """The verdict on one kind.

    What the plan has lossless must be counted, and what was counted before on a planned port.
    """
    plan, only = seen.plan, seen.plan.places if kind in _LOSSLESS_ONLY else None
    before = None if seen.baseline is None else seen.baseline.counters.get(kind, {})
    kept = {place for place in before or () if place.partition("|")[0] in plan.links}
    return compare(
        before,
        seen.observed.counters.get(kind, {}),
        must=frozenset(kept) if only is None else only,
        only=only,
        if_any=kind in _SHOWN_IF_ANY,
        restarted=seen.has_restarted,
    )


def _doubts(seen: Seen, what: str, verdict: Verdict) -> Iterator[Finding]:
    """One finding for all counters of a kind from which nothing can be concluded."""
    if not verdict.doubts:
        return
    first, said = next(iter(verdict.doubts.items()))
    more = f" (and {len(verdict.doubts) - 1} more)" if len(verdict.doubts) > 1 else ""
    yield wrong(
        "VER014",
        seen,
        f"{first}: the counter of {what} {said}{more}: no verdict",
        "take a new baseline and look again after the same time under load",
        key=first,
    )


def _restarted(seen: Seen) -> Finding:
    return wrong(
        "VER014",
        seen,
        f"its services began again at {seen.observed.started}, and its counters with them: no "
        "verdict on what was before",
        "take a new baseline and look again after the same time under load",
    )


def _grown(seen: Seen, rule: _Kind, place: str, by: int) -> Finding:
    since = "since they were cleared" if seen.baseline is None else "since the baseline"
    severity = Severity.WARNING if seen.baseline is None else rule.severity
    return wrong(
        rule.rule, seen, f"{place}: {by} {rule.what} {since}", rule.hint, severity=severity,
        key=place,
    )  # fmt: skip


def _names(places: Mapping[str, int]) -> str:
    shown = list(places)[:SHOWN]
    more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    return ", ".join(shown) + more
