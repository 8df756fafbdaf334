"""A restart would bring back the same configuration."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.diff.masking import masked
from nettool.config.diff.tables import diff_tables
from nettool.core.finding import Finding
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.observed import Seen

SHOWN = 3


@CHECKS.add("saved")
def saved(seen: Seen) -> Iterator[Finding]:
    """A finding where the saved file is broken or differs from what runs."""
    if seen.observed.saved is None:
        yield wrong(
            "VER003", seen, "the saved file is missing or broken", "save the configuration there"
        )
        return
    unsaved = seen.unsaved
    if unsaved is None:
        # what a restart would change: rows that a daemon writes again are no loss
        unsaved = diff_tables(seen.device, seen.observed.running, seen.observed.saved)
    left = masked(unsaved).changes
    if left:
        rows = ", ".join(f"{each.table}|{each.key}" for each in left[:SHOWN])
        places = "1 place" if len(left) == 1 else f"{len(left)} places"
        more = f" and {len(left) - SHOWN} more" if len(left) > SHOWN else ""
        yield wrong(
            "VER003",
            seen,
            f"the saved file differs from what runs in {places}: {rows}{more}",
            "push again, or save the configuration there if the change is wanted",
        )
