"""Time in tables: grandmasters, the tree, the budgets, what a failure does, what would help."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.plan.timing.timing_plan import Clock, TimingPlan
from nettool.report.page import Table

_LINES = 32
_NAMES = 6
_FAILURES = 8


def profile_line(timing: TimingPlan) -> str:
    """The profile in one line."""
    synce = f"SyncE option {timing.synce_option}" if timing.synce else "no SyncE"
    return (
        f"timing: {timing.profile}, domain {int(timing.domain)}, {timing.transport}, announce "
        f"2^{int(timing.log_announce)} s, sync 2^{int(timing.log_sync)} s, {synce}"
    )


def reference_table(timing: TimingPlan) -> Table:
    """The grandmasters, and what they are cabled to."""
    rows = [
        (each.name, each.clock_class, float(each.error), str(each.error.why.trust),
         f"{int(each.priority1)}/{int(each.priority2)}", each.ql,
         ", ".join(f"{device}:{port}" for device, port in each.attached))
        for each in timing.references
    ]  # fmt: skip
    head = ("grandmaster", "class", "ns", "trust", "priority 1/2", "QL", "cabled to")
    return Table(head, rows)


def tree_lines(timing: TimingPlan) -> list[str]:
    """The clock tree, deeper clocks further in; the rest of a long one is counted."""
    lines = list(_tree(timing))
    more = [f"  … {len(lines) - _LINES} lines more in plan.json"] if len(lines) > _LINES else []
    return [*lines[:_LINES], *more]


def budget_table(timing: TimingPlan) -> Table:
    """The error budgets, ns."""
    rows = [
        (b.name, " - ".join(dict.fromkeys(b.between)), b.clocks, float(b.total),
         float(b.total_half), float(b.unfiltered) if b.unfiltered else None,
         float(b.target) if b.target else None, b.meets)
        for b in timing.budgets
    ]  # fmt: skip
    head = ("budget", "worst", "clocks", "ns", "ns, half MTIE", "ns, unfiltered", "target", "meets")
    return Table(head, rows)


def failure_table(timing: TimingPlan) -> Table:
    """The worst single failures."""
    rows = [
        (each.failed, each.alike, each.cut_off, each.moved,
         ", ".join(f"{name} to {parent}" for name, parent in list(each.parents.items())[:3]),
         float(each.total) if each.total else None,
         float(each.total_half) if each.total_half else None, each.meets)
        for each in timing.failures[:_FAILURES]
    ]  # fmt: skip
    head = ("one fails", "alike", "cut off", "turn", "for example", "two NICs, ns", "half MTIE",
            "meets")  # fmt: skip
    return Table(head, rows)


def remedy_table(timing: TimingPlan) -> Table:
    """What would meet a missed target."""
    rows = [(each.change, float(each.total), each.meets) for each in timing.remedies]
    return Table(("what would bring the target nearer", "two NICs, ns", "meets"), rows)


def _tree(timing: TimingPlan) -> Iterator[str]:
    """A line for each group of clocks that follow the same one and are alike, deeper ones in."""
    below: dict[str | None, list[Clock]] = {}
    for clock in timing.clocks.values():
        below.setdefault(clock.parent, []).append(clock)
    for each in timing.references:
        if each.name in below:
            yield f"  {each.name}"
            yield from _followers(each.name, below, "    ")


def _followers(parent: str, below: dict[str | None, list[Clock]], indent: str) -> Iterator[str]:
    groups: dict[tuple[str, str, str, bool], list[Clock]] = {}
    for clock in below.get(parent, ()):
        own = clock.device if clock.device in below else ""
        elsewhere = clock.frequency not in (None, parent)
        alike = (own, clock.kind, clock.clock_class, elsewhere)
        groups.setdefault(alike, []).append(clock)
    for (own, kind, name, elsewhere), clocks in groups.items():
        first = clocks[0]
        names = [each.device for each in clocks]
        more = f", … ({len(names)})" if len(names) > _NAMES else ""
        ports = sorted({p.port for c in clocks for p in c.ports if p.role == "slave"})
        by = f", by {ports[0]}" if len(ports) == 1 else ""
        source = f", frequency from {first.frequency}" if elsewhere else ""
        yield (
            f"{indent}{', '.join(names[:_NAMES])}{more}: {kind}, class {name} "
            f"({first.clock_class_why.trust}), {first.hops} clocks, priority2 "
            f"{int(first.priority2)}{by}{source}"
        )
        if own:
            yield from _followers(own, below, indent + "  ")
