"""What single cells of a sheet mean: speeds, lengths and legs as people write them."""

from __future__ import annotations

import re

from nettool.core.units import format_speed, parse_speed

_NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z']*)\.?", re.IGNORECASE)
_METRES = {
    **dict.fromkeys(("", "m", "metre", "metres", "meter", "meters", "mtr"), 1.0),
    **dict.fromkeys(("cm", "centimetre", "centimetres"), 0.01),
    **dict.fromkeys(("ft", "foot", "feet", "'"), 0.3048),
}
_NOTHING = frozenset({"-", "--", "\u2013", "\u2014", "?", "n/a", "na", "tbd", "tbc"})
_DITTO = frozenset({'"', "''", "\u3003", "\u201d", "ditto", "do."})
_SUMS = frozenset({"total", "totals", "sum", "subtotal", "count"})


def said(text: str, above: str) -> str:
    """A cell's text: empty where a mark stands for nothing, the cell above for a ditto mark."""
    word = text.casefold()
    if word in _DITTO:
        return above
    return "" if word in _NOTHING else text


def is_sum(text: str) -> bool:
    """Whether a cell begins a row of sums."""
    return text.casefold().rstrip(":") in _SUMS


def speed(text: str) -> str:
    """400GbE, 400 Gbps or 400000 as 400G. Raises ValueError."""
    bare = text.replace(" ", "").upper().removesuffix("BPS").removesuffix("B/S")
    if bare.isdigit():
        bare += "M" if int(bare) >= 10_000 else "G"
    try:
        return format_speed(parse_speed(bare.removesuffix("BE")))
    except ValueError:
        raise ValueError(f"a speed such as 400G is expected, not {text!r}") from None


def length(text: str) -> str:
    """Metres as the export writes them, of metres, centimetres or feet. Raises ValueError."""
    found = _NUMBER.fullmatch(text.strip().replace(",", "."))
    if not found or found[2].casefold() not in _METRES:
        raise ValueError(f"a length in metres is expected, not {text!r}")
    return f"{float(found[1]) * _METRES[found[2].casefold()]:g}"


def leg(text: str) -> str:
    """The number of a leg, from 1. Raises ValueError."""
    if not text.isdigit() or not int(text):
        raise ValueError(f"a leg counts from 1, not {text!r}")
    return text
