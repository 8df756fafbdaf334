"""Runs from this folder in a table: what was pushed, when, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nettool.report.page import Table

WAITS = "waits for confirm"


def run_table(runs: Iterable[Mapping[str, Any]], now: str = "") -> Table:
    """One row a run, in the order given; what waited to be confirmed until `now` waits no more.

    `now` is a time as reports have it (2026-01-01T02:03:04Z).
    """
    return Table(("run", "at", "what", "exit", "switches"), [_row(each, now) for each in runs])


def playbook(told: Mapping[str, Any]) -> str:
    """What a run did: push or rollback."""
    return str(dict(told.get("summary", {})).get("playbook", "push"))


def _row(told: Mapping[str, Any], now: str) -> tuple[object, ...]:
    summary = dict(told.get("summary", {}))
    summary.pop("playbook", None)
    what, at = playbook(told), summary.pop("at", "")
    checked = summary.pop("check", False)
    over = _over(told, now)
    counts = ", ".join(
        f"{number} {over if over and outcome == WAITS else outcome}"
        for outcome, number in summary.items()
    )
    state = told.get("state")
    counts = f"{state}: {counts}" if state else counts
    said = f"{what} --check" if checked else what
    return told.get("run"), at, said, told.get("exit_code"), counts


def _over(told: Mapping[str, Any], now: str) -> str:
    """What is said once the time to confirm is over on all switches; empty before that."""
    waiting = [each for each in told.get("devices", ()) if each.get("outcome") == WAITS]
    due = max((str(each.get("due") or "") for each in waiting), default="")
    return f"waited for confirm until {due}" if due and due <= now else ""
