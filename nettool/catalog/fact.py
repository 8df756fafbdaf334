"""A figure of the catalog: value, unit, source and trust, never one without the others."""

from __future__ import annotations

from pydantic import Field

from nettool.core.model import Model
from nettool.core.provenance import Figure, Input, Provenance, Trust


class Fact(Model):
    """One figure about hardware, as its file gives it."""

    value: int | float | str | bool = Field(description="the figure itself, in `unit`")
    unit: str = Field(default="", description="B, ns, m, Mb/s, or empty for a plain count or word")
    source: str = Field(min_length=3, description="where it was read: document, file, or table")
    trust: Trust = Field(description="how far it can be believed")

    @property
    def why(self) -> Provenance:
        """Its provenance: looked up, not computed."""
        return Provenance("looked up in the catalog", (), self.source, self.trust)

    @property
    def figure(self) -> Figure:
        """The fact as a planned number. Raises TypeError for a word."""
        if isinstance(self.value, str):
            raise TypeError(f"{self.value!r} is not a number")
        return Figure(self.value, self.unit, self.why)

    def as_input(self, name: str) -> Input:
        """The fact as an input of a formula."""
        return Input(name, self.value, self.unit, why=self.why)
