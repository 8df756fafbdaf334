"""Values as people read them in a table: 1,234, 0.5, yes, and - where there is none."""

from __future__ import annotations

import re

NONE = "-"
_NUMBER = re.compile(r"-?[\d,]*\.?\d+(e-?\d+)?")
_SMALL = 0.001
"""Below it a number keeps its digits (1.8e-13), so that it does not read as nothing."""


def shown(value: object) -> str:
    """The text of a cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if value and abs(value) < _SMALL:
            return f"{value:.3g}"
        return f"{value:,.3f}".rstrip("0").rstrip(".")
    if isinstance(value, int):
        return f"{value:,}"
    return NONE if value is None else str(value)


def is_number(text: str) -> bool:
    """Whether a cell's text is a number, or stands for a missing one."""
    return text == NONE or _NUMBER.fullmatch(text) is not None
