"""Differences by meaning between a running and an intended configuration."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ChangeKind(StrEnum):
    """What happens to a row or a field."""

    ADD = "add"
    REMOVE = "remove"
    REPLACE = "replace"


@dataclass(frozen=True, slots=True)
class Change:
    """One change: a whole row (`field` None) or one field of it.

    `before` and `after` hold a row (dict), a str, a list of str, or None where absent.
    """

    kind: ChangeKind
    table: str
    key: str
    field: str | None
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """All changes that turn one device's running configuration into the intended one."""

    device: str
    changes: tuple[Change, ...]

    @property
    def is_empty(self) -> bool:
        """True where running and intended mean the same."""
        return not self.changes

    def inverse(self) -> ChangeSet:
        """The changes that lead back, in the opposite order."""
        flip = {ChangeKind.ADD: ChangeKind.REMOVE, ChangeKind.REMOVE: ChangeKind.ADD}
        back = tuple(
            Change(flip.get(c.kind, c.kind), c.table, c.key, c.field, c.after, c.before)
            for c in reversed(self.changes)
        )
        return ChangeSet(self.device, back)
