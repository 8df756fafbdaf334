"""The timing plan for a person: the tree, the budgets, what a failure does, what would help."""

from __future__ import annotations

from nettool.cli.screen import Screen
from nettool.plan.timing.timing_plan import TimingPlan
from nettool.report.tables.timed import (
    budget_table,
    failure_table,
    profile_line,
    reference_table,
    remedy_table,
    tree_lines,
)


def show_timing(timing: TimingPlan, screen: Screen) -> None:
    """Everything that `nettool plan` says of time."""
    if not timing.enabled:
        screen.text("timing: off (no `timing` in fabric.yaml)\n")
        return
    screen.text(profile_line(timing))
    screen.table(*reference_table(timing))
    screen.text("\n".join(["clock tree:", *tree_lines(timing), ""]))
    screen.table(*budget_table(timing))
    screen.table(*failure_table(timing))
    screen.table(*remedy_table(timing))
    screen.text("\n".join(f"  {each}" for each in timing.notes) + "\n")
