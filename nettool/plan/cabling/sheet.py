"""The cable plan as rows: one a leg, with labels for both ends, optics and length."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from nettool.core.units import format_speed
from nettool.plan.design.fabric import Fabric, Link


@dataclass(frozen=True, slots=True)
class CableRow:
    """One leg of one cable. `cable` numbers the physical cable; its legs share it.

    Lengths are metres, speeds as people write them (400G); labels go on the two ends.
    """

    cable: str
    leg: int
    a_device: str
    a_port: str
    b_device: str
    b_port: str
    speed: str
    fec: str
    length_m: str
    medium: str
    a_optic: str
    b_optic: str
    a_label: str
    b_label: str
    tier: str


HEAD = tuple(each.name for each in fields(CableRow))
LABEL_HEAD = ("label", "device", "port", "to_device", "to_port", "cable")


def cable_rows(fabric: Fabric) -> Iterator[CableRow]:
    """The rows of a design, in link order."""
    legs: dict[int, int] = {}
    width = len(str(len(fabric.links)))
    for number, link in enumerate(fabric.links, 1):
        cable = link.cable or number
        legs[cable] = legs.get(cable, 0) + 1
        yield _row(link, f"C{cable:0{width}}", legs[cable])


def _row(link: Link, cable: str, leg: int) -> CableRow:
    a, b, kind = link.a, link.b, link.kind
    return CableRow(
        cable=cable,
        leg=leg,
        a_device=a.device,
        a_port=a.port,
        b_device=b.device,
        b_port=b.port,
        speed=format_speed(kind.speed),
        fec=kind.fec,
        length_m=f"{kind.length:g}",
        medium=kind.medium,
        a_optic=kind.optic,
        b_optic=kind.optic_b or kind.optic,
        a_label=f"{a.device}:{a.port} > {b.device}:{b.port}",
        b_label=f"{b.device}:{b.port} > {a.device}:{a.port}",
        tier=kind.tier,
    )


def cells(row: CableRow) -> list[str]:
    """The row as text, in the order of HEAD."""
    return [str(getattr(row, name)) for name in HEAD]


def labels(rows: Iterable[CableRow]) -> Iterator[list[str]]:
    """Two label rows a leg, one for each end."""
    for row in rows:
        yield [row.a_label, row.a_device, row.a_port, row.b_device, row.b_port, row.cable]
        yield [row.b_label, row.b_device, row.b_port, row.a_device, row.a_port, row.cable]


def csv_text(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Rows as CSV with a head line and line feeds."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return buffer.getvalue()
