"""How CONFIG_DB spells ranges, lists, lengths and references. Pure text to values and back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

Span = range

_INDEX = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?")
_LANES = re.compile(r"[0-9]{1,5}(?:,[0-9]{1,5})*")
_BRACKET = re.compile(r"\[([A-Z0-9_]+)[|:]([^\[\]]+)\]")
_DIGITS = re.compile(r"[0-9]{1,20}")
"""More digits than any number of a row needs, and few enough for `int`."""
_CABLE = re.compile(r"([0-9]{1,6})m")


def is_digits(text: str) -> bool:
    """True for 1 to 20 of the digits 0 to 9; other signs that count as digits are none here."""
    return _DIGITS.fullmatch(text) is not None


@lru_cache(maxsize=4096)
def span_of(text: str) -> Span | None:
    """`3` or `3-4` as a range of indices; None for anything else, empty where reversed."""
    match = _INDEX.fullmatch(text)
    if not match:
        return None
    first = int(match[1])
    return range(first, int(match[2] or first) + 1)


@lru_cache(maxsize=4096)
def digits(text: str) -> tuple[int, ...]:
    """`3,4` as priorities; empty where the text is no such list."""
    parts = text.split(",") if text else []
    return tuple(int(each) for each in parts) if all(map(is_digits, parts)) else ()


@lru_cache(maxsize=65536)
def lanes_of(text: object) -> tuple[int, ...] | None:
    """`0,1,2,3` as lane numbers; None where the text is no such list."""
    if not isinstance(text, str) or not _LANES.fullmatch(text):
        return None
    return tuple(int(each) for each in text.split(","))


@lru_cache(maxsize=4096)
def metres_of(text: object) -> int | None:
    """`40m` as metres; None for anything else."""
    match = _CABLE.fullmatch(text) if isinstance(text, str) else None
    return int(match[1]) if match else None


@lru_cache(maxsize=4096)
def number_of(text: object) -> int | None:
    """A whole number written in a row (`"9100"`, 9100 or `"-1"`); None for anything else."""
    if isinstance(text, bool):
        return None
    if isinstance(text, int):
        return text
    if isinstance(text, str) and is_digits(text.removeprefix("-")):
        return int(text)
    return None


def items_of(value: object) -> tuple[str, ...]:
    """A list field as its items, whether it is stored as an array or as `a,b`."""
    if isinstance(value, str):
        return tuple(value.split(",")) if value else ()
    if isinstance(value, list | tuple):
        return tuple(str(each) for each in value)
    return ()


def unbracketed(text: str) -> tuple[str, str] | None:
    """Table and key of an old reference such as `[BUFFER_PROFILE|x]`; None for a plain name."""
    match = _BRACKET.fullmatch(text)
    return (match[1], match[2]) if match else None


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that `word` was most likely meant to be."""
    found = get_close_matches(word, list(known), 1, 0.72)
    return found[0] if found else None


def ranges(numbers: Iterable[int]) -> str:
    """Sorted numbers as people write them: 0,1,2,5 is `0-2,5`."""
    parts: list[list[int]] = []
    for each in sorted(numbers):
        if parts and each == parts[-1][-1] + 1:
            parts[-1].append(each)
        else:
            parts.append([each])
    return ",".join(str(p[0]) if len(p) == 1 else f"{p[0]}-{p[-1]}" for p in parts)
