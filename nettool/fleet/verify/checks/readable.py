"""Everything the checks rest on could be read, and what of it rests on an assumption."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding, Severity
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.observed import Seen

_PROOF = frozenset({"programmed", "pfc_enabled", "pg_drop", "queue_drop", "storm"})
"""Without these nobody knows whether lossless traffic is."""
_NEEDED_BY = {
    "ports": "links",
    "bgp": "sessions",
    "lldp": "neighbors",
    "cabling": "links, neighbors, lossless",
    "pfc_enabled": "lossless",
    "programmed": "programmed",
    "pfc_rx": "congestion",
    "pfc_tx": "congestion",
    "ecn_marked": "congestion",
    "started": "whether counters began again",
}
"""The check that says nothing without it; counters, where none is named."""


@CHECKS.add("readable")
def readable(seen: Seen) -> Iterator[Finding]:
    """A finding for each thing that could not be read: what was not seen is not proved.

    An error where the plan asks for what was not seen, or where it would prove losslessness.
    """
    needed = _needed(seen)
    for name, why in sorted(seen.observed.unread.items()):
        yield wrong(
            "VER020",
            seen,
            f"{name} could not be read: {why}",
            f"not checked: {_NEEDED_BY.get(name, 'counters')}",
            severity=Severity.ERROR if name in needed else Severity.WARNING,
        )
    if seen.no_baseline:
        yield wrong(
            "VER021",
            seen,
            f"no look from before to compare counters with: {seen.no_baseline}",
            "name the folder `collected` of a verify that saw this switch",
        )
    if seen.observed.trust:
        yield wrong(
            "VER022",
            seen,
            seen.observed.trust,
            "compare once with what the switch itself shows",
            severity=Severity.INFO,
        )


def _needed(seen: Seen) -> frozenset[str]:
    asked = {"ports": seen.cabling.keys() & seen.plan.links, "bgp": seen.plan.sessions}
    return _PROOF | {name for name, wanted in asked.items() if wanted}
