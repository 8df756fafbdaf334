"""Runs from this folder in a table: what was pushed, when, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nettool.report.page import Table


def run_table(runs: Iterable[Mapping[str, Any]]) -> Table:
    """One row a run, in the order given."""
    return Table(("run", "at", "what", "exit", "switches"), [_row(each) for each in runs])


def playbook(told: Mapping[str, Any]) -> str:
    """What a run did: push or rollback."""
    return str(dict(told.get("summary", {})).get("playbook", "push"))


def _row(told: Mapping[str, Any]) -> tuple[object, ...]:
    summary = dict(told.get("summary", {}))
    summary.pop("playbook", None)
    what, at = playbook(told), summary.pop("at", "")
    checked = summary.pop("check", False)
    counts = ", ".join(f"{number} {outcome}" for outcome, number in summary.items())
    state = told.get("state")
    counts = f"{state}: {counts}" if state else counts
    said = f"{what} --check" if checked else what
    return told.get("run"), at, said, told.get("exit_code"), counts
