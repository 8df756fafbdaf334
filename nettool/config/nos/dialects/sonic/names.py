"""SONiC's words for the device's roles, and the names that our rows are known by."""

from __future__ import annotations

from collections.abc import Mapping

from nettool.core.provenance import Provenance, Traced, Trust
from nettool.plan.design.hashing import SOURCE, TYPE_OF_ROLE

MAP = "AZURE"
"""Name of every QoS map and of the cable list: the one that SONiC's own tools look for."""

DEVICE_TYPES: Mapping[str, str] = {"node": "Server"} | {str(r): t for r, t in TYPE_OF_ROLE.items()}
"""DEVICE_METADATA type by role. orchagent takes the ECMP hash seed from it (0, 10, 25), so
each tier has its own; the other SpineRouter kinds would all share one."""

_TYPE_WHY = Provenance(
    "type by tier, so that each tier hashes with its own seed: ToRRouter 0, LeafRouter 10, "
    "SpineRouter 25",
    source=SOURCE,
    trust=Trust.PUBLISHED,
)


def device_type(role: str) -> Traced:
    """The type of a device of this role, with the seed it brings."""
    return Traced.of(DEVICE_TYPES[role], _TYPE_WHY)


def ranges(numbers: tuple[int, ...]) -> list[str]:
    """Numbers as CONFIG_DB keys write them: (3, 4, 6) is ['3-4', '6']."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [str(low) if low == high else f"{low}-{high}" for low, high in runs]
