"""Everything the checks rest on could be read."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding, Severity
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.observed import Seen

_PROOF = frozenset({"programmed", "pfc_enabled", "pg_drop", "queue_drop", "storm"})
"""Without these nobody knows whether lossless traffic is."""


@CHECKS.add("readable")
def readable(seen: Seen) -> Iterator[Finding]:
    """A finding for each thing that could not be read: what was not seen is not proved."""
    for name, why in sorted(seen.observed.unread.items()):
        yield wrong(
            "VER020",
            seen,
            f"{name} could not be read: {why}",
            "the checks that need it say nothing",
            severity=Severity.ERROR if name in _PROOF else Severity.WARNING,
        )
