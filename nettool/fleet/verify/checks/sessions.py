"""Every BGP neighbour of the configuration is up."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding
from nettool.core.order import natural
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.observed import Seen

UP = "Established"


@CHECKS.add("sessions")
def sessions(seen: Seen) -> Iterator[Finding]:
    """A finding for each intended neighbour whose session is not established."""
    for key, row in sorted(seen.intended.get("BGP_NEIGHBOR", {}).items()):
        neighbor = key.rpartition("|")[2]
        state = seen.observed.bgp.get(neighbor, "unknown to the switch")
        if row.get("admin_status") != "down" and state != UP:
            yield wrong(
                "VER004",
                seen,
                f"BGP neighbour {neighbor} ({row.get('name', 'no name')}) is {state}, not {UP}",
                "look at the link, the addresses and AS numbers of both ends",
                table="BGP_NEIGHBOR",
                key=key,
            )


@CHECKS.add("links")
def links(seen: Seen) -> Iterator[Finding]:
    """A finding for each cabled port that is enabled and not up."""
    for port in sorted(seen.cabling, key=natural):
        oper, admin = seen.observed.ports.get(port, ("missing", "missing"))
        wanted = seen.intended.get("PORT", {}).get(port, {}).get("admin_status")
        if wanted == "up" and oper != "up":
            far = ":".join(seen.cabling[port])
            yield wrong(
                "VER005",
                seen,
                f"{port} towards {far} is {oper} (admin {admin}), not up",
                "look at the cable, the optics, and speed and FEC of both ends",
                table="PORT",
                key=port,
            )
