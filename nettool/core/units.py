"""Units as types, and their spellings in the user's files: 400G, 5m, 10ms, 64MB.

Inside the program a speed is an int in Mb/s, a length a number in metres, a size bytes and a
time milliseconds or nanoseconds as its name says.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, NewType

from pydantic import AllowInfNan, BeforeValidator, Field, Strict, WithJsonSchema

Mbps = NewType("Mbps", int)
Metres = NewType("Metres", float)
Bytes = NewType("Bytes", int)

_SPEED = re.compile(r"(\d{1,7}(?:\.\d+)?)\s*([MGT])(?:b(?:it)?/?s|bps)?", re.IGNORECASE)
_LENGTH = re.compile(r"(\d{1,6}(?:\.\d+)?)\s*(m|km|cm)?", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,18}(?:\.\d+)?)\s*(B|[KMGT]i?B)?", re.IGNORECASE)
_SCALE = {"M": 1, "G": 1_000, "T": 1_000_000}
_SIZES = {
    "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40,
}  # fmt: skip


def parse_speed(text: object) -> Mbps:
    """`400G`, `1.6T` or `100M` as Mb/s. Raises ValueError."""
    match = _SPEED.fullmatch(text.strip()) if isinstance(text, str) else None
    if not match:
        raise ValueError(f"a speed such as 400G is expected, not {text!r}")
    speed = float(match[1]) * _SCALE[match[2].upper()]
    if not speed.is_integer() or speed <= 0:
        raise ValueError(f"{text!r} is not a whole number of Mb/s above 0")
    return Mbps(int(speed))


def format_speed(speed: int) -> str:
    """Mb/s as people write it: 400000 is 400G, 1600000 is 1600G."""
    return f"{speed // 1000}G" if speed % 1000 == 0 else f"{speed}M"


def parse_length(text: object) -> Metres:
    """`5m`, `0.3km` or a bare number of metres. Raises ValueError."""
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        raise ValueError(f"a length such as 5m is expected, not {text!r}")
    match = _LENGTH.fullmatch(str(text).strip())
    if not match:
        raise ValueError(f"a length such as 5m is expected, not {text!r}")
    factor = {"km": 1000.0, "cm": 0.01}.get((match[2] or "m").lower(), 1.0)
    return Metres(float(match[1]) * factor)


def parse_size(text: object) -> Bytes:
    """`64MB`, `64MiB` or a bare number of bytes. Raises ValueError."""
    if isinstance(text, bool) or not isinstance(text, str | int):
        raise ValueError(f"a size such as 64MiB or a number of bytes is expected, not {text!r}")
    match = _SIZE.fullmatch(str(text).strip())
    if not match:
        raise ValueError(f"a size such as 64MiB or a number of bytes is expected, not {text!r}")
    size = float(match[1]) * _SIZES[(match[2] or "B").upper()]
    if not size.is_integer():
        raise ValueError(f"{text!r} is not a whole number of bytes")
    return Bytes(int(size))


def _schema(pattern: str, example: str, **largest: int) -> WithJsonSchema:
    """Text of a pattern, or a bare number of a type up to its largest."""
    forms: list[dict[str, Any]] = [{"type": "string", "pattern": pattern}]
    forms += [{"type": kind, "minimum": 0, "maximum": most} for kind, most in largest.items()]
    return WithJsonSchema({"anyOf": forms, "examples": [example]})


Speed = Annotated[
    Mbps, BeforeValidator(parse_speed), _schema(r"^\d{1,7}(\.\d+)?\s*[MGTmgt]", "400G")
]
"""A port or NIC speed in a file: `400G`; in the program Mb/s."""
Length = Annotated[
    Metres,
    BeforeValidator(parse_length),
    _schema(r"^\d{1,6}(\.\d+)?\s*(m|km|cm)?$", "5m", number=999_999),
]
"""A cable length in a file: `5m` or 5; in the program metres."""
Size = Annotated[
    Bytes,
    BeforeValidator(parse_size),
    _schema(r"^\d{1,18}(\.\d+)?\s*([KMGT]i?)?B?$", "64MiB", integer=10**18 - 1),
]
"""A size in a file: `64MiB` or bytes; in the program bytes."""
Whole = Annotated[int, Strict()]
"""A whole number as such: `true` and `"16"` are none."""
Real = Annotated[float, Strict(), AllowInfNan(False)]
"""A number as such: neither text nor `true`, and no infinity."""
Flag = Annotated[bool, Strict()]
"""`true` or `false`, not 1 or "yes"."""
Count = Annotated[Whole, Field(ge=1, le=1 << 40)]
