"""No push is under way or waits to be confirmed."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.observed import Seen


@CHECKS.add("guard")
def guard(seen: Seen) -> Iterator[Finding]:
    """A finding where the guard is armed: the switch may go back by itself."""
    if seen.observed.guard:
        yield wrong(
            "VER002",
            seen,
            f"the guard is armed by {seen.observed.guard}",
            "wait for that push, or `nettool confirm` it",
        )
