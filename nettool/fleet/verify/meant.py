"""Which of the known names a wrong one was meant for: a hint, at a bounded cost."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches

_NUMBER = re.compile(r"0*(\d+)")
_MARKS = re.compile(r"[^a-z0-9]")
_COMPARED = 100_000
"""Names compared letter by letter at the most: of more, only other spellings are found."""


class Meant:
    """The names that a wrong one may stand for."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = sorted(names)
        self._by_spelling = {_spelling(each): each for each in reversed(self._names)}
        self._left = _COMPARED

    def by(self, word: str) -> str | None:
        """The name in another spelling (case, domain, marks, zeros), else one that is close."""
        if known := self._by_spelling.get(_spelling(word)):
            return known
        self._left -= len(self._names)
        close = get_close_matches(word, self._names, n=1) if self._left >= 0 else []
        return close[0] if close else None


def _spelling(name: str) -> str:
    host = name.casefold().partition(".")[0]
    return _NUMBER.sub(r"\1", _MARKS.sub("", host))
