"""What CONFIG_DB fields may hold, read from `constraints.yaml` beside this module.

`constraints()` gives every table's fields, required fields and references. Which tables SONiC has
a model of at all is `nettool.config.nos.models`. The file is read at first use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from nettool.config.validate.addresses import number_of_address
from nettool.config.validate.spelling import number_of
from nettool.core.quick import lazy
from nettool.core.source import load_yaml

_PRIORITIES = re.compile(r"(?:[0-7](?:,[0-7])*)?")
_MAC = re.compile(r"[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}")
_DECIMAL = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?")
_PATTERNS = {"mac": _MAC, "decimal": _DECIMAL, "priorities": _PRIORITIES}
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")

_MEMO = 4096
"""Good texts remembered for each kind of value; what a fabric repeats is far less."""


@dataclass(frozen=True)
class Values:
    """The values a field may have. `shown` is how a message names them."""

    shown: str
    ranges: tuple[tuple[int, int], ...] = ()
    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    _good: set[str] = field(default_factory=set, compare=False, repr=False)

    def takes(self, text: str) -> bool:
        """True where the text is one of the values."""
        if text in self._good:
            return True
        good = self._takes(text)
        if good and len(self._good) < _MEMO:
            self._good.add(text)
        return good

    def _takes(self, text: str) -> bool:
        number = number_of(text)
        if number is not None and any(low <= number <= high for low, high in self.ranges):
            return True
        if any(fnmatchcase(text, word) for word in self.words):
            return True
        return any(_is_kind(kind, text) for kind in self.kinds)


@dataclass(frozen=True)
class Constraints:
    """One table: fields, the ones a row must have, references, and words that are none.

    Where a table's fields are entries of a map, `entries` are the values that each may have and
    `entry_names` the names. `lists` are the fields that hold lists.
    """

    fields: Mapping[str, Values]
    required: tuple[str, ...]
    refs: Mapping[str, tuple[str, ...]]
    keys: tuple[tuple[str, ...], ...]
    words: frozenset[str]
    entries: Values | None = None
    entry_names: Values | None = None
    lists: frozenset[str] = frozenset()

    def is_text(self, name: str) -> bool:
        """True for a field that is known and holds no list."""
        return name not in self.lists and (name in self.names or self.is_map)

    @property
    def is_map(self) -> bool:
        """True for a table whose fields are entries of a map."""
        return self.entries is not None or self.entry_names is not None or not self.fields

    @lazy
    def names(self) -> frozenset[str]:
        """All fields that are known by name."""
        return frozenset((*self.fields, *self.refs, *self.required))


@lru_cache(maxsize=1)
def constraints() -> Mapping[str, Constraints]:
    """Every table that has constraints."""
    return {name: _table(each or {}) for name, each in _data()["tables"].items()}


@lru_cache(maxsize=256)
def values(spec: str) -> Values:
    """The values of a spec such as `auto|1..65535` or `<ip>`."""
    ranges, words, kinds = [], [], []
    for each in spec.split("|"):
        match = _RANGE.fullmatch(each)
        if match:
            ranges.append((int(match[1]), int(match[2])))
        elif each.startswith("<"):
            kinds.append(each.strip("<>"))
        else:
            words.append(each)
    return Values(_shown(spec), tuple(ranges), tuple(words), tuple(kinds))


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    data: dict[str, Any] = load_yaml(Path(__file__).with_name("constraints.yaml")).data
    return data


def _table(given: Mapping[str, Any]) -> Constraints:
    return Constraints(
        fields={name: values(str(spec)) for name, spec in given.get("fields", {}).items()},
        required=tuple(given.get("required", ())),
        refs={name: tuple(each) for name, each in given.get("refs", {}).items()},
        keys=tuple(tuple(each) for each in given.get("keys", ())),
        words=frozenset(given.get("words", ())),
        entries=values(str(given["entries"])) if "entries" in given else None,
        entry_names=values(str(given["names"])) if "names" in given else None,
        lists=frozenset(given.get("lists", ())),
    )


def _shown(spec: str) -> str:
    kinds = {
        "<ip>": "an IP address",
        "<ipv4>": "an IPv4 address",
        "<mac>": "a MAC address",
        "<priorities>": "a list of priorities such as 3,4",
    }
    parts = [kinds.get(each, each.strip("<>")) for each in spec.split("|")]
    listed = ", ".join(parts[:10]) + (", …" if len(parts) > 10 else "")
    return f"one of {listed}" if len(parts) > 1 else listed


def _is_kind(kind: str, text: str) -> bool:
    if kind in {"text", "any"}:
        return kind == "any" or bool(text)
    if kind in _PATTERNS:
        return bool(_PATTERNS[kind].fullmatch(text))
    number = number_of_address(text)
    return number is not None and (kind == "ip" or number[0] == 4)
