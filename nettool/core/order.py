"""The natural order of names: Ethernet4 before Ethernet100."""

from __future__ import annotations

import re
from functools import lru_cache

_DIGITS = re.compile(r"(\d+)")


@lru_cache(maxsize=65536)
def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A sort key in which digits count as numbers."""
    parts = _DIGITS.split(name)
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)
