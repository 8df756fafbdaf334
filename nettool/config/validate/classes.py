"""Ports of one device that differ in nothing but their names: what holds for one holds for all.

A switch has hundreds of ports and a handful of kinds of them, so rules that look at one port at a
time are asked of one port of each kind first, and of all only where that one is at fault.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.config.validate.tables import Config, Row, Table

TABLES = ("PORT", "PORT_QOS_MAP", "PFC_WD", "QUEUE", "BUFFER_PG", "BUFFER_QUEUE", "CABLE_LENGTH")
"""Tables whose rows belong to ports; all that a rule on one port reads, beside named rows."""
_NAMES = frozenset({"alias", "index", "lanes", "subport", "description"})
"""Fields of PORT that tell ports apart and not kinds of them; of lanes the number counts."""
_WORTH = 2
"""Ports a class must have on average before it pays to ask one of them first."""
Mark = tuple[int, str, object]
"""Table by its place in TABLES, the rest of the key behind the port, and the kind of the row."""


@dataclass(frozen=True, slots=True)
class PortClasses:
    """`of` gives the class of a port by number; `few` the tables with one port of each class."""

    of: Mapping[str, int]
    few: Mapping[str, Table]


def port_classes(config: Config) -> PortClasses | None:
    """The classes of a device's ports, worked out once for equal tables.

    None where it does not pay, and where rows are of an odd shape: then all ports are asked.
    """
    ports = config.tables.get("PORT")
    if ports is None:
        return None
    tables = tuple(config.tables.get(name) for name in TABLES)
    key = ("port_classes", *map(id, tables))
    if key not in ports.derived:
        ports.derived[key] = tables, _classes(tables)
    found: PortClasses | None = ports.derived[key][1]
    return found


def with_few_ports(config: Config) -> Config | None:
    """The configuration with one port of each class; None where all must be looked at."""
    classes = port_classes(config)
    return Config(config.device, {**config.tables, **classes.few}) if classes else None


def _classes(tables: tuple[Table | None, ...]) -> PortClasses | None:
    try:
        marks = _marks(tables)
    except TypeError:  # a list in a row, which has no hash
        return None
    if marks is None:
        return None
    numbers: dict[tuple[Mark, ...], int] = {}
    firsts: list[tuple[str, list[Mark]]] = []
    of: dict[str, int] = {}
    for port, each in marks.items():
        number = of[port] = numbers.setdefault(tuple(each), len(numbers))
        if number == len(firsts):
            firsts.append((port, each))
    if len(firsts) * _WORTH > len(of):
        return None
    return PortClasses(of, _few(tables, firsts))


def _marks(tables: tuple[Table | None, ...]) -> dict[str, list[Mark]] | None:
    """By port: its rows without its name; None where a key has more parts than port and index."""
    marks: defaultdict[str, list[Mark]] = defaultdict(list)
    kinds: dict[object, int] = {}
    for number, table in enumerate(tables):
        if table is None:
            continue
        if table.name == "CABLE_LENGTH":
            for key, row in table.rows.items():
                for port, length in row.items():
                    marks[port].append((number, key, length))
            continue
        # Equal rows of a rendered table are one object, which is looked into once.
        known = {id(row): _kind_of(number, row, kinds) for row in table.different}
        for key, row in table.rows.items():
            port, bar, index = key.partition("|")
            if "|" in index:
                return None
            marks[port].append((number, bar + index, known[id(row)]))
    return marks


def _kind_of(number: int, row: Row, kinds: dict[object, int]) -> int:
    content = tuple(row.items()) if number else _of_port(row)
    return kinds.setdefault(content, len(kinds))


def _of_port(row: Row) -> tuple[object, ...]:
    lanes = row.get("lanes")
    count = lanes.count(",") if isinstance(lanes, str) else lanes
    return count, *((field, value) for field, value in row.items() if field not in _NAMES)


def _few(
    tables: tuple[Table | None, ...], firsts: list[tuple[str, list[Mark]]]
) -> Mapping[str, Table]:
    rows: dict[str, dict[str, Row]] = {each.name: {} for each in tables if each}
    for name, key, row in _rows(tables, firsts):
        rows[name][key] = {**rows[name][key], **row} if key in rows[name] else row
    return {name: Table(name, each) for name, each in rows.items()}


def _rows(
    tables: tuple[Table | None, ...], firsts: list[tuple[str, list[Mark]]]
) -> Iterator[tuple[str, str, Row]]:
    for port, marks in firsts:
        for number, rest, kind in marks:
            table = tables[number]
            if table is None:
                continue
            if table.name == "CABLE_LENGTH":
                yield table.name, rest, {port: kind}
            else:
                yield table.name, port + rest, table.rows[port + rest]
