"""`calc headroom`: what may still arrive after a pause was sent, by a named variant."""

from __future__ import annotations

from nettool.core.provenance import Figure
from nettool.plan.calculators.calculator import (
    COUNT,
    LENGTH,
    NUMBER,
    SPEED,
    SWITCH,
    TEXT,
    Calculation,
    Flag,
    calculator,
    exact,
)
from nettool.plan.calculators.chips import chip_named, headroom_of, query_of


@calculator(
    "headroom",
    "PFC headroom of one lossless priority group, by a named variant",
    Flag("asic", TEXT, "teralynx10", "chip of the catalog"),
    Flag("variant", TEXT, help="sonic, table, qbb, simple, quanta or bcm; default: the chip's",
         optional=True),
    Flag("speed", SPEED, 400_000, "port speed"),
    Flag("cable", LENGTH, 40.0, "cable length"),
    Flag("mtu", COUNT, 9216, "port MTU, bytes"),
    Flag("lossless_mtu", COUNT, 1024, "largest lossless frame, bytes"),
    Flag("small_packets", NUMBER, 100.0, "64 B packets among them, percent"),
    Flag("lanes", COUNT, help="lanes of the port; default 8 from 800G, else 4", optional=True),
    Flag("shared_headroom", SWITCH, False, "one pool holds the headroom of all ports"),
    Flag("table", TEXT, help="headroom table; default: the chip's first", optional=True),
)  # fmt: skip
def headroom(  # noqa: PLR0913 - one parameter a flag
    *,
    asic: str,
    variant: str | None,
    speed: int,
    cable: float,
    mtu: int,
    lossless_mtu: int,
    small_packets: float,
    lanes: int | None,
    shared_headroom: bool,
    table: str | None,
) -> Calculation:
    """Headroom of a port class; xon and size are null where the variant has none."""
    chip = chip_named(asic, table)
    query = query_of(
        chip.asic,
        chip.table,
        speed=speed,
        cable=cable,
        mtu=mtu,
        lossless_mtu=lossless_mtu,
        small_packets=small_packets,
        lanes=lanes,
        shared=shared_headroom,
    )
    answer = headroom_of(chip, variant, query)
    name = variant or chip.asic.headroom_variant
    return Calculation(
        result={
            "xoff": exact(answer.xoff.value),
            "xon": _number(answer.xon),
            "size": _number(answer.size),
            "cable_used": exact(answer.cable.value),
            "xon_offset": _number(answer.xon_offset),
        },
        units={"xoff": "B", "xon": "B", "size": "B", "cable_used": "m", "xon_offset": "B"},
        formula=f"{name}: {answer.xoff.why.formula}",
        source=answer.xoff.why.source,
        trust=answer.xoff.why.trust,
    )


def _number(figure: Figure | None) -> int | float | None:
    return None if figure is None else exact(figure.value)
