"""What a difference of command lines does not show: lines that stay, values that none can write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from nettool.config.diff.asternos import kept_asternos
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.foreign import left_alone, left_alone_text
from nettool.config.diff.restored import named_lines
from nettool.config.diff.unwritten import (
    UNWRITTEN_FILE,
    Unwritten,
    changed_values,
    read_unwritten,
)
from nettool.config.nos.artifact import Artifact
from nettool.config.nos.dialects.asternos.tree import read_lines


@dataclass(frozen=True, slots=True)
class Beyond:
    """What is to be told beside the differences."""

    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unwritten: Mapping[str, object] = field(default_factory=dict)
    kept: Mapping[str, int] = field(default_factory=dict)
    left_alone: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Rows of tables that SONiC has no model of, by switch and table."""
    differs: bool = False
    """Whether two intents differ in what no line can write."""

    def as_json(self) -> dict[str, object]:
        """The JSON form: by switch; empty where there is nothing beside."""
        found = {
            "unwritten": dict(self.unwritten),
            "kept_lines": dict(self.kept),
            "left_alone": {name: dict(rows) for name, rows in self.left_alone.items()},
        }
        return {name: each for name, each in found.items() if each}


def unwritten_of(artifacts: Iterable[Artifact]) -> dict[str, Unwritten]:
    """What no line can write, by switch."""
    return {
        each.device: read_unwritten(each.text, each.path)
        for each in artifacts
        if each.path == UNWRITTEN_FILE
    }


def beyond_running(
    sets: Iterable[ChangeSet],
    running: Mapping[str, Artifact],
    intended: Mapping[str, Artifact],
    now: Mapping[str, Unwritten],
) -> Beyond:
    """Beside a running configuration: of what no line can write it says nothing."""
    notes: dict[str, tuple[str, ...]] = {}
    kept: dict[str, int] = {}
    foreign: dict[str, dict[str, int]] = {}
    for changes in sets:
        if (given := now.get(changes.device)) is None:
            rows = left_alone(*(each[changes.device].tables or {} for each in (running, intended)))
            if rows:
                foreign[changes.device] = rows
                notes[changes.device] = (left_alone_text(rows),)
            continue
        old, new = (read_lines(each[changes.device].text) for each in (running, intended))
        stay = kept_asternos(changes, old, new, given.unsaid)
        kept[changes.device] = len(stay)
        said = (f"not nettool's, stays as it is: {named_lines(stay)}",) if stay else ()
        notes[changes.device] = (*said, *given.said())
    return Beyond(notes, {name: each.as_json() for name, each in now.items()}, kept, foreign)


def beyond_intent(before: Mapping[str, Unwritten], now: Mapping[str, Unwritten]) -> Beyond:
    """Beside another version of the intent: which of the values that no line writes are others."""
    old = {name: before[name].values if name in before else None for name in now}
    return Beyond(
        {name: each.said(old[name]) for name, each in now.items()},
        {name: each.as_json(old[name]) for name, each in now.items()},
        differs=any(changed_values(old[n] or {}, each.values) for n, each in now.items()),
    )
