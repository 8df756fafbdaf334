"""The switch's clock: PTP and SyncE."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.plan.design.fabric import Device
from nettool.plan.timing.timing_plan import Clock, TimingPlan


@dataclass(frozen=True, slots=True)
class Timing:
    """The fabric's timing plan and this switch's clock in it."""

    plan: TimingPlan
    clock: Clock

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form."""
        plan, clock = self.plan, self.clock
        return {
            "profile": plan.profile,
            "domain": int(plan.domain),
            "transport": plan.transport,
            "delay": plan.delay,
            "two_step": plan.two_step,
            "kind": clock.kind,
            "parent": clock.parent,
            "hops": clock.hops,
            "clock_class": clock.clock_class,
            "synce": plan.synce,
            "ports": {
                port.port: {
                    "role": port.role,
                    "may_follow": port.may_follow,
                    "peer": port.peer,
                    "synce_input": port.synce_input,
                    "esmc": port.esmc,
                }
                for port in clock.ports
            },
        }


def timing(sources: Sources, device: Device) -> Timing | None:
    """The clock of `device`; None where timing is off or it has no clock."""
    clock = sources.timing.clocks.get(device.name) if sources.timing.enabled else None
    return Timing(sources.timing, clock) if clock else None
