"""One change, and one value, as people say them; secrets are masked before."""

from __future__ import annotations

from nettool.config.diff.changeset import Change


def in_words(change: Change) -> str:
    """One masked change in a sentence: what runs, and what is intended."""
    place = f"{change.table}|{change.key}"
    if change.field is None:
        return f"{place} {'is missing' if change.before is None else 'is not intended'}"
    ends = (change.before, change.after)
    before, after = ("not set" if each is None else shown(each) for each in ends)
    return f"{place} {change.field} is {before}, intended is {after}"


def shown(value: object) -> str:
    """A field's value; a list as CONFIG_DB writes it."""
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
