"""What the reader of a plan must know: weak figures, and the switch's own tables."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding
from nettool.core.provenance import Figure, Provenance, Trust
from nettool.core.units import format_speed
from nettool.plan.qos.cables import DYNAMIC_MODEL
from nettool.plan.qos.note import info
from nettool.plan.qos.qos_plan import SwitchQos
from nettool.plan.qos.switch import Task
from nettool.plan.qos.verdict import named


def remarks(task: Task, planned: SwitchQos) -> Iterator[Finding]:
    """Notes on one kind of switch: none of a proof where no port is lossless."""
    if not any(port.lossless for port in planned.ports.values()):
        return
    yield from _weak(task, planned)
    yield from _on_box(task, planned)
    yield from _differs(task, planned)


def weak_inputs(figure: Figure) -> dict[str, str]:
    """Inputs of a figure, down to the leaves, that are not firm: name to trust."""
    found: dict[str, str] = {}
    _collect(figure.why, "", found)
    return found


def _collect(why: Provenance, name: str, found: dict[str, str]) -> None:
    if not why.inputs and name and not why.trust.is_firm:
        found[name] = str(why.trust)
    for each in why.inputs:
        if each.why:
            _collect(each.why, each.name, found)


def _weak(task: Task, planned: SwitchQos) -> Iterator[Finding]:
    weak: dict[str, str] = {}
    for proof in planned.proofs:
        for side in (proof.left, proof.right):
            weak |= weak_inputs(side)
            if not side.why.inputs and not side.why.trust.is_firm:
                weak["the chip's own figures"] = str(side.why.trust)
    if not weak:
        return
    listed = "; ".join(f"{name} ({trust})" for name, trust in sorted(weak.items()))
    yield info(
        "QOS012",
        f"{named(task.switch)}: the lossless proof rests on {listed}",
        "give measured or vendor figures in the overrides file (qos.overrides)",
        *("qos", "overrides"),
    )


def _on_box(task: Task, planned: SwitchQos) -> Iterator[Finding]:
    """In the traditional buffer model the switch reads its own ini, which may not be ours."""
    chip = task.chip
    if chip.table is None or chip.asic.sonic_asic_type in DYNAMIC_MODEL:
        return
    if chip.on_box and chip.on_box.trust is Trust.GIVEN:
        return
    yield info(
        "QOS013",
        f"{named(task.switch)}: headroom is from table {chip.table.name} ({chip.table.trust}); "
        "the switch's own pg_profile_lookup.ini may differ and wins for any profile that does not "
        "exist under the same name when its port comes up",
        f"compare profiles {', '.join(_lossless_names(planned))} on the switch; {_taken(task)}",
        *("qos", "headroom_table"),
    )


def _differs(task: Task, planned: SwitchQos) -> Iterator[Finding]:
    """Profiles that the switch's own table, as published for it, would make otherwise."""
    chip = task.chip
    if chip.on_box is None or chip.asic.sonic_asic_type in DYNAMIC_MODEL:
        return
    taken = chip.on_box.trust is Trust.GIVEN
    profiles = {each.name: each for each in planned.profiles}
    wanted = {port.lossless_profile: port for port in planned.ports.values() if port.lossless}
    for name, port in wanted.items():
        row, xoff = chip.on_box.row(port.speed, float(port.cable)), profiles[name].xoff
        if row is None or row.cable != float(port.cable):
            there = f"no row for {format_speed(port.speed)} at {float(port.cable):g} m"
        elif xoff is not None and row.xoff != float(xoff):
            there = f"xoff {row.xoff:,} B"
        else:
            continue
        planned_xoff = f"{float(xoff):,.0f} B" if xoff else "none"
        yield info(
            "QOS020",
            f"{named(task.switch)}: {name} is planned with xoff {planned_xoff}; the switch's own "
            f"table {chip.on_box.name} ({chip.on_box.trust}) has {there}, and makes its own "
            "profile unless ours is there before the port comes up",
            "push the profile while the port is down, or put the row into the switch's "
            f"pg_profile_lookup.ini{'' if taken else '; ' + _taken(task)}",
            *("qos", "overrides"),
        )


def _taken(task: Task) -> str:
    """How the table of the switch itself is made known."""
    return (
        "`nettool catalog import pg_profile_lookup.ini -o FABRIC/catalog --asic "
        f"{task.chip.asic.name} --name {task.switch.model}` plans with the switch's own"
    )


def _lossless_names(planned: SwitchQos) -> list[str]:
    return [each.name for each in planned.profiles if each.name.startswith("pg_lossless_")]
