"""What a switch's own journal says: which pushes stand, what went back with what, what may go.

A rollback brings back what ran before the push it undoes, so every push since goes with it. Entries
are read as the switch keeps them, newest first: `run`, `state`, and `undoes` for a rollback.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Journal = Sequence[Mapping[str, Any]]

KEEP_RUNS = 3
"""Pushes that stand and can be undone; beside them as many rollbacks, and runs that failed."""
FORGOTTEN = "forgotten"
"""A file of the names of runs that a switch does not remember any more."""
_CONFIRMED = re.compile(r"^([A-Za-z0-9_-]+)\.confirmed$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Undone:
    """The rollback a push went back by, and the push that this one was asked to undo."""

    by: str
    of: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """The pushes that were kept, and those of them that stand, newest first; how others went."""

    pushes: tuple[str, ...]
    standing: tuple[str, ...]
    undone: Mapping[str, Undone]


def entries(text: str) -> tuple[dict[str, Any], ...]:
    """A journal from its files, one after the other, and the names of the runs that were kept.

    A run that was kept and whose last note never came is saved all the same.
    """
    runs = frozenset(_CONFIRMED.findall(text))
    return tuple(
        {**each, "state": "saved"} if each.get("run") in runs else each for each in _documents(text)
    )


def remembered(journal: Journal) -> Remembered:
    """Follow a journal from its oldest entry on; what was never kept counts for nothing."""
    standing: tuple[str, ...] = ()
    before: dict[str, tuple[str, ...]] = {}
    undone: dict[str, Undone] = {}
    for each in reversed(_saved(journal)):
        run, of = str(each["run"]), str(each.get("undoes") or "")
        if not of:
            before[run], standing = standing, (run, *standing)
            continue
        left = before.get(of, ())  # a push that is not remembered came before all that are
        undone.update({name: Undone(run, of) for name in standing if name not in left})
        undone = {name: how for name, how in undone.items() if name not in left}
        standing = left
    return Remembered(tuple(reversed(before)), standing, undone)


def to_forget(journal: Journal) -> tuple[str, ...]:
    """The runs that nobody needs: the oldest of the pushes, rollbacks and failed runs.

    A push that was undone goes together with its rollback: one without the other would lie.
    """
    seen, saved = remembered(journal), _saved(journal)
    kept = {str(each["run"]) for each in saved}
    backs = [str(each["run"]) for each in saved if each.get("undoes")]
    failed = [run for run in _runs(journal) if run not in kept]
    old = {run for group in (seen.standing, backs, failed) for run in group[KEEP_RUNS:]}
    return tuple(
        run
        for run in _runs(journal)
        if run in old or (run in seen.undone and seen.undone[run].by in old)
    )


def prune_script(
    newest: Mapping[str, Any], journal: Journal, copies: Sequence[str], also: str = "true"
) -> str:
    """A shell script, run among a switch's journals, that forgets what `to_forget` names.

    Of other runs that cannot be undone, but for the `newest`, the copies of what ran go, whose
    names end in `copies`. `also` is done for each `$r` that loses its own.
    """
    journal = (newest, *(each for each in journal if each.get("run") != newest["run"]))
    gone, runs = to_forget(journal), _runs(journal)
    spent = set(runs[1:]) - set(gone) - set(remembered(journal).standing)
    files = " ".join(f'"$r".{each}' for each in copies)
    return (
        f"for r in {_words(gone)}; do {also}; "
        f'rm -f "$r".*; echo "$r" >>{FORGOTTEN}; done; '
        f"for r in {_words(sorted(spent))}; do ls {files} 2>/dev/null | grep -q . || continue; "
        f"{also}; rm -f {files}; done; true"
    )


def _saved(journal: Journal) -> list[Mapping[str, Any]]:
    return [each for each in journal if each.get("state") == "saved" and each.get("run")]


def _runs(journal: Journal) -> list[str]:
    return [str(each["run"]) for each in journal if each.get("run")]


def _words(runs: Sequence[str]) -> str:
    return " ".join(map(shlex.quote, runs))


def _documents(text: str) -> list[dict[str, Any]]:
    decoder, found, rest = json.JSONDecoder(), [], text.strip()
    while rest:
        try:
            data, end = decoder.raw_decode(rest)
        except ValueError:
            break
        if isinstance(data, dict):  # a name that begins with digits reads as a number
            found.append(data)
        rest = rest[end:].lstrip()
    return found
