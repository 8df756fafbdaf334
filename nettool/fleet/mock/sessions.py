"""The sessions that are open on a mock switch, by the number that `ps -o sess=` shows of them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nettool.fleet.mock.console import Console

FIRST = 4001


class Sessions:
    """Terminals that somebody is logged in on."""

    def __init__(self) -> None:
        self._numbers = itertools.count(FIRST)
        self._open: dict[int, Console] = {}

    def open(self, console: Console) -> int:
        """A terminal was opened; its session's number."""
        number = next(self._numbers)
        self._open[number] = console
        return number

    def close(self, number: int) -> None:
        """It was left."""
        self._open.pop(number, None)

    def of(self, console: Console | None) -> int:
        """The number of a console's session; 0 where it has no terminal."""
        return next((n for n, each in self._open.items() if each is console), 0)

    def kill(self, number: int) -> bool:
        """End a session with all that runs in it; False where there is none of that number."""
        console = self._open.pop(number, None)
        if console is not None:
            console.abort()
        return console is not None
