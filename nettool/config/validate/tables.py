"""A device's CONFIG_DB as rules see it: tables that equal devices share.

Equal tables of a run are one `Table` object (`TableStore`), so what is derived from a table, and
what a rule said of it, is worked out once for all devices that hold it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson

from nettool.config.validate.spelling import Span, span_of
from nettool.core.quick import lazy, quick_init

T = TypeVar("T")
Row = Mapping[str, Any]
Rows = Mapping[str, Row]
_EMPTY: Rows = {}
_NO_ROW: Row = {}


class Table:
    """The rows of one table by key. Values are str or list of str in a sound file."""

    __slots__ = ("__dict__", "brief", "derived", "may_be_old", "name", "rows", "uses")

    def __init__(self, name: str, rows: Rows, *, may_be_old: bool = True) -> None:
        self.name = name
        self.rows = rows
        self.uses = 0
        self.may_be_old = may_be_old
        """False only where no value starts with a bracket, as references once did."""
        self.derived: dict[Hashable, Any] = {}
        """What was worked out from this table alone, by its maker's name: done once."""
        self.brief: dict[str, Any] = {}
        """As `derived`, for what only the rules of one device need."""

    def once(self, name: str, make: Callable[[Table], T]) -> T:
        """`make(table)`, worked out at the first call under this name."""
        if name not in self.derived:
            self.derived[name] = make(self)
        found: T = self.derived[name]
        return found

    def briefly(self, name: str, make: Callable[[Table], T]) -> T:
        """`make(table)`, worked out at the first call and kept until `forget`."""
        if name not in self.brief:
            self.brief[name] = make(self)
        found: T = self.brief[name]
        return found

    def forget(self) -> None:
        """Let go of what the rows were taken apart into: a large fabric has much of it."""
        self.brief.clear()
        self.__dict__.clear()

    def once_with(self, other: Table, name: str, make: Callable[[Table, Table], T]) -> T:
        """`make(table, other)`, worked out once for the two."""
        found: tuple[Table, T] | None = self.derived.get((name, id(other)))
        if found is None:
            found = self.derived[name, id(other)] = other, make(self, other)
        return found[1]

    @lazy
    def split(self) -> dict[str, tuple[str, ...]]:
        """The parts of every key."""
        return {key: tuple(key.split("|")) for key in self.rows}

    @lazy
    def pairs(self) -> frozenset[tuple[str, Any]] | None:
        """Every field with each value that it has in some row, lists as tuples, each pair once.

        None where a value is neither a word nor a list of words.
        """
        try:
            return frozenset().union(*(row.items() for row in self.different))
        except TypeError:
            return self._pairs_with_lists()

    @lazy
    def different(self) -> tuple[Row, ...]:
        """The rows, each object once: equal rows of a rendered table are one object."""
        return tuple({id(row): row for row in self.rows.values()}.values())

    def _pairs_with_lists(self) -> frozenset[tuple[str, Any]] | None:
        try:
            return frozenset(
                (field, tuple(value) if isinstance(value, list) else value)
                for row in self.different
                for field, value in row.items()
            )
        except TypeError:
            return None

    @lazy
    def spans(self) -> dict[str, dict[str, Span]]:
        """Port to its keys with the indices that each spans: `Ethernet0|3-4` is 3 and 4.

        Keys that are no `port|index` or `port|first-last` are left out.
        """
        ports: dict[str, dict[str, Span]] = {}
        for key, parts in self.split.items():
            span = span_of(parts[-1]) if len(parts) in {2, 4} else None
            if span is not None:
                ports.setdefault(parts[-2], {})[key] = span
        return ports

    @lazy
    def by_index(self) -> dict[str, dict[int, str]]:
        """Port to index to the key that covers it (the last one, as the switch does)."""
        return {
            port: {index: key for key, span in spans.items() for index in span}
            for port, spans in self.spans.items()
        }


@quick_init
@dataclass(frozen=True, slots=True)
class Config:
    """One device's tables. `device` is its name, `file` what the user calls its file."""

    device: str
    tables: Mapping[str, Table]
    file: str | None = None

    def rows(self, table: str) -> Rows:
        """The rows of a table; none where it is absent."""
        found = self.tables.get(table)
        return found.rows if found else _EMPTY

    def row(self, table: str, key: str) -> Row:
        """One row; empty where it is absent."""
        found = self.tables.get(table)
        return found.rows.get(key, _NO_ROW) if found else _NO_ROW

    def table(self, name: str) -> Table:
        """A table, empty where it is absent."""
        return self.tables.get(name) or Table(name, _EMPTY)

    def __contains__(self, table: str) -> bool:
        return table in self.tables

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def forget_own(self) -> None:
        """Let go of the parts of tables that no other device has."""
        for table in self.tables.values():
            if table.uses == 1:
                table.forget()

    @property
    def metadata(self) -> Row:
        """The row DEVICE_METADATA|localhost."""
        return self.row("DEVICE_METADATA", "localhost")

    @property
    def is_whole(self) -> bool:
        """True for a whole configuration, False for a fragment: it says what the device is."""
        return bool(self.metadata) and "PORT" in self.tables


class TableStore:
    """The tables of one run: equal ones are kept once."""

    def __init__(self) -> None:
        self._by_content: dict[tuple[str, int], Table] = {}
        self._by_identity: dict[tuple[str, int], Table] = {}
        self._held: list[object] = []

    def config(self, device: str, tables: Mapping[str, Any], file: str | None = None) -> Config:
        """A device's tables with equal ones shared."""
        shared = {name: self._shared(name, rows) for name, rows in tables.items()}
        return Config(device, shared, file)

    def _shared(self, name: str, rows: Rows) -> Table:
        known = self._by_identity.get((name, id(rows)))
        if known is None:
            content = orjson.dumps(rows)
            made = Table(name, rows, may_be_old=b'"[' in content)
            known = self._by_content.setdefault((name, hash(content)), made)
            if known is not made and known.rows != rows:
                known = made
            self._by_identity[name, id(rows)] = known
            self._held.append(rows)
        known.uses += 1
        return known
