"""BGP runs with the AS numbers that are planned: its own, and those of the neighbours."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.expected import as_numbers_of
from nettool.fleet.verify.observed import Seen


@CHECKS.add("as_numbers")
def as_numbers(seen: Seen) -> Iterator[Finding]:
    """A finding for each AS number of FRR that is another one than planned.

    Where CONFIG_DB has the planned one, the two have parted: a restart would change sessions.
    """
    if "bgp" in seen.observed.unread:
        return
    runs, stands = seen.observed.as_numbers, as_numbers_of(seen.observed.tables)
    for neighbor, planned in sorted(seen.plan.as_numbers.items()):
        actual = runs.get(neighbor, 0)
        if actual in {0, planned}:
            continue
        who = f"BGP neighbour {neighbor}" if neighbor else "BGP"
        parted = stands.get(neighbor) == planned
        why = f": CONFIG_DB has {planned}, and FRR did not follow it" if parted else ""
        hint = (
            "sudo systemctl restart bgp there starts FRR with what CONFIG_DB has"
            if parted
            else "push again, or find out who configured FRR beside CONFIG_DB"
        )
        yield wrong(
            "VER009",
            seen,
            f"{who} runs in AS {actual}, not {planned}{why}",
            hint,
            table="BGP_NEIGHBOR" if neighbor else "DEVICE_METADATA",
            key=neighbor or "localhost",
        )
