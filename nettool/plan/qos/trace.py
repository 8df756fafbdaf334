"""Short ways to say where a figure of the QoS plan comes from."""

from __future__ import annotations

from nettool.core.provenance import Figure, Input, Origin, Provenance, Trust, weakest

FILE = "fabric.yaml"


def derived(formula: str, *inputs: Input, source: str = "", bound: str = "") -> Provenance:
    """A computed value: as believable as the weakest of `inputs`."""
    trusts = (each.why.trust for each in inputs if each.why)
    return Provenance(formula, inputs, source, weakest(Trust.COMPUTED, *trusts), bound)


def looked_up(what: str, source: str, trust: Trust = Trust.PUBLISHED, *inputs: Input) -> Provenance:
    """A value that stands in a table or a document."""
    return Provenance(what, inputs, source, trust)


def given(value: float, unit: str, *path: str | int, file: str = FILE) -> Figure:
    """A value that stands in the operator's file at `path`."""
    where = Input(".".join(map(str, path)), value, unit, Origin(file, path))
    return Figure(value, unit, Provenance("as given", (where,), file, Trust.GIVEN))


def assumed(value: float, unit: str, reason: str, source: str = "") -> Figure:
    """A value nobody gave; `reason` says why this one."""
    return Figure(value, unit, Provenance(reason, (), source, Trust.ASSUMED))
