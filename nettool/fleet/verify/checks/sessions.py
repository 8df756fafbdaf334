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
    if "bgp" in seen.observed.unread:
        return
    for key, name in sorted(seen.plan.sessions.items()):
        neighbor = key.rpartition("|")[2]
        state = seen.observed.bgp.get(neighbor, "unknown to the switch")
        if state != UP:
            yield wrong(
                "VER004",
                seen,
                f"BGP neighbour {neighbor} ({name}) is {state}, not {UP}",
                "look at the link, the addresses and AS numbers of both ends",
                table="BGP_NEIGHBOR",
                key=key,
            )


@CHECKS.add("links")
def links(seen: Seen) -> Iterator[Finding]:
    """A finding for each cabled port that is enabled and not up."""
    if "ports" in seen.observed.unread:
        return
    for port in sorted(seen.cabling.keys() & seen.plan.links, key=natural):
        oper, admin = seen.observed.ports.get(port, ("missing", "missing"))
        if oper != "up":
            far = ":".join(seen.cabling[port])
            yield wrong(
                "VER005",
                seen,
                f"{port} towards {far} is {oper} (admin {admin}), not up",
                "look at the cable, the optics, and speed and FEC of both ends",
                table="PORT",
                key=port,
            )
