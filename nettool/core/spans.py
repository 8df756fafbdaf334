"""Many names in few words: `Ethernet0-252, Ethernet256-504 (96 rows)`.

A span runs from a name to the last that follows it by the same step, so ports of one width are
one span. The parts of a row's key fold on their own: `Ethernet0-252|0,7`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from nettool.core.order import natural

_NUMBERED = re.compile(r"(\D*)(\d+)(\D*)")
_FEW_NAMES = 3
_FEW_SPANS = 4
_LEAST = 3
"""A step has to be seen twice: fewer names are no span."""


def named(names: Iterable[str], noun: str) -> str:
    """Names as spans with their number; a few names as they are."""
    found = sorted(set(names), key=natural)
    if len(found) <= _FEW_NAMES:
        return ", ".join(found)
    told = spans(found)
    if len(told) > _FEW_SPANS:
        told = [f"{told[0]}, {told[1]} … {told[-1]}"]
    return f"{', '.join(told)} ({len(found)} {noun})"


def spans(names: Iterable[str]) -> list[str]:
    """Names as spans, in natural order; a name that is in no span stands alone."""
    tails: dict[tuple[str, str], list[str]] = {}
    for name in sorted(set(names), key=natural):
        head, bar, tail = name.partition("|")
        tails.setdefault((head, bar), []).append(tail)
    heads: dict[str, list[str]] = {}
    for (head, bar), own in tails.items():
        heads.setdefault(bar + ",".join(spans(own)) if bar else "", []).append(head)
    return [span + tail for tail, alike in heads.items() for span in _runs(alike)]


def _runs(names: Sequence[str]) -> Iterator[str]:
    """Spans of names that have one number each; the rest as they are."""
    families: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        found = _NUMBERED.fullmatch(name)
        if found:
            families.setdefault((found[1], found[3]), []).append(found[2])
        else:
            families[(name,)] = []
    for family, numbers in families.items():
        yield from (each.join(family) for each in _stretches(numbers)) if numbers else family


def _stretches(numbers: Sequence[str]) -> Iterator[str]:
    """Digits in rising order as stretches of one step: 0, 4, 8, 16, 24, 32 is 0-8, 16-32."""
    start = 0
    while start < len(numbers):
        end = _end(numbers, start)
        if end - start + 1 >= _LEAST:
            yield f"{numbers[start]}-{numbers[end]}"
            start = end + 1
        else:
            yield numbers[start]
            start += 1


def _end(numbers: Sequence[str], start: int) -> int:
    """The last of the stretch that begins here; one that leads a wider stretch is left to it."""
    steps = [int(b) - int(a) for a, b in zip(numbers[start:], numbers[start + 1 :], strict=False)]
    alike = next((n for n, step in enumerate(steps) if step != steps[0]), len(steps))
    leads = alike >= _LEAST and alike + 1 < len(steps) and steps[alike] == steps[alike + 1]
    return start + alike - leads
