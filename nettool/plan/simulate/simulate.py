"""Incast on the planned buffers and thresholds: what is lost, marked and paused, and when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nettool.core.finding import Report
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.placement.matrix import TrafficMatrix
from nettool.plan.qos.qos_plan import QosPlan
from nettool.plan.simulate.outcome import Outcome, outcome_of
from nettool.plan.simulate.reaction import PARAMETERS
from nettool.plan.simulate.run import Run
from nettool.plan.simulate.scenario import Asked, Scenario, scenarios
from nettool.plan.simulate.setup import Setup
from nettool.plan.simulate.verdict import judged


@dataclass(frozen=True, slots=True)
class Simulation:
    """Every case with what became of it, and in words what the model takes for granted."""

    outcomes: tuple[Outcome, ...]
    assumptions: tuple[str, ...]


def simulate(
    intent: FabricIntent,
    fabric: Fabric,
    matrix: TrafficMatrix,
    qos: QosPlan,
    asked: Asked | None = None,
) -> tuple[Simulation, Report]:
    """Run each kind of egress port of each kind of switch; equal cases run once."""
    wanted = asked or Asked()
    runs: dict[Setup, Run] = {}
    outcomes = []
    for each in _alike(scenarios(intent, fabric, matrix, qos, wanted)):
        if each.setup not in runs:
            runs[each.setup] = Run(each.setup).finish()
        outcomes.append(outcome_of(each, runs[each.setup]))
    result = Simulation(tuple(outcomes), tuple(_assumptions(wanted)))
    dropped = sum(int(each.dropped) for each in outcomes)
    return result, Report.of(judged(outcomes), cases=len(outcomes), dropped_bytes=dropped)


def _alike(cases: Iterator[Scenario]) -> list[Scenario]:
    """Cases that differ in the names of their switches alone, once, with all those names."""
    found: dict[tuple[object, ...], Scenario] = {}
    for each in cases:
        key = (each.kind, each.model, each.network, each.tier, each.feeds, each.setup)
        known = found.get(key)
        found[key] = replace(known, devices=known.devices + each.devices) if known else each
    return list(found.values())


def _assumptions(asked: Asked) -> Iterator[str]:
    yield "every sender has more to send than time to send it, each ingress port at line rate"
    yield "one lossless priority is congested; what leaves the queue frees headroom first"
    yield (
        "a pause waits for the longest frame just going out, crosses the cable, and is obeyed "
        "after the longest response of IEEE 802.3 31B.3.7 and the frame in flight; so is a resume"
    )
    yield "marks are dealt out evenly at their probability, not drawn"
    if asked.ecn:
        told = ", ".join(
            f"{name} {float(each):g} {each.unit}".rstrip() + f" ({each.why.trust})"
            for name, each in PARAMETERS.items()
        )
        yield f"senders slow down as DCQCN does, with its authors' parameters for 40G: {told}"
        yield "a NIC's own parameters are not public: goodput is the model's, not a forecast"
    else:
        yield "senders ignore marks: PFC alone holds them"
