"""A sheet against the plan: legs that differ, are missing, or hold other values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from nettool.core.finding import Finding, Severity
from nettool.plan.cabling.reading import PlacedRow
from nettool.plan.cabling.sheet import CableRow, cable_rows
from nettool.plan.design.fabric import End, Fabric

_SHOWN = 5
_COMPARED = ("speed", "fec", "length_m", "medium", "a_optic", "b_optic", "tier")

_HINTS = {"length_m": "correct the cell, or give this cable's length in `cables.own`"}


def differences(rows: Iterable[PlacedRow], fabric: Fabric, file: str) -> Iterator[Finding]:
    """What a sheet says otherwise than the plan (CAB020 to CAB022); an empty cell says nothing.

    Legs whose ends no row names are an error, once for the sheet: it is cut short or of another
    fabric. A leg that is joined otherwise is a difference, told at its row.
    """
    planned: dict[End, CableRow] = {}
    for each in cable_rows(fabric):
        for end in _ends(each):
            planned[end] = each
    named: set[End] = set()
    for placed in rows:
        named.update(_ends(placed.row))
        yield from _against(placed, planned, file)
    legs = tuple(dict.fromkeys(planned.values()))
    absent = [each for each in legs if not named.intersection(_ends(each))]
    if absent:
        yield _incomplete(absent, len(legs), file)


def _incomplete(absent: Sequence[CableRow], legs: int, file: str) -> Finding:
    named = ", ".join(f"{_said(a)} to {_said(b)}" for a, b in map(_ends, absent[:_SHOWN]))
    more = f" and {len(absent) - _SHOWN} more" if len(absent) > _SHOWN else ""
    return Finding(
        rule="CAB021",
        severity=Severity.ERROR,
        message=f"the sheet has no row for {len(absent)} of {legs} planned legs: {named}{more}",
        hint="is it cut short, or one of several files? `nettool cabling export` writes every leg",
        file=file,
    )


def _against(placed: PlacedRow, planned: dict[End, CableRow], file: str) -> Iterator[Finding]:
    a, b = _ends(placed.row)
    plan = planned.get(a)
    if plan is None or set(_ends(plan)) != {a, b}:
        yield _difference(
            "CAB020",
            file,
            placed.place,
            f"the sheet joins {_said(a)} and {_said(b)}; the plan has {_far(a, planned)} and "
            f"{_far(b, planned)}",
            "correct the row, or change the fabric file so that the plan says it too",
            placed.row,
        )
        return
    for name in _COMPARED:
        mine = _swapped(name) if _ends(plan) != (a, b) else name
        wanted, said = getattr(plan, mine), getattr(placed.row, name)
        if said and said.casefold() != wanted.casefold():
            yield _difference(
                "CAB022",
                file,
                placed.place,
                f"{_said(a)} to {_said(b)}: {name} is {said} in the sheet, {wanted or 'none'} in "
                "the plan",
                _HINTS.get(name, "correct the cell, or the fabric file"),
                placed.row,
                name,
            )


def _difference(
    rule: str,
    file: str,
    place: str,
    message: str,
    hint: str,
    row: CableRow,
    name: str | None = None,
) -> Finding:
    return Finding(
        rule=rule,
        severity=Severity.WARNING,
        message=message,
        hint=hint,
        file=file,
        key=place or None,
        device=row.b_device,
        field=name,
    )


def _far(end: End, planned: dict[End, CableRow]) -> str:
    row = planned.get(end)
    if row is None:
        return f"{_said(end)} free"
    a, b = _ends(row)
    return f"{_said(end)} to {_said(b if end == a else a)}"


def _ends(row: CableRow) -> tuple[End, End]:
    return End(row.a_device, row.a_port), End(row.b_device, row.b_port)


def _said(end: End) -> str:
    return f"{end.device}:{end.port}"


def _swapped(name: str) -> str:
    return {"a_optic": "b_optic", "b_optic": "a_optic"}.get(name, name)
