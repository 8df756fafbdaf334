"""Counters of a mock switch: they stand still unless a test moves them."""

from __future__ import annotations

from collections import defaultdict


class Counters:
    """Values by kind and place: `("pfc_tx", "Ethernet0", 3)`; what was never moved is 0."""

    def __init__(self) -> None:
        self._values: defaultdict[tuple[str, str, int], int] = defaultdict(int)

    def add(self, kind: str, port: str, index: int = 0, by: int = 1) -> None:
        """Count up."""
        self._values[kind, port, index] += by

    def get(self, kind: str, port: str, index: int = 0) -> int:
        """The value now."""
        return self._values.get((kind, port, index), 0)

    def clear(self, kind: str | None = None) -> None:
        """Back to 0: one kind, or all."""
        for key in [k for k in self._values if kind is None or k[0] == kind]:
            del self._values[key]
