"""Breaking cages out without a reload: drained, unbound, broken out, rebuilt, checked, undrained.

A port cannot be taken apart while rows hold it, lossless buffers least of all; and a switch that
is told so in one patch searches for an order without end. So each cage goes through states that
are written out here, each one proved acceptable, forward and backward, before anything is sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from nettool.config.diff.acceptance import PlannedChange, planned, reasons, seconds, worst
from nettool.config.diff.breakout_states import (
    Breakout,
    States,
    folded,
    new_ports,
    old_ports,
    states_of,
)
from nettool.config.diff.dangling import named_in
from nettool.config.diff.meaning import Meaning, meaning_of, spelled
from nettool.config.diff.patch import to_patch
from nettool.config.diff.steps import BY_CHECKPOINT, PlanStep, names
from nettool.config.diff.tables import diff_tables
from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialects.sonic.updater import Impact, Updater
from nettool.config.nos.models import modelled
from nettool.core.breakout import read_mode, same_ports
from nettool.core.order import natural

CAGE_SECONDS = 60.0
"""The switch waits so long for its chip to let go of a port (sonic-utilities config_mgmt.py)."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """The steps for all cages at once, and why they will not do forward or backward."""

    steps: tuple[PlanStep, ...]
    refused: tuple[str, ...]
    undo_refused: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return sum(each.seconds for each in self.steps)

    @property
    def impact(self) -> Impact:
        """The worst step's."""
        return worst(each.impact for each in self.steps)


def breakouts(running: Tables, target: Tables) -> tuple[Breakout, ...]:
    """The cages whose breakout mode means something else in `target`; none where a row is new."""
    wanted = target.get("BREAKOUT_CFG", {})
    found = []
    for parent, row in running.get("BREAKOUT_CFG", {}).items():
        before = spelled(row.get("brkout_mode", ""))
        after = spelled(wanted.get(parent, {}).get("brkout_mode", ""))
        lanes = _lanes(running, parent, before)
        if after and lanes and not same_ports(before, after):
            old, new = (_ports(tables, parent, lanes) for tables in (running, target))
            found.append(Breakout(parent, before, after, old, new))
    return tuple(sorted(found, key=lambda each: natural(each.parent)))


def sequence(
    device: str, running: Tables, target: Tables, cages: tuple[Breakout, ...], updater: Updater
) -> Sequence:
    """How a switch that runs `running` comes to run `target`, cage by cage, one patch a state."""
    states = states_of(running, target, cages)
    made = _Making(device, updater, frozenset((*old_ports(cages), *new_ports(cages))))
    forward = (
        made.patch(states.running, states.drained, "drain"),
        made.patch(states.shut, states.unbound, "unbind"),
        made.patch(states.broken_out, states.rebuilt, "rebuild"),
        made.patch(states.up, states.target, "undrain"),
    )
    refused = [text for _, why in forward for text in why]
    refused += [*_held(running, cages), *_foreign(running, updater)]
    back = [
        text
        for state in (states.shut, states.unbound, folded(states.target, states.running, cages))
        for text in made.patch(state, states.running, "go back")[1]
    ]
    steps = tuple(_ordered(states, cages, [step for step, _ in forward]))
    return Sequence(steps, tuple(dict.fromkeys(refused)), tuple(dict.fromkeys(back)))


@dataclass(frozen=True, slots=True)
class _Making:
    device: str
    updater: Updater
    ports: frozenset[str]

    def patch(self, before: Tables, after: Tables, title: str) -> tuple[PlanStep, tuple[str, ...]]:
        """One patch between two states, and why the updater would not have it."""
        changes = diff_tables(self.device, before, after, owned=_nobodys())
        found = tuple(planned(changes, before, self.updater))
        felt = [each for each in found if each.impact is not Impact.NONE and not self._rests(each)]
        step = PlanStep(
            "patch",
            title,
            worst(each.impact for each in felt),
            "; ".join(sorted({each.why for each in felt})) or "the ports are down",
            BY_CHECKPOINT,
            seconds(changes.changes) if changes.changes else 0.0,
            operations=tuple(to_patch(changes, before)),
        )
        return step, reasons(found)

    def _rests(self, each: PlannedChange) -> bool:
        """Whether a change is about ports that are down meanwhile."""
        change = each.change
        named = {*change.key.split("|"), change.field}
        return bool(named & self.ports)


def _ordered(
    states: States, cages: tuple[Breakout, ...], patches: list[PlanStep]
) -> Iterator[PlanStep]:
    drain, unbind, rebuild, undrain = patches
    old, new = old_ports(cages), new_ports(cages)
    on = tuple(port for port in new if states.up["PORT"][port].get("admin_status") == "up")
    flap, none = Impact.LINK_FLAP, Impact.NONE
    yield from _patched(drain, "drain: shut the BGP sessions over these ports", old)
    yield PlanStep("down", f"shut {names(old)}", flap, "the ports go down", BY_CHECKPOINT, 1.0, old)
    yield from _patched(unbind, f"unbind everything from {names(old)}", old)
    for cage in cages:
        title = f"break {cage.parent} out from {cage.before} to {cage.after}"
        undo = f"break it out to {cage.before} again, then {BY_CHECKPOINT}"
        why = "its ports are removed, others created"
        yield PlanStep("breakout", title, flap, why, undo, CAGE_SECONDS, (cage.parent,), cage.after)
    yield PlanStep("wait", f"wait until {names(new)} are there", none, "", "", 5.0, new)
    yield from _patched(rebuild, "rebuild ports, queues and lossless groups", new)
    if states.lossless:
        groups = names(states.lossless)
        title = f"check that the daemons took the lossless groups {groups}"
        yield PlanStep("check", title, none, "", "", 5.0, states.lossless)
    if on:
        yield PlanStep("up", f"enable {names(on)}", none, "", BY_CHECKPOINT, 1.0, on)
    yield from _patched(undrain, "undrain: start the BGP sessions again", new)


def _patched(step: PlanStep, title: str, ports: tuple[str, ...]) -> Iterator[PlanStep]:
    if step.operations:
        yield replace(step, title=title, names=ports)


@cache
def _nobodys() -> Meaning:
    """Meaning without owners: a daemon's row holds a port like any other."""
    return replace(
        meaning_of(),
        daemon_rows={},
        switch_tables=frozenset(),
        operator_tables=frozenset(),
        switch_fields={},
    )


def _lanes(running: Tables, parent: str, mode: str) -> int:
    """How many lanes the cage has, as its ports now have them; 0 where the mode is unreadable."""
    row = running.get("PORT", {}).get(parent)
    try:
        count = read_mode(mode)[0].count
    except ValueError:
        return 0
    base, total, seen = _number(parent), 0, 0
    for port in sorted(running.get("PORT", {}), key=natural) if row is not None else ():
        if _number(port) == base + total and seen < count:
            total += len(spelled(running["PORT"][port].get("lanes", "")).split(","))
            seen += 1
    return total if seen == count else 0


def _ports(tables: Tables, parent: str, lanes: int) -> tuple[str, ...]:
    span = range(_number(parent), _number(parent) + lanes)
    return tuple(sorted((p for p in tables.get("PORT", {}) if _number(p) in span), key=natural))


def _number(port: str) -> int:
    text = port.removeprefix("Ethernet")
    return int(text) if text.isdigit() else -1


def _held(running: Tables, cages: tuple[Breakout, ...]) -> Iterator[str]:
    """Rows of others that name an old port in a field: nobody takes those apart."""
    old = set(old_ports(cages))
    for table, rows in running.items():
        for key, row in rows.items() if table in modelled() else ():
            for field, named in named_in(table, row):
                if found := sorted(old & named, key=natural):
                    yield f"{table}|{key} {field} names {names(found)}: take it out there first"


def _foreign(running: Tables, updater: Updater) -> Iterator[str]:
    """Tables without a model: where one has rows, the command asks, and nobody answers."""
    tables = sorted(t for t, rows in running.items() if rows and not updater.models(t))
    if tables:
        yield f"config interface breakout stops where {', '.join(tables)} has rows (no SONiC model)"
