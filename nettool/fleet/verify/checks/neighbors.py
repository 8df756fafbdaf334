"""LLDP sees the cabling that was planned."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding
from nettool.core.order import natural
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.observed import Seen


@CHECKS.add("neighbors")
def neighbors(seen: Seen) -> Iterator[Finding]:
    """A finding for each port behind which LLDP sees somebody else than planned.

    A missing entry is no fault by itself: hosts need not speak LLDP, and switches lose entries.
    """
    for port in sorted(seen.observed.lldp, key=natural):
        far = seen.observed.lldp[port]
        planned = seen.cabling.get(port)
        if planned is None and port.startswith("Ethernet"):
            yield wrong(
                "VER006",
                seen,
                f"{port} is planned to be free, LLDP sees {far[0]}:{far[1]}",
                "pull the cable, or plan it",
                key=port,
            )
        elif planned is not None and planned[0] != far[0]:
            yield wrong(
                "VER006",
                seen,
                f"{port} is planned towards {':'.join(planned)}, LLDP sees {far[0]}:{far[1]}",
                "`nettool cabling check` names the fewest moves",
                key=port,
            )
        elif planned is not None and far[1] != planned[1] and far[1].startswith("Ethernet"):
            yield wrong(
                "VER006",
                seen,
                f"{port} is planned towards {planned[0]}:{planned[1]}, LLDP sees port {far[1]}",
                "`nettool cabling check` names the fewest moves",
                key=port,
            )
