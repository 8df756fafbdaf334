"""From design and demand to the whole QoS plan: one plan for each kind of switch, with proof."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.catalog.catalog import Catalog, UnknownNameError
from nettool.core.finding import Finding, Report
from nettool.core.units import format_speed
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.placement.matrix import TrafficMatrix
from nettool.plan.qos.assumptions import assumptions
from nettool.plan.qos.chip import Chip, chip_of
from nettool.plan.qos.classes import plan_classes
from nettool.plan.qos.deadlock import check_deadlock, examine
from nettool.plan.qos.frames import check_frames
from nettool.plan.qos.marking import check_marking
from nettool.plan.qos.note import error
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.ports import SwitchClass, group_switches
from nettool.plan.qos.preset import PRESETS
from nettool.plan.qos.qos_plan import QosPlan, SwitchQos
from nettool.plan.qos.remarks import remarks
from nettool.plan.qos.switch import Task, plan_switch
from nettool.plan.qos.trace import assumed
from nettool.plan.qos.variant import VARIANTS

_HOPS = {"leaf": 1, "spine": 3, "core": 5}


def plan_qos(
    intent: FabricIntent,
    fabric: Fabric,
    matrix: TrafficMatrix,
    catalog: Catalog,
    overrides: Overrides | None = None,
) -> tuple[QosPlan, Report]:
    """The QoS of every switch, and what is wrong with it or rests on weak figures.

    A kind of switch that has errors is left out of `switches`. Findings name key paths of
    fabric.yaml; equal switches share one plan.
    """
    own = overrides or Overrides()
    classes, told = plan_classes(intent.qos, matrix, own, fabric.topology)
    verdicts = examine(fabric)
    findings = [
        *told,
        *_unknown_names(intent, catalog),
        *check_marking(intent, classes, catalog),
        *check_deadlock(verdicts, classes.lossless),
    ]
    switches: dict[str, SwitchQos] = {}
    done: list[tuple[Task, SwitchQos]] = []
    if not Report.of(findings).has_errors:
        tasks = tuple(tasks_of(intent, fabric, matrix, catalog, own, classes.lossless))
        findings.extend(check_frames(tasks))
        for task in tasks:
            planned, told = plan_switch(task)
            findings.extend(told)
            if planned is not None:
                done.append((task, planned))
                findings.extend(remarks(task, planned))
                switches.update(dict.fromkeys(task.switch.devices, planned))
    plan = QosPlan(
        classes=classes.classes,
        dscp_to_tc=classes.dscp_to_tc,
        tc_to_queue=classes.tc_to_queue,
        tc_to_pg=classes.tc_to_pg,
        pfc_to_queue=classes.pfc_to_queue,
        lossless_priorities=classes.lossless,
        map_why=classes.why,
        switches=switches,
        assumptions=assumptions(intent, done),
        deadlock=tuple(each.text for each in verdicts),
        network_classes=classes.by_network,
    )
    if switches:
        findings.extend(own.unused(_names(plan)))
    return plan, Report.of(findings)


def _names(plan: QosPlan) -> dict[str, list[str]]:
    """What the operator's own figures can be about, by section of the overrides file."""
    switches = {id(each): each for each in plan.switches.values()}.values()
    return {
        "asics": [each.asic for each in switches],
        "profiles": [profile.name for each in switches for profile in each.profiles],
        "weights": [each.name for each in plan.classes if each.weight],
        "ecn": [format_speed(wred.speed) for each in switches for wred in each.wreds],
    }


def _unknown_names(intent: FabricIntent, catalog: Catalog) -> Iterator[Finding]:
    asked = intent.qos
    for name, known, key in (
        (asked.headroom, VARIANTS, ("qos", "headroom")),
        (asked.ecn.preset, PRESETS, ("qos", "ecn", "preset")),
    ):
        if name is not None and name not in known:
            message = f"{'.'.join(key)}: {name!r} is not known"
            yield error("QOS017", message, f"choose one of {', '.join(known)}", *key)
    if asked.headroom_table is not None:
        try:
            catalog.headroom_table(asked.headroom_table)
        except UnknownNameError as exc:
            yield error("QOS017", exc.args[0], exc.hint, "qos", "headroom_table")


def tasks_of(
    intent: FabricIntent,
    fabric: Fabric,
    matrix: TrafficMatrix,
    catalog: Catalog,
    overrides: Overrides,
    priorities: tuple[int, ...],
) -> Iterator[Task]:
    """Each kind of switch with everything that bears on its plan: what `plan_switch` takes."""
    hops = {network: _hops(fabric, network) for network in fabric.topology}
    chips: dict[object, Chip] = {}
    for switch in group_switches(fabric, rdma=bool(priorities)):
        key = (switch.model, switch.sku, switch.asic)
        if key not in chips:
            chips[key] = _chip(intent, switch, catalog, overrides)
        chip = chips[key]
        variant = intent.qos.headroom or chip.asic.headroom_variant
        incast = matrix.incast.get(switch.network) or assumed(1, "", "no job says who sends")
        yield Task(
            intent, switch, chip, variant, priorities, incast,
            hops.get(switch.network, 1), overrides,
        )  # fmt: skip


def _hops(fabric: Fabric, network: str) -> int:
    """Switches on the longest route of a network."""
    return max((_HOPS[each.role] for each in fabric.of_network(network)), default=1)


def _chip(
    intent: FabricIntent, switch: SwitchClass, catalog: Catalog, overrides: Overrides
) -> Chip:
    asic = catalog.asic(switch.asic)
    own = intent.qos.headroom_table
    on_box = catalog.headroom_of(catalog.switch(switch.model), switch.sku, switch.asic)
    return chip_of(asic, catalog.headroom_table(own) if own else on_box, overrides, on_box)
