"""A digest of planned values: equal for equal values, in any process, on any machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import blake2b
from operator import attrgetter
from typing import Any

import orjson

from nettool.core.provenance import Traced

_SIZE = 16


class Digests:
    """Digests of frozen dataclasses and what they hold, each shared part looked at once.

    `unsaid` names fields, by class, that do not count. `single` are classes whose values hardly
    ever stand in two places: they are not remembered.
    """

    def __init__(
        self, unsaid: Mapping[type, frozenset[str]], single: frozenset[type] = frozenset()
    ) -> None:
        self._unsaid = unsaid
        self._single = single
        self._known: dict[int, tuple[object, str]] = {}
        self._getters: dict[type, Callable[[Any], object]] = {}

    def of(self, value: object) -> str:
        """The digest of a value, in hexadecimal."""
        text = orjson.dumps(self._plain(value))
        return blake2b(text, digest_size=_SIZE).hexdigest()

    def _plain(self, value: object) -> object:
        kind = type(value)
        if value is None or kind is str or kind is int or kind is bool or kind is float:
            return value
        if isinstance(value, tuple | list):
            return [self._plain(each) for each in value]
        if isinstance(value, Mapping):
            return [[self._plain(key), self._plain(each)] for key, each in value.items()]
        if is_dataclass(value):
            return self._parts(value) if kind in self._single else self._digest(value)
        if isinstance(value, Traced):
            return [str(value), self._plain(value.why)]
        return _leaf(value)

    def _digest(self, value: object) -> str:
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = (value, self.of(self._parts(value)))
        return known[1]

    def _parts(self, value: object) -> list[object]:
        kind = type(value)
        getter = self._getters.get(kind)
        if getter is None:
            getter = self._getters[kind] = self._getter(kind)
        parts = getter(value)
        found = parts if isinstance(parts, tuple) else (parts,)
        return [kind.__name__, *map(self._plain, found)]

    def _getter(self, kind: type) -> Callable[[Any], object]:
        unsaid = self._unsaid.get(kind, frozenset())
        return attrgetter(*(each.name for each in fields(kind) if each.name not in unsaid))


def _leaf(value: object) -> object:
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    if isinstance(value, Enum):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no digest")
