"""What may be shown of a change: secrets, old and new, as values and as keys, never are.

Masking happens before any text is made, so no form can forget it. The mask says neither length
nor letters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from nettool.config.diff.changeset import Change, ChangeSet
from nettool.config.diff.lines import LINE
from nettool.config.diff.meaning import Meaning, meaning_of
from nettool.config.nos.artifact import Tables

MASK = "(secret)"
_SECRET_WORD = re.compile(
    r"((?:password|passphrase|secret|[a-z-]*key|community|token)\s+)(?:[0-9]\s+)?(\S+)",
    re.IGNORECASE,
)


def masked_line(line: str) -> str:
    """A command line with the word after `password`, `key`, `community` and their like masked."""
    return _SECRET_WORD.sub(rf"\1{MASK}", line)


def masked_answer(line: str, answer: str) -> str:
    """What was answered to a command line, which may repeat the secrets of that line.

    An answer to a line without any is prose: `password too short` stays as it is.
    """
    secrets = [found[2] for found in _SECRET_WORD.finditer(line)]
    if not secrets:
        return answer
    for each in sorted(secrets, key=len, reverse=True):
        answer = answer.replace(each, MASK)
    return masked_line(answer)


def masked(changes: ChangeSet) -> ChangeSet:
    """The same changes with every secret replaced by a mask."""
    return ChangeSet(changes.device, tuple(map(shown, changes.changes)))


def shown(change: Change) -> Change:
    """One change with its secrets masked."""
    return _mask(change, meaning_of())


def masked_tables(tables: Tables) -> dict[str, dict[str, dict[str, object]]]:
    """The same tables, or command lines by view, with every secret replaced by a mask."""
    meaning = meaning_of()
    return {
        table: {
            MASK if table in meaning.secret_keys else masked_line(key): _row(meaning, table, row)
            for key, row in rows.items()
        }
        for table, rows in tables.items()
    }


def _mask(change: Change, meaning: Meaning) -> Change:
    key = MASK if change.table in meaning.secret_keys else masked_line(change.key)
    return replace(
        change,
        key=key,
        before=_value(meaning, change, change.before),
        after=_value(meaning, change, change.after),
    )


def _value(meaning: Meaning, change: Change, value: object) -> object:
    if isinstance(value, Mapping):
        return _row(meaning, change.table, value)
    if value is None or change.field is None:
        return value
    if change.field == LINE:
        return masked_line(str(value))
    return MASK if meaning.is_secret(change.table, change.field) else value


def _row(meaning: Meaning, table: str, row: Mapping[str, object]) -> dict[str, object]:
    return {f: MASK if meaning.is_secret(table, f) else value for f, value in row.items()}
