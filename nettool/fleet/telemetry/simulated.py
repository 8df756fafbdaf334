"""What suggestions do in the simulator: the cases that they change, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.placement.matrix import TrafficMatrix
from nettool.plan.qos.qos_plan import QosPlan
from nettool.plan.simulate.outcome import Outcome, outcome_of
from nettool.plan.simulate.run import Run
from nettool.plan.simulate.scenario import Asked, Scenario, scenarios
from nettool.plan.simulate.setup import Setup


@dataclass(frozen=True, slots=True)
class Shift:
    """One case with what became of it as planned, and with all suggestions.

    `devices` are all switches where it is so.
    """

    devices: tuple[str, ...]
    before: Outcome
    after: Outcome


def shifts(
    intent: FabricIntent, fabric: Fabric, matrix: TrafficMatrix, before: QosPlan, after: QosPlan
) -> tuple[Shift, ...]:
    """Cases whose setup differs; equal ones run once."""
    runs: dict[Setup, Run] = {}
    devices: dict[tuple[object, ...], tuple[str, ...]] = {}
    pairs: dict[tuple[object, ...], tuple[Scenario, Scenario]] = {}
    for old, new in _pairs(intent, fabric, matrix, before, after):
        key = (old.kind, old.model, old.network, old.tier, old.setup, new.setup)
        devices[key] = devices.get(key, ()) + old.devices
        pairs.setdefault(key, (old, new))
        for setup in (old.setup, new.setup):
            if setup not in runs:
                runs[setup] = Run(setup).finish()
    return tuple(
        Shift(devices[key], outcome_of(old, runs[old.setup]), outcome_of(new, runs[new.setup]))
        for key, (old, new) in pairs.items()
    )


def _pairs(
    intent: FabricIntent, fabric: Fabric, matrix: TrafficMatrix, before: QosPlan, after: QosPlan
) -> Iterator[tuple[Scenario, Scenario]]:
    parts, asked = (intent, fabric, matrix), Asked()
    both = zip(scenarios(*parts, before, asked), scenarios(*parts, after, asked), strict=True)
    yield from ((old, new) for old, new in both if old.setup != new.setup)
