"""The shipped fabrics, planned once a session: what contract, golden and bench tests share."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.config.device.device import DeviceConfig, build
from nettool.core.finding import Report
from nettool.intent.intent import FabricIntent
from nettool.intent.load import find_fabric, load_intent
from nettool.plan.demand.estimate import estimate
from nettool.plan.design.design import design
from nettool.plan.design.fabric import Fabric
from nettool.plan.placement.place import place
from nettool.plan.qos.plan import plan_qos
from nettool.plan.qos.qos_plan import QosPlan
from nettool.plan.timing.plan import plan_timing
from nettool.plan.timing.timing_plan import TimingPlan


@dataclass(frozen=True)
class PlannedFabric:
    """Every stage of one fabric up to its device configurations."""

    intent: FabricIntent
    fabric: Fabric
    qos: QosPlan
    timing: TimingPlan
    configs: tuple[DeviceConfig, ...]
    report: Report


def plan(intent: FabricIntent) -> PlannedFabric:
    """All stages of an intent, findings gathered."""
    catalog = load_catalog()
    demand, one = estimate(intent, catalog)
    fabric, two = design(intent, demand, catalog)
    matrix, three = place(demand, fabric)
    qos, four = plan_qos(intent, fabric, matrix, catalog)
    timing, five = plan_timing(intent, fabric, catalog)
    configs = build(intent, fabric, qos, timing)
    return PlannedFabric(intent, fabric, qos, timing, configs, one + two + three + four + five)


@cache
def _shipped(name: str, routing: str) -> PlannedFabric:
    intent, _ = load_intent(find_fabric(name))
    if routing:
        manager, links = routing.split()
        network = intent.networks["compute"]
        wanted = network.routing.model_copy(update={"manager": manager, "links": links})
        changed = {"compute": network.model_copy(update={"routing": wanted})}
        intent = intent.model_copy(update={"networks": changed})
    return plan(intent)


@pytest.fixture(scope="session")
def shipped_fabric() -> Callable[..., PlannedFabric]:
    """A shipped fabric by name, as it is or with other routing: `("…", "frrcfgd unnumbered")`."""

    def find(name: str, routing: str = "") -> PlannedFabric:
        return _shipped(name, routing)

    return find


@pytest.fixture(scope="session")
def plan_intent() -> Callable[[Any], PlannedFabric]:
    """Plans an intent given as plain data."""
    return lambda data: plan(FabricIntent.model_validate(data))


@pytest.fixture
def of_a_terminal() -> Iterator[None]:
    """Signals do what a terminal has them do, though `nohup` or `&` left them ignored."""
    given = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
        signal.SIGHUP: signal.SIG_DFL,
    }
    before = {number: signal.signal(number, handler) for number, handler in given.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
