"""The timing plan for a person: the tree, the budgets, what a failure does, what would help."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.cli.screen import Screen
from nettool.plan.timing.timing_plan import Clock, TimingPlan

_LINES = 32
_NAMES = 6
_FAILURES = 8


def show_timing(timing: TimingPlan, screen: Screen) -> None:
    """Everything that `nettool plan` says of time."""
    if not timing.enabled:
        screen.text("timing: off (no `timing` in fabric.yaml)\n")
        return
    synce = f"SyncE option {timing.synce_option}" if timing.synce else "no SyncE"
    screen.text(
        f"timing: {timing.profile}, domain {int(timing.domain)}, {timing.transport}, announce "
        f"2^{int(timing.log_announce)} s, sync 2^{int(timing.log_sync)} s, {synce}"
    )
    _references(timing, screen)
    lines = list(_tree(timing))
    more = [f"  … {len(lines) - _LINES} lines more in plan.json"] if len(lines) > _LINES else []
    screen.text("\n".join(["clock tree:", *lines[:_LINES], *more, ""]))
    _budgets(timing, screen)
    _failures(timing, screen)
    _remedies(timing, screen)
    screen.text("\n".join(f"  {each}" for each in timing.notes) + "\n")


def _references(timing: TimingPlan, screen: Screen) -> None:
    rows = [
        (each.name, each.clock_class, float(each.error), str(each.error.why.trust),
         f"{int(each.priority1)}/{int(each.priority2)}", each.ql,
         ", ".join(f"{device}:{port}" for device, port in each.attached))
        for each in timing.references
    ]  # fmt: skip
    head = ("grandmaster", "class", "ns", "trust", "priority 1/2", "QL", "cabled to")
    screen.table(head, rows)


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


def _budgets(timing: TimingPlan, screen: Screen) -> None:
    rows = [
        (b.name, " - ".join(dict.fromkeys(b.between)), b.clocks, float(b.total),
         float(b.total_half), float(b.unfiltered) if b.unfiltered else None,
         float(b.target) if b.target else None, b.meets)
        for b in timing.budgets
    ]  # fmt: skip
    head = ("budget", "worst", "clocks", "ns", "ns, half MTIE", "ns, unfiltered", "target", "meets")
    screen.table(head, rows)


def _failures(timing: TimingPlan, screen: Screen) -> None:
    rows = [
        (each.failed, each.alike, each.cut_off, each.moved,
         ", ".join(f"{name} to {parent}" for name, parent in list(each.parents.items())[:3]),
         float(each.total) if each.total else None,
         float(each.total_half) if each.total_half else None, each.meets)
        for each in timing.failures[:_FAILURES]
    ]  # fmt: skip
    if rows:
        head = ("one fails", "alike", "cut off", "turn", "for example", "two NICs, ns",
                "half MTIE", "meets")  # fmt: skip
        screen.table(head, rows)


def _remedies(timing: TimingPlan, screen: Screen) -> None:
    rows = [(each.change, float(each.total), each.meets) for each in timing.remedies]
    if rows:
        screen.table(("what would bring the target nearer", "two NICs, ns", "meets"), rows)
