"""What a device's intended state is built from: the intent and the three plans."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.qos.qos_plan import QosPlan
from nettool.plan.timing.timing_plan import TimingPlan

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sources:
    """The inputs of every feature, and one memory so that equal devices share their parts."""

    intent: FabricIntent
    fabric: Fabric
    qos: QosPlan
    timing: TimingPlan
    shared: dict[Hashable, object] = field(default_factory=dict)

    def share(self, key: Hashable, make: Callable[[], T]) -> T:
        """The part filed under `key`, made on first use: equal devices hold one instance."""
        if key not in self.shared:
            self.shared[key] = make()
        return self.shared[key]  # type: ignore[return-value] # each key has one maker
