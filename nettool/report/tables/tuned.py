"""Suggested thresholds in tables: the figures with their limits, and what they do."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.provenance import Figure
from nettool.core.spans import named
from nettool.fleet.telemetry.tune import Tuning
from nettool.fleet.telemetry.tuning_search import Suggestion
from nettool.report.page import Table


def suggestion_table(tuning: Tuning) -> Table:
    """One row a figure, for all ports of a kind."""
    head = ("figure", "ports", "switches", "present", "suggested", "unit", "lower limit",
            "upper limit", "rule", "trust")  # fmt: skip
    rows = [
        (str(s.setting), s.ports, named(s.devices, "switches"), s.present.value,
         s.suggested.value, s.suggested.unit or None, s.bounds.lower.value.value,
         s.bounds.upper.value.value, s.rule, str(s.suggested.why.trust))
        for s in tuning.suggestions
    ]  # fmt: skip
    return Table(head, rows, "suggested, within proven limits")


def reasons(suggestion: Suggestion) -> Iterator[str]:
    """Why one figure is suggested, and what bounds it, in lines."""
    bounds = suggestion.bounds
    yield f"{suggestion.setting}: {suggestion.wish.reason}"
    yield f"  seen at {suggestion.wish.sights[-1].text}"
    yield f"  = {_traced(suggestion.suggested)}"
    for name, limit in (("not below", bounds.lower), ("not above", bounds.upper)):
        yield f"  {name} {_number(limit.value)}: {limit.why}"
        if limit.value.why.formula not in limit.why:
            yield f"    {_traced(limit.value)}"
    if bounds.certain:
        yield f"  {bounds.certain.why}: up to {_number(bounds.certain.value)}"
        yield f"    {_traced(bounds.certain.value)}"
    for claim, margins in _margins(suggestion).items():
        yield f"  margin, with this alone: {claim}: {margins}"


def _margins(suggestion: Suggestion) -> dict[str, str]:
    """How much room is left of each claim, as planned and with this figure alone."""
    found: dict[str, str] = {}
    for each in suggestion.moved:
        unit = each.before.right.unit
        told = f"{each.before.margin:,.0f} -> {each.after.margin:,.0f} {unit}"
        found.setdefault(each.before.claim, told)
    return found


def _traced(figure: Figure) -> str:
    """Its formula, source and trust."""
    why = figure.why
    return f"{why.formula} ({'; '.join(filter(None, (why.source, str(why.trust))))})"


def moved_table(tuning: Tuning) -> Table:
    """Claims of the proof whose numbers move."""
    head = ("switches", "claim", "left", "now", "right", "now", "unit", "holds", "now")
    rows = [
        (named(m.devices, "switches"), m.before.claim, m.before.left.value, m.after.left.value,
         m.before.right.value, m.after.right.value, m.after.right.unit, m.before.holds,
         m.after.holds)
        for m in tuning.moved
    ]  # fmt: skip
    none = "" if rows else ": no number of a claim moves"
    return Table(head, rows, f"what they do to the proof{none}")


def shift_table(tuning: Tuning) -> Table:
    """Cases of the simulation that change: as planned, and with the suggestions."""
    head = ("switches", "egress", "case", "dropped B", "now", "first mark us", "now",
            "first pause us", "now", "pauses", "now", "headroom B", "now")  # fmt: skip
    rows = []
    for each in tuning.shifts:
        case = each.before.scenario
        row: list[object] = [named(each.devices, "switches"), case.port, case.kind]
        for name in ("dropped", "first_mark", "first_pause", "pauses", "headroom"):
            row += [_value(getattr(side, name)) for side in (each.before, each.after)]
        rows.append(tuple(row))
    none = "" if rows else ": no case changes"
    return Table(head, rows, f"what they do in the simulation{none}")


def _value(figure: Figure | None) -> float | None:
    return None if figure is None else figure.value


def _number(figure: Figure) -> str:
    return f"{figure.value:,} {figure.unit}".strip()
