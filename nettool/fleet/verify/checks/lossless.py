"""The lossless set is programmed, not only configured."""

from __future__ import annotations

from collections.abc import Iterator, Set

from nettool.core.finding import Finding
from nettool.core.order import natural
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.observed import Seen


@CHECKS.add("lossless")
def lossless(seen: Seen) -> Iterator[Finding]:
    """A finding for each port whose lossless priorities in use are not the intended ones."""
    programmed = seen.observed.counters.get("pfc_enabled", {})
    if "pfc_enabled" in seen.observed.unread:
        return
    for port, wanted in sorted(seen.plan.lossless.items(), key=lambda each: natural(each[0])):
        have = {key.partition("|")[2] for key in programmed if key.partition("|")[0] == port}
        if wanted != have:
            yield wrong(
                "VER007",
                seen,
                f"{port} pauses priorities {_names(have)}, intended are {_names(wanted)}",
                "the profile may have been refused by the chip: see the switch's syslog",
                table="PORT_QOS_MAP",
                key=port,
                field="pfc_enable",
            )


def _names(priorities: Set[str]) -> str:
    return ",".join(sorted(priorities)) or "none"
