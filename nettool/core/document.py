"""Planned values as JSON: dataclasses to plain data, each provenance written once.

Figures become `{"value", "unit", "why": n}`, and `n` counts into the list of provenances, so a
plan that shares them stays small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from nettool.core.provenance import Figure, Input, Provenance, Traced


class Ledger:
    """Plain data of planned values, with the provenances they share."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._kept: list[Provenance] = []
        self.rows: list[dict[str, Any]] = []

    def plain(self, value: object) -> Any:
        """The JSON-ready form of a planned value."""
        if isinstance(value, Figure):
            return {"value": value.value, "unit": value.unit, "why": self.number(value.why)}
        if isinstance(value, Provenance):
            return self.number(value)
        if is_dataclass(value):
            return {each.name: self.plain(getattr(value, each.name)) for each in fields(value)}
        if isinstance(value, Mapping):
            return {_key(key): self.plain(each) for key, each in value.items()}
        if isinstance(value, tuple | list | set | frozenset):
            return [self.plain(each) for each in value]
        return str(value) if isinstance(value, Traced | Enum) else value

    def number(self, why: Provenance) -> int:
        """The place of a provenance in `rows`; its inputs' own come before it."""
        known = self._numbers.get(id(why))
        if known is not None:
            return known
        row = {
            "formula": why.formula,
            "inputs": [self._input(each) for each in why.inputs],
            "source": why.source,
            "trust": str(why.trust),
            "bound": why.bound or None,
        }
        self._kept.append(why)
        self.rows.append(row)
        self._numbers[id(why)] = len(self.rows) - 1
        return len(self.rows) - 1

    def _input(self, given: Input) -> dict[str, Any]:
        row: dict[str, Any] = {"name": given.name, "value": given.value, "unit": given.unit}
        if given.origin:
            row["origin"] = f"{given.origin.file}:{'.'.join(map(str, given.origin.path))}"
        if given.why:
            row["why"] = self.number(given.why)
        return row


def _key(key: object) -> str:
    if isinstance(key, tuple):
        return "|".join(map(str, key))
    return str(key)
