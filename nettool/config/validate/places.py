"""Where things stand in a JSON text: line and column of a key or value, found only when asked.

`find` walks down to the wanted paths and skips the rest at the speed of the C decoder, so one
finding in a file of half a megabyte costs milliseconds. `duplicates` reads the whole text.
"""

from __future__ import annotations

import re
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from json import JSONDecoder

Path = tuple[str, ...]
Position = tuple[int, int]

_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = JSONDecoder(parse_int=str, parse_float=str)


@dataclass(frozen=True, slots=True)
class Packed:
    """A text put away small until a place in it is asked for: few of many files have findings."""

    data: bytes

    @classmethod
    def of(cls, data: bytes) -> Packed:
        """UTF-8 text, put away."""
        return cls(zlib.compress(data, 1))

    @property
    def text(self) -> Text:
        """The text again."""
        return Text(zlib.decompress(self.data).decode())


@dataclass(frozen=True)
class Text:
    """A JSON text whose offsets can be told as line and column, both from 1."""

    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def position(self, offset: int) -> Position:
        """Line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def find(self, paths: Iterable[Path]) -> dict[Path, Position]:
        """Positions of the values at `paths`; of the key where a path ends at an object.

        A path that does not exist gets the place of its nearest parent. The text must be JSON.
        """
        wanted = set(paths)
        tree = _tree(wanted)
        offsets: dict[Path, int] = {(): 0}
        start = _skip_blank(self.text, 0)
        if self.text[start : start + 1] == "{":
            self._descend(start, (), tree, offsets)
        return {path: self.position(_nearest(path, offsets)) for path in wanted}

    def _descend(
        self, start: int, path: Path, tree: dict[Path, set[str]], offsets: dict[Path, int]
    ) -> None:
        names = tree.get(path, set())
        for name, key_at, value_at in members(self.text, start):
            if name not in names:
                continue
            here = (*path, name)
            is_object = self.text[value_at] == "{"
            offsets[here] = key_at if is_object or here in tree else value_at
            if is_object and here in tree:
                self._descend(value_at, here, tree, offsets)

    def duplicates(self) -> Iterator[tuple[Path, Position, Position]]:
        """Keys that stand twice in one object: path, first place, second place."""
        stack: list[tuple[int, Path]] = [(_skip_blank(self.text, 0), ())]
        while stack:
            start, path = stack.pop()
            seen: dict[str, int] = {}
            for name, key_at, value_at in members(self.text, start):
                if name in seen:
                    yield (*path, name), self.position(seen[name]), self.position(key_at)
                seen.setdefault(name, key_at)
                if self.text[value_at] == "{":
                    stack.append((value_at, (*path, name)))


def members(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """The members of the JSON object at `start`: name, offset of the name, of the value."""
    at = _skip_blank(text, start + 1)
    while text[at : at + 1] == '"':
        name, end = _DECODER.raw_decode(text, at)
        value_at = _skip_blank(text, _skip_blank(text, end) + 1)
        yield name, at, value_at
        _, end = _DECODER.raw_decode(text, value_at)
        at = _skip_blank(text, end)
        if text[at : at + 1] == ",":
            at = _skip_blank(text, at + 1)


def _skip_blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _tree(paths: Iterable[Path]) -> dict[Path, set[str]]:
    tree: dict[Path, set[str]] = {}
    for path in paths:
        for depth, name in enumerate(path):
            tree.setdefault(path[:depth], set()).add(name)
    return tree


def _nearest(path: Path, offsets: dict[Path, int]) -> int:
    while path not in offsets:
        path = path[:-1]
    return offsets[path]
