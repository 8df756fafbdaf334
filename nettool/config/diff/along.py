"""What a rollback takes along: changes that other hands made since the push that it undoes."""

from __future__ import annotations

from nettool.config.diff.changeset import Change, ChangeSet
from nettool.config.diff.masking import masked

SHOWN_ROWS = 5


def goes_along(since: ChangeSet, back: ChangeSet) -> ChangeSet:
    """The changes made `since` a push whose rows or fields the way `back` touches."""
    rows = {(each.table, each.key) for each in back.changes}
    whole = {(each.table, each.key) for each in back.changes if each.field is None}
    fields = {(each.table, each.key, each.field) for each in back.changes}

    def is_touched(change: Change) -> bool:
        row = (change.table, change.key)
        return row in whole or (
            row in rows and (change.field is None or (*row, change.field) in fields)
        )

    return ChangeSet(back.device, tuple(filter(is_touched, since.changes)))


def goes_along_text(changes: ChangeSet) -> str:
    """The same as a sentence, some rows of many, without secrets; empty where nothing goes."""
    rows = list(dict.fromkeys(f"{each.table}|{each.key}" for each in masked(changes).changes))
    if not rows:
        return ""
    more = f" and {len(rows) - SHOWN_ROWS} more" if len(rows) > SHOWN_ROWS else ""
    noun = "row" if len(rows) == 1 else "rows"
    named = "; ".join(rows[:SHOWN_ROWS])
    return f"changed by other hands since, goes along: {len(rows)} {noun} ({named}{more})"
