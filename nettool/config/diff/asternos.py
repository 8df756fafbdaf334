"""AsterNOS command text against command text, by the lists of its grammar, and how it is written.

What a line disturbs is on no public page: unknown means a flap. There is no checkpoint either, so
the way back that needs nobody is a reload of the saved configuration.
"""

from __future__ import annotations

from typing import Final

from nettool.config.diff.acceptance import PlannedChange
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.commands import Block, command_blocks
from nettool.config.diff.lines import diff_lines, plain
from nettool.config.diff.plan import UpdatePlan
from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialects.asternos.grammar import grammar
from nettool.config.nos.dialects.sonic.updater import Impact

LINES: Final = "lines"
_START_SECONDS, _LINE_SECONDS = 30.0, 0.5
_UNKNOWN = "what this line disturbs is not public: a flap is assumed"
_WAY_BACK = "AsterNOS keeps no checkpoint, its guard reloads the saved configuration"


def diff_asternos(
    device: str, running: Tables, intended: Tables, *, exact: bool = False
) -> ChangeSet:
    """What turns the running lines into the intended ones; with `exact` nothing else stays."""
    known = grammar()
    return diff_lines(
        device,
        running,
        intended,
        known.overwriting,
        defaults=known.defaults,
        standing=known.standing,
        single=known.single,
        exact=exact,
    )


def same_lines(one: Tables, other: Tables) -> bool:
    """Whether two command texts mean the same, in whatever order."""
    known = grammar()
    return plain(one, known.defaults, known.standing) == plain(
        other, known.defaults, known.standing
    )


def asternos_blocks(changes: ChangeSet) -> tuple[Block, ...]:
    """The lines that make the changes, in blocks that begin in the first configuration view."""
    return command_blocks(changes, grammar().standing)


def plan_lines(changes: ChangeSet) -> UpdatePlan:
    """How the lines are written: all at once, with a reload as the way back."""
    if changes.is_empty:
        return UpdatePlan("", (), (), (), 0.0)
    made = tuple(PlannedChange(each, Impact.LINK_FLAP, _UNKNOWN) for each in changes.changes)
    lines = sum(len(block) + 2 for block in asternos_blocks(changes))
    return UpdatePlan(LINES, made, (), (_WAY_BACK,), _START_SECONDS + _LINE_SECONDS * lines)
