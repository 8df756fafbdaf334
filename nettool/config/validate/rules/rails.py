"""Rails: on a rail fabric a leaf serves the NICs of one rail."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache

from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.rule import Context, Fault, fabric_rule
from nettool.core.finding import Severity

_NIC = re.compile(
    r"(?:nic|rail|gpu|rdma|hca|ib|eth|mlx[0-9]_|bond|port)[-_]?([0-9]{1,6})", re.IGNORECASE
)
_MOST = 0.75
"""A leaf that serves one rail with this share of its NICs is meant to serve it alone."""


@fabric_rule(
    "RAL001",
    "a leaf of a rail fabric serves a NIC of another rail",
    Severity.WARNING,
    why="Traffic of a rail stays within its leaf; a NIC on another rail's leaf sends all of it "
    "over the spines, and has no path at all where rails do not meet.",
    fix="Move the cable to the leaf of the NIC's rail.",
    source="NVIDIA DGX SuperPOD reference architecture (rail-optimized compute fabric)",
)
def leaves_serve_one_rail(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """NICs by the number in their name; the leaf's rail as declared, or that of most of its NICs.

    Silent for leaves that serve rails side by side, and for a fabric of one switch. An error
    where the rail was declared.
    """
    rails: defaultdict[str, Counter[int]] = defaultdict(Counter)
    faced = []
    for here, there in fabric.beyond:
        number = _number(there.port)
        if number is not None:
            rails[here.end.device][number] += 1
            faced.append((here.end, there, number))
    told = dict(fabric.declared.rails)
    meant = told or _of_most(rails)
    for end, nic, own in faced:
        rail = meant.get(end.device)
        if rail is not None and own != rail:
            message = f"{nic} is of rail {own}, and {end.device} serves rail {rail}"
            level = Severity.ERROR if told else None
            yield Fault("PORT", end.port, None, message, None, level, end.device)


@lru_cache(maxsize=4096)
def _number(port: str) -> int | None:
    match = _NIC.match(port)
    return int(match[1]) if match else None


def _of_most(rails: dict[str, Counter[int]]) -> dict[str, int]:
    """The rail of each leaf that serves one with most of its NICs; none on a single leaf."""
    found: dict[str, int] = {}
    for name, counts in rails.items():
        rail, count = counts.most_common(1)[0]
        if count > 1 and count >= _MOST * counts.total():
            found[name] = rail
    return found if len(set(found.values())) > 1 else {}
