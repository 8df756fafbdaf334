"""What goes between two ports: the cheapest cable or pair of transceivers that both ends take.

The two ends must speak the same line; lane counts of the ports may differ only where a
transceiver with a gearbox stands between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nettool.catalog.catalog import Catalog
from nettool.catalog.optic import Optic


@dataclass(frozen=True, slots=True)
class PortKind:
    """What a port is to a cable: form factor of its cage, and its lanes."""

    form_factor: str
    lanes: int


@dataclass(frozen=True, slots=True)
class Media:
    """Medium with the optic at each end; empty names where the ends are fixed copper or open."""

    medium: str
    optic_a: str
    optic_b: str


def choose_media(
    catalog: Catalog, speed: int, length: float, a: PortKind, b: PortKind
) -> Media | None:
    """The cheapest medium for `length` metres, None where the catalog has none."""
    found = min(_pairs(catalog, speed, length, a, b), key=_rank, default=None)
    if not found:
        return None
    one, other = found
    return Media(one.medium, one.name, other.name)


def can_meet(catalog: Catalog, speed: int, a: PortKind, b: PortKind) -> bool:
    """Whether any cable or pair of transceivers joins the two, however short."""
    return next(_pairs(catalog, speed, 0.0, a, b), None) is not None


def _pairs(
    catalog: Catalog, speed: int, length: float, a: PortKind, b: PortKind
) -> Iterator[tuple[Optic, Optic]]:
    fitting = [each for each in catalog.optics() if each.speed == speed and _reaches(each, length)]
    for one in fitting:
        for other in fitting:
            same_cable = one.is_copper or one.medium == "aoc" or other.is_copper
            if same_cable and one is not other:
                continue
            if one.line == other.line and _takes(a, one) and _takes(b, other):
                yield one, other


def _reaches(optic: Optic, length: float) -> bool:
    return float(optic.reach.value) >= length


def _takes(port: PortKind, optic: Optic) -> bool:
    return port.form_factor in optic.form_factors and port.lanes == optic.host_lanes


def _rank(pair: tuple[Optic, Optic]) -> tuple[object, ...]:
    return max(pair[0].rank, pair[1].rank), pair[0].name, pair[1].name
