"""Incast on the planned buffers and thresholds: what is lost, marked and paused, and when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from nettool.core.finding import Report
from nettool.core.provenance import Figure
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.placement.matrix import TrafficMatrix
from nettool.plan.qos.ecn import base_rtt
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
    result = Simulation(tuple(outcomes), tuple(_assumptions(intent, wanted, outcomes)))
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


def _assumptions(intent: FabricIntent, asked: Asked, ran: Iterable[Outcome]) -> Iterator[str]:
    """What the model takes for granted, and the planned figures that are not firm."""
    yield "every sender has more to send than time to send it, each ingress port at line rate"
    yield "one lossless priority is congested; what leaves the queue frees headroom first"
    yield (
        "a pause waits for the longest frame just going out, crosses the cable, and is obeyed "
        "after the longest response of IEEE 802.3 31B.3.7 and the frame in flight; so is a resume"
    )
    yield "where a profile has no xon_offset, a group resumes two frames below its threshold"
    yield "a port that stands still is left alone: no PFC watchdog drops what waits for it"
    yield "marks are dealt out evenly at their probability, not drawn"
    if asked.ecn:
        rtt = base_rtt(intent.qos.ecn)
        yield f"a mark is known to its sender {_shown(rtt)} after the frame left the queue"
        told = ", ".join(f"{name} {_shown(each)}" for name, each in PARAMETERS.items())
        yield f"senders slow down as DCQCN does, with its authors' parameters for 40G: {told}"
        yield "a NIC's own parameters are not public: goodput is the model's, not a forecast"
    else:
        yield "senders ignore marks: PFC alone holds them"
    yield from _not_firm(ran)


def _not_firm(ran: Iterable[Outcome]) -> Iterator[str]:
    """The planned figures that a conclusion may not rest on unsaid, by their trust."""
    found: dict[str, set[str]] = {}
    for outcome in ran:
        for each in outcome.scenario.planned:
            if each.why and not each.why.trust.is_firm:
                found.setdefault(each.why.trust, set()).add(each.name.partition(" of ")[0])
    if found:
        told = "; ".join(f"{trust}: {', '.join(sorted(found[trust]))}" for trust in sorted(found))
        yield f"planned figures that are not firm: {told}"


def _shown(figure: Figure) -> str:
    unit = f" {figure.unit}" if figure.unit else ""
    return f"{figure.value:,}{unit} ({figure.why.trust})"
