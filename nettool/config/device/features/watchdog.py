"""The PFC watchdog: what stops a storm of pause frames."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.core.provenance import Figure
from nettool.plan.design.fabric import Device


@dataclass(frozen=True, slots=True, eq=False)
class PfcWatchdog:
    """Timers in milliseconds and the action, on the lossless ports `ports`."""

    detection: Figure
    restoration: Figure
    poll: Figure
    action: str
    ports: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form."""
        return {
            "detection_ms": int(self.detection),
            "restoration_ms": int(self.restoration),
            "poll_ms": int(self.poll),
            "action": self.action,
            "ports": list(self.ports),
        }


def watchdog(sources: Sources, device: Device) -> PfcWatchdog | None:
    """The watchdog of `device`; None where it is off."""
    switch = sources.qos.switches.get(device.name)
    timers = switch.watchdog if switch else None
    if switch is None or timers is None:
        return None
    return sources.share(
        ("watchdog", id(switch)),
        lambda: PfcWatchdog(
            timers.detection,
            timers.restoration,
            timers.poll,
            timers.action,
            tuple(name for name, port in switch.ports.items() if port.lossless),
        ),
    )
