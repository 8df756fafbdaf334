"""What a rollback of command lines leads to where other hands changed something since.

Three texts decide: what ran before the push, right after the last one, and now. What the push
did goes back; what came or went by other hands since then stays so, unless what it stands in goes,
or what stood there before stands against it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nettool.config.diff.lines import Rules, first_words, made_by, path, plain, views_above
from nettool.config.diff.masking import masked_line
from nettool.config.nos.artifact import Tables

SHOWN_LINES = 3
Placed = tuple[str, str]
"""A view and a line in it."""


@dataclass(frozen=True, slots=True)
class Restored:
    """Where a rollback leads, and what other hands did since: what stays so, and what does not."""

    tables: Tables
    stays: tuple[Placed, ...] = ()
    goes: tuple[Placed, ...] = ()

    def __str__(self) -> str:
        """What is worth saying; empty where nobody else was there."""
        parts = (
            ("changed by other hands since, stays so", self.stays),
            ("changed by other hands since, goes along", self.goes),
        )
        return "; ".join(f"{what}: {named_lines(lines)}" for what, lines in parts if lines)


def restored(before: Tables, after: Tables, running: Tables, rules: Rules) -> Restored:
    """Where to go back to from `running`: what ran `before`, and what others did `after`."""
    old, pushed, now = (
        plain(each, rules.defaults, rules.standing) for each in (before, after, running)
    )
    removed = [each for each in _placed(pushed) if not _has(now, each) and _has(old, each)]
    views = {view: dict(lines) for view, lines in old.items()}
    for view, line in removed:
        views[view].pop(line)
    stays, goes = list(removed), []
    for view, line in _placed(now):
        if _has(pushed, (view, line)) or _has(old, (view, line)):
            continue
        misses = _makers(now, view, line, rules) - _makers(views, view, line, rules)
        fits = _is_there(views, view, rules) and not misses
        if fits and not _stands_against(views, view, line, rules):
            views.setdefault(view, {})[line] = None
            stays.append((view, line))
        else:
            goes.append((view, line))
    whole: dict[str, dict[str, dict[str, object]]] = {
        v: {line: {} for line in found} for v, found in views.items() if _is_there(views, v, rules)
    }
    return Restored({v: lines for v, lines in whole.items() if lines}, tuple(stays), tuple(goes))


def named_lines(lines: Iterable[Placed], most: int = SHOWN_LINES) -> str:
    """Lines in words, some of many, without secrets."""
    said = [masked_line(" / ".join((*path(view), line))) for view, line in lines]
    more = f" and {len(said) - most} more" if len(said) > most else ""
    noun = "line" if len(said) == 1 else "lines"
    return f"{len(said)} {noun} ({'; '.join(said[:most])}{more})"


def _placed(views: dict[str, dict[str, None]]) -> list[Placed]:
    return [(view, line) for view, lines in views.items() for line in lines]


def _has(views: dict[str, dict[str, None]], placed: Placed) -> bool:
    return placed[1] in views.get(placed[0], {})


def _is_there(views: dict[str, dict[str, None]], view: str, rules: Rules) -> bool:
    """Whether all the lines that lead into a view are there, or need not be."""
    lines = path(view)
    places = [" / ".join(lines[:depth]) or "global" for depth in range(len(lines))]
    return all(
        _has(views, (place, line)) or (place == "global" and first_words(line, rules.standing))
        for place, line in zip(places, lines, strict=True)
    )


def _makers(
    views: dict[str, dict[str, None]], view: str, line: str, rules: Rules
) -> frozenset[str]:
    """What the line speaks of, where lines of its view or above it make that."""
    spoken = made_by(line, rules)
    if spoken is None or first_words(line, rules.objects):
        return frozenset()
    lines = (x for place in (view, *views_above(view)) for x in views.get(place, ()))
    made = (made_by(each, rules) for each in lines if first_words(each, rules.objects))
    return frozenset(each for each in made if each == spoken)


def _stands_against(views: dict[str, dict[str, None]], view: str, line: str, rules: Rules) -> bool:
    """Whether another line of a kind of which there is one is there."""
    stems = rules.overwriting if path(view) else rules.single
    stem = first_words(line, stems)
    return stem is not None and any(
        first_words(each, stems) == stem for each in views.get(view, ())
    )
