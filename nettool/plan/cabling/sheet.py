"""The cable plan as rows: one a leg, with labels for both ends, optics and length."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from nettool.core.units import format_speed
from nettool.plan.design.fabric import Fabric, LinkKind


class CableRow(NamedTuple):
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


_Told = tuple[str, str, str, str, str, str, str]
HEAD = CableRow._fields
LABEL_HEAD = ("label", "device", "port", "to_device", "to_port", "cable")


def cable_rows(fabric: Fabric) -> Iterator[CableRow]:
    """The rows of a design, in link order."""
    legs: dict[int, int] = {}
    width = len(str(len(fabric.links)))
    told: dict[int, _Told] = {}
    for number, link in enumerate(fabric.links, 1):
        cable = link.cable or number
        leg = legs[cable] = legs.get(cable, 0) + 1
        kind = told.get(id(link.kind)) or told.setdefault(id(link.kind), _told(link.kind))
        (speed, fec, length, medium, optic_a, optic_b, tier), a, b = kind, link.a, link.b
        here, there = f"{a.device}:{a.port}", f"{b.device}:{b.port}"
        yield CableRow(
            f"C{cable:0{width}}", leg, a.device, a.port, b.device, b.port, speed, fec, length,
            medium, optic_a, optic_b, f"{here} > {there}", f"{there} > {here}", tier,
        )  # fmt: skip


def _told(kind: LinkKind) -> _Told:
    """What the legs of equal links share, as their rows say it."""
    return (
        format_speed(kind.speed), kind.fec, f"{kind.length:g}", kind.medium, kind.optic,
        kind.optic_b or kind.optic, kind.tier,
    )  # fmt: skip


def cells(row: CableRow) -> list[str]:
    """The row as text, in the order of HEAD."""
    return [row.cable, str(row.leg), *row[2:]]


def labels(rows: Iterable[CableRow]) -> Iterator[list[str]]:
    """Two label rows a leg, one for each end."""
    for row in rows:
        yield [row.a_label, row.a_device, row.a_port, row.b_device, row.b_port, row.cable]
        yield [row.b_label, row.b_device, row.b_port, row.a_device, row.a_port, row.cable]


def csv_text(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Rows as CSV with a head line and line feeds."""
    lines = [tuple(head), *map(tuple, rows)]
    text = "\n".join(map(",".join, lines)) + "\n"
    if _is_plain(text, lines):
        return text
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(lines)
    return buffer.getvalue()


def _is_plain(text: str, lines: Sequence[tuple[str, ...]]) -> bool:
    """Whether no cell needs quotes, so that the joined cells are the CSV: a fifth of its time."""
    if '"' in text or "\r" in text or ("",) in lines:
        return False
    commas = sum(map(len, lines)) - len(lines)
    return text.count(",") == commas and text.count("\n") == len(lines)
