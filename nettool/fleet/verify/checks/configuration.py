"""The switch runs what was intended."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.diff.adopt import diff_running
from nettool.config.diff.masking import masked
from nettool.config.diff.words import in_words
from nettool.core.finding import Finding
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.observed import Seen


@CHECKS.add("configuration")
def configuration(seen: Seen) -> Iterator[Finding]:
    """One finding for each row or field that is not as intended; secrets masked."""
    changes = seen.left
    if changes is None:
        changes, _ = diff_running(seen.device, seen.observed.running, seen.intended)
    for change in masked(changes).changes:
        yield wrong(
            "VER001",
            seen,
            in_words(change),
            "push again, or take the change into the intent",
            table=change.table,
            key=change.key,
            field=change.field,
        )
