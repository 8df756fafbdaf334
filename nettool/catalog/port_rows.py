"""Cages and modes read out of port_config.ini rows, where a breakout stands written out.

Rows of one index are one cage if the breakout rules make exactly these rows of it; otherwise
each row is a cage of its own. Several SKUs of one switch share the widest cages seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from nettool.catalog.platform_files import PlatformPort, PortRow
from nettool.core.breakout import Child, Parent, children, read_mode
from nettool.core.order import natural

_UNTOLD = -1
"""The index of a cage whose rows tell none."""


@dataclass(frozen=True, slots=True)
class WrittenCage:
    """A cage with the rows that one SKU has of it."""

    rows: tuple[PortRow, ...]

    @property
    def name(self) -> str:
        """Its first port."""
        return self.rows[0].name

    @property
    def lanes(self) -> tuple[int, ...]:
        """Lanes of its rows, in row order."""
        return tuple(lane for row in self.rows for lane in row.lanes)


def cages_of(skus: Iterable[Sequence[PortRow]]) -> dict[str, PlatformPort]:
    """The cages behind the rows of all SKUs of a switch, without modes yet, by first port.

    The widest are taken first; what overlaps with one taken is part of it. A cage whose rows
    tell no index has its place on the switch, from 1.
    """
    every = [cage for rows in skus for cage in _grouped(rows)]
    every.sort(key=lambda each: (-len(each.lanes), natural(each.name)))
    taken: set[int] = set()
    found: dict[str, PlatformPort] = {}
    for cage in every:
        if taken.isdisjoint(cage.lanes) and cage.name not in found:
            taken.update(cage.lanes)
            found[cage.name] = _bare(cage)
    placed = enumerate(sorted(found.items(), key=lambda each: natural(each[0])), 1)
    return {
        name: cage if cage.indexes[0] != _UNTOLD else _at(cage, place)
        for place, (name, cage) in placed
    }


def _at(cage: PlatformPort, place: int) -> PlatformPort:
    return replace(cage, indexes=(place,) * len(cage.lanes))


def rows_by_cage(
    rows: Sequence[PortRow], cages: Iterable[PlatformPort]
) -> tuple[dict[str, tuple[PortRow, ...]], tuple[PortRow, ...]]:
    """Rows by the first port of the cage that has their lanes, and rows that no cage has."""
    owner = {lane: each.name for each in cages for lane in each.lanes}
    found: dict[str, list[PortRow]] = {}
    homeless: list[PortRow] = []
    for row in rows:
        owners = {owner.get(lane) for lane in row.lanes}
        name = owners.pop() if len(owners) == 1 else None
        if name is None:
            homeless.append(row)
        else:
            found.setdefault(name, []).append(row)
    return {name: tuple(each) for name, each in found.items()}, tuple(homeless)


def mode_of(rows: Sequence[PortRow], lanes: int) -> str:
    """The breakout mode that these rows are, on a cage of `lanes` lanes."""
    runs = [
        (len(list(same)), speed, width)
        for (speed, width), same in groupby(rows, key=lambda row: (row.speed or 0, len(row.lanes)))
    ]
    whole = len(runs) == 1 and runs[0][0] == lanes // runs[0][2]
    return "+".join(
        f"{count}x{_rate(speed)}" + ("" if whole else f"({count * width})")
        for count, speed, width in runs
    )


def makes(port: PlatformPort, mode: str, rows: Sequence[PortRow]) -> bool:
    """Whether the mode makes exactly these rows of the cage: names, lanes and speeds."""
    made = _made(port, mode, [row.alias for row in rows])
    wanted = [(row.name, row.lanes, row.speed or 0) for row in rows]
    return [(each.name, each.lanes, each.speed) for each in made] == wanted


def rated_by(port: PlatformPort, rows: Sequence[PortRow]) -> Sequence[PortRow]:
    """Rows with the speeds of the mode that makes them, where the file gives none."""
    if all(row.speed for row in rows):
        return rows
    for mode, aliases in port.modes.items():
        made = _made(port, mode, aliases)
        if [(each.name, each.lanes) for each in made] == [(row.name, row.lanes) for row in rows]:
            return [replace(row, speed=each.speed) for row, each in zip(rows, made, strict=True)]
    return rows


def with_mode(port: PlatformPort, mode: str, aliases: Sequence[str]) -> PlatformPort:
    """The cage with one more mode."""
    return replace(port, modes={**port.modes, mode: tuple(aliases)})


def _grouped(rows: Sequence[PortRow]) -> list[WrittenCage]:
    by_index: dict[object, list[PortRow]] = {}
    for row in rows:
        by_index.setdefault(row.name if row.index is None else row.index, []).append(row)
    found: list[WrittenCage] = []
    for group in by_index.values():
        cage = WrittenCage(tuple(group))
        whole = _bare(cage)
        if makes(whole, mode_of(group, len(whole.lanes)), group):
            found.append(cage)
        else:
            found.extend(WrittenCage((row,)) for row in group)
    return found


def _bare(cage: WrittenCage) -> PlatformPort:
    first = cage.rows[0]
    index = _UNTOLD if first.index is None else first.index
    return PlatformPort(first.name, cage.lanes, (index,) * len(cage.lanes), {}, first.line)


def _made(port: PlatformPort, mode: str, aliases: Sequence[str]) -> tuple[Child, ...]:
    try:
        parent = Parent(port.name, port.lanes, port.indexes)
        return children(parent, read_mode(mode)[0], aliases)
    except ValueError:
        return ()


def _rate(speed: int) -> str:
    return f"{speed // 1000}G" if speed % 1000 == 0 else str(speed)
