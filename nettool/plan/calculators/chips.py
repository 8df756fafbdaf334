"""Chips, port lists and cables as the QoS calculators are asked about them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from nettool.catalog.asic import Asic, HeadroomTable
from nettool.catalog.catalog import load_catalog
from nettool.core.errors import UsageError
from nettool.core.provenance import Figure, Input, Origin, Provenance, Trust
from nettool.core.units import parse_speed
from nettool.plan.calculators.calculator import Kind
from nettool.plan.qos.budget import Budget, Load, make_budget
from nettool.plan.qos.chip import Chip, chip_of
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.ports import PortClass
from nettool.plan.qos.variant import (
    VARIANTS,
    Headroom,
    HeadroomQuery,
    Refusal,
    worst_small_packets,
)

_PORTS = re.compile(r"(\d{1,5})\s*x\s*(\d[\w.]*)")
_LANES_AT = 800_000


def chip_named(asic: str, table: str | None = None) -> Chip:
    """A chip of the catalog with its first table, or the named one. Raises UsageError."""
    catalog = load_catalog()
    found = catalog.asic(asic)
    names = (table,) if table else found.headroom_tables
    return chip_of(found, catalog.headroom_table(names[0]) if names else None, Overrides())


def asked(name: str, value: float, unit: str = "") -> Figure:
    """A flag's value as a figure."""
    where = Input(name, value, unit, Origin("command line", (name,)))
    return Figure(value, unit, Provenance("as given", (where,), "", Trust.GIVEN))


def usual_lanes(speed: int) -> int:
    """Lanes of a port where nobody says: 8 at 800G and above, else 4."""
    return 8 if speed >= _LANES_AT else 4


def headroom_of(chip: Chip, variant: str | None, query: HeadroomQuery) -> Headroom:
    """One variant's answer; the chip's own variant where none is named. Raises UsageError."""
    name = variant or chip.asic.headroom_variant
    if name not in VARIANTS:
        raise UsageError(f"no headroom variant {name!r}: choose from {', '.join(VARIANTS)}")
    answer = VARIANTS[name](query)
    if isinstance(answer, Refusal):
        raise UsageError(f"{answer.message}: {answer.hint}")
    return answer


def query_of(  # noqa: PLR0913 - one flag each
    asic: Asic,
    table: HeadroomTable | None,
    *,
    speed: int,
    cable: float,
    mtu: int = 9216,
    lossless_mtu: int = 1024,
    small_packets: float | None = None,
    lanes: int | None = None,
    shared: bool = False,
) -> HeadroomQuery:
    """A headroom query of plain numbers, the public tables' assumptions where not given."""
    return HeadroomQuery(
        asic=asic,
        table=table,
        speed=speed,
        cable=asked("cable", cable, "m"),
        mtu=asked("mtu", mtu, "B"),
        lossless_mtu=asked("lossless-mtu", lossless_mtu, "B"),
        small_packets=worst_small_packets()
        if small_packets is None
        else asked("small-packets", small_packets, "%"),
        lanes=lanes or usual_lanes(speed),
        shared=shared,
    )


def budget_of(
    chip: Chip, ports: str, cable: float, lossless: int, *, shared: bool = False
) -> tuple[Budget, Load]:
    """The buffer budget of a port list with one cable length. Raises UsageError."""
    if chip.buffer is None:
        raise UsageError(f"the packet buffer of {chip.asic.name} is not public")
    headrooms: dict[PortClass, Headroom] = {}
    counts: dict[PortClass, int] = {}
    for count, speed in parse_ports(ports):
        where = Origin("command line", ("ports",))
        port = PortClass(speed, usual_lanes(speed), cable, "nic-leaf", where, lossless=True)
        query = query_of(chip.asic, chip.table, speed=speed, cable=cable)
        headrooms[port] = headroom_of(chip, None, query)
        counts[port] = counts.get(port, 0) + count
    load = Load(headrooms, counts, lossless)
    return make_budget(chip, chip.buffer, load, shared_headroom=shared), load


def parse_ports(text: str) -> Iterator[tuple[int, int]]:
    """Counts and speeds in Mb/s of `64x800G` or `64x400G+32x800G`. Raises ValueError."""
    for part in text.split("+"):
        match = _PORTS.fullmatch(part.strip())
        if not match or not int(match[1]):
            raise ValueError(f"ports such as 64x800G or 64x400G+32x800G are expected, not {text!r}")
        yield int(match[1]), parse_speed(match[2])


def all_ports(chip: Chip, speed: int) -> str:
    """As many ports of a speed as the chip has capacity for."""
    capacity = float(chip.asic.capacity.figure) if chip.asic.capacity else 0.0
    return f"{max(1, math.floor(capacity / speed))}x{speed // 1000}G"


def _ports_text(text: str) -> str:
    list(parse_ports(text))
    return text


PORTS = Kind("64x800G", _ports_text)
"""Ports as COUNTxSPEED, several joined with +."""
