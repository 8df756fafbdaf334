"""Headroom: what may still arrive after a pause was sent, by a named way to compute it.

A member of `variants/` answers a `HeadroomQuery` with a `Headroom`, or a `Refusal` that says
why it cannot. Members: table, sonic, qbb, quanta, simple, bcm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nettool.catalog.asic import Asic, HeadroomTable
from nettool.core.provenance import Figure
from nettool.core.registry import Registry
from nettool.plan.qos.trace import assumed


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadroomQuery:
    """One port class: speed in Mb/s, cable in metres, MTUs in bytes, small packets in percent.

    `lanes` of the port; `shared` true where a shared headroom pool holds the headroom.
    """

    asic: Asic
    speed: int
    cable: Figure
    mtu: Figure
    lossless_mtu: Figure
    small_packets: Figure
    lanes: int = 4
    shared: bool = False
    table: HeadroomTable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Headroom:
    """The answer, bytes; None where the variant has no such figure.

    `cable` is the length it holds for: with a table, the row's.
    """

    cable: Figure
    xoff: Figure
    xon: Figure | None = None
    size: Figure | None = None
    xon_offset: Figure | None = None
    threshold: Figure | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no headroom figure, and what to do."""

    message: str
    hint: str


HeadroomVariant = Callable[[HeadroomQuery], Headroom | Refusal]
VARIANTS: Registry[HeadroomVariant] = Registry("nettool.plan.qos.variants")


def no_response(speed: int) -> Refusal:
    """The refusal of a speed without a pause response."""
    return Refusal(
        f"no pause response time is published for {speed // 1000}G",
        "use the platform's own table (variant table), or another port speed",
    )


def worst_small_packets() -> Figure:
    """All packets small: the worst case for cells, and what published tables are made for."""
    return assumed(100, "%", "every packet in flight is 64 B: the worst case for cells")
