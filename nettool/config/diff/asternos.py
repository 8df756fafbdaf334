"""AsterNOS command text against command text, by the lists of its grammar, and how it is written.

What a line disturbs is on no public page: unknown means a flap. There is no checkpoint either, so
the way back that needs nobody is a reload of the saved configuration.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Final

from nettool.config.diff.acceptance import PlannedChange
from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.diff.commands import Block, command_blocks
from nettool.config.diff.lines import NO, Rules, diff_lines, kept_lines, plain
from nettool.config.diff.plan import UpdatePlan
from nettool.config.diff.restored import Restored, restored
from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialects.asternos.grammar import grammar, is_published, rank
from nettool.config.nos.dialects.sonic.updater import Impact

LINES: Final = "lines"
_START_SECONDS, _LINE_SECONDS = 30.0, 0.5
_UNKNOWN = "what this line disturbs is not public: a flap is assumed"
_WAY_BACK = "AsterNOS keeps no checkpoint, its guard reloads the saved configuration"


def diff_asternos(
    device: str,
    running: Tables,
    intended: Tables,
    *,
    exact: bool = False,
    unsaid: Collection[str] = (),
) -> ChangeSet:
    """What turns the running lines into the intended ones; with `exact` nothing else stays.

    Else what nettool never writes stays, and what somebody wrote for the features `unsaid`, which
    are intended and for which there is no line.
    """
    return diff_lines(device, running, intended, _rules(unsaid), exact=exact)


def kept_asternos(
    changes: ChangeSet, running: Tables, intended: Tables, unsaid: Collection[str] = ()
) -> tuple[tuple[str, str], ...]:
    """The running lines, each with its view, that are not intended and not nettool's: they stay."""
    return kept_lines(running, intended, _rules(unsaid), changes)


def same_lines(one: Tables, other: Tables) -> bool:
    """Whether two command texts mean the same, in whatever order."""
    known = grammar()
    return plain(one, known.defaults, known.standing) == plain(
        other, known.defaults, known.standing
    )


def asternos_blocks(changes: ChangeSet) -> tuple[Block, ...]:
    """The lines that make the changes, in blocks that begin in the first configuration view."""
    return command_blocks(changes, _rules(()))


def asternos_way_back(changes: ChangeSet, running: Tables) -> tuple[Block, ...]:
    """The lines that lead back to `running` once the changes are made, in an order of their own."""
    after = _made(changes, running)
    return asternos_blocks(diff_asternos(changes.device, after, running, exact=True))


def restored_asternos(before: Tables, after: Tables, running: Tables) -> Restored:
    """Where a rollback leads that leaves alone what other hands did since the last push."""
    return restored(before, after, running, _rules(()))


def unproved(changes: ChangeSet) -> tuple[str, ...]:
    """The lines that take something away in a form that no page of the vendor's shows."""
    said = (line for block in asternos_blocks(changes) for line in block if line.startswith(NO))
    return tuple(dict.fromkeys(line for line in said if not is_published(line)))


def plan_lines(changes: ChangeSet) -> UpdatePlan:
    """How the lines are written: all at once, with a reload as the way back."""
    if changes.is_empty:
        return UpdatePlan("", (), (), (), 0.0)
    made = tuple(PlannedChange(each, Impact.LINK_FLAP, _UNKNOWN) for each in changes.changes)
    lines = sum(len(block) + 2 for block in asternos_blocks(changes))
    return UpdatePlan(LINES, made, (), (_WAY_BACK,), _START_SECONDS + _LINE_SECONDS * lines)


def _rules(unsaid: Collection[str]) -> Rules:
    known = grammar()
    return Rules(
        overwriting=known.overwriting,
        defaults=known.defaults,
        standing=known.standing,
        single=known.single,
        objects=known.objects,
        ahead=known.ahead,
        rank=partial(rank, left_alone=unsaid),
    )


def _made(changes: ChangeSet, running: Tables) -> Tables:
    """The lines once the changes are made."""
    views = {view: dict(lines) for view, lines in running.items()}
    for change in changes.changes:
        lines = views.setdefault(change.table, {})
        if change.kind is not ChangeKind.ADD:
            lines.pop(_before(change), None)
        if change.kind is not ChangeKind.REMOVE:
            lines[change.key if change.kind is ChangeKind.ADD else str(change.after)] = {}
    return views


def _before(change: Change) -> str:
    return str(change.before) if change.kind is ChangeKind.REPLACE else change.key
