"""A digest of planned values: equal for equal values, in any process, on any machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import blake2b
from operator import attrgetter
from typing import Any

import orjson

from nettool.core.provenance import Traced

_SIZE = 16
_SCALARS = frozenset({str, int, float, bool, type(None)})


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
        self._forms: dict[type, Callable[[Any], object]] = {}

    def of(self, value: object) -> str:
        """The digest of a value, in hexadecimal."""
        text = orjson.dumps(self._plain(value))
        return blake2b(text, digest_size=_SIZE).hexdigest()

    def _plain(self, value: object) -> object:
        form = self._forms.get(type(value))
        if form is None:
            form = self._forms[type(value)] = self._form(value)
        return form(value)

    def _all(self, values: Iterable[object]) -> list[object]:
        return [each if type(each) in _SCALARS else self._plain(each) for each in values]

    def _form(self, value: object) -> Callable[[Any], object]:
        """How values of this type are taken apart."""
        if isinstance(value, tuple | list):
            return self._all
        if isinstance(value, Mapping):
            return lambda rows: [self._all(rows), self._all(rows.values())]
        if is_dataclass(value):
            return self._parts_of(type(value))
        if isinstance(value, Traced):
            return lambda text: [str(text), self._plain(text.why)]
        if isinstance(value, frozenset):
            return lambda each: sorted(map(str, each))
        if isinstance(value, Enum):
            return str
        raise TypeError(f"{type(value).__name__} has no digest")

    def _parts_of(self, kind: type) -> Callable[[Any], object]:
        unsaid = self._unsaid.get(kind, frozenset())
        names = [each.name for each in fields(kind) if each.name not in unsaid]
        getter = attrgetter(*names)

        def parts(value: object) -> list[object]:
            found = getter(value)
            return [kind.__name__, *self._all(found if len(names) > 1 else (found,))]

        def remembered(value: object) -> str:
            known = self._known.get(id(value))
            if known is None:
                known = self._known[id(value)] = (value, self.of(parts(value)))
            return known[1]

        return parts if kind in self._single else remembered
