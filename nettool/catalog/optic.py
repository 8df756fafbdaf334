"""Cables and transceivers: what carries a speed over a length from one form factor."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nettool.catalog.entry import Entry
from nettool.catalog.fact import Fact

Medium = Literal["dac", "aec", "aoc", "mmf", "smf"]
_CHEAPEST_FIRST: tuple[Medium, ...] = ("dac", "aec", "aoc", "mmf", "smf")


class Optic(Entry):
    """One kind of cable or transceiver. The line is what the other end must speak too.

    `host_lanes` is what the port must give, `line_lanes` what is on copper or fibre; they
    differ where the module has a gearbox.
    """

    about: str = ""
    medium: Medium
    form_factors: tuple[str, ...] = Field(min_length=1)
    speed: int = Field(description="Mb/s of one leg")
    host_lanes: int = Field(ge=1)
    line_lanes: int = Field(ge=1)
    line: str = Field(description="what it speaks on the line, e.g. 400GBASE-DR4")
    reach: Fact = Field(description="longest length, m")

    @property
    def is_copper(self) -> bool:
        """True where the cable has its ends fixed and needs no optics."""
        return self.medium in ("dac", "aec")

    @property
    def rank(self) -> tuple[int, float, str]:
        """Cheaper media first, then shorter reach."""
        return _CHEAPEST_FIRST.index(self.medium), float(self.reach.value), self.name
