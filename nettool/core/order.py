"""The natural order of names, Ethernet4 before Ethernet100, and of the cells of a sheet."""

from __future__ import annotations

import re
from functools import lru_cache

_DIGITS = re.compile(r"(\d{1,4000})")
_CELL = re.compile(r"(?:(.*)!)?([A-Z]{1,3})([1-9]\d*)")


@lru_cache(maxsize=65536)
def natural(name: str) -> tuple[str | int, ...]:
    """A sort key in which digits count as numbers: words and numbers by turns, a word first."""
    parts: list[str | int] = [*_DIGITS.split(name)]
    parts[1::2] = map(int, parts[1::2])
    return tuple(parts)


def cell_order(place: str) -> tuple[str, int, str] | None:
    """Sheet, row and column of a cell (`Sheet!B7`, `B7`) as a sort key; None where it is none."""
    found = _CELL.fullmatch(place)
    return (found[1] or "", int(found[3]), found[2].rjust(3)) if found else None
