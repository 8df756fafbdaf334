"""What a document is made of: chapters with text, tables and pictures, in no format yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Table(NamedTuple):
    """A table for a screen or a page; without rows its title alone is said."""

    head: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A box of a picture: one device, or several that are alike. Lengths in pixels."""

    x: int
    y: int
    width: int
    height: int
    name: str
    note: str
    kind: str


@dataclass(frozen=True, slots=True)
class Line:
    """A bundle of links between two boxes."""

    x1: int
    y1: int
    x2: int
    y2: int
    width: str
    label: str


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of boxes and lines; `name` is its file without an ending."""

    name: str
    title: str
    width: int
    height: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """One chapter: paragraphs, pictures, tables, then single lines (`points`)."""

    key: str
    title: str
    text: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    points: tuple[str, ...] = ()
