"""What the switch reports to, and what it counts."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.core.provenance import Input, Origin, Provenance, Traced, Trust
from nettool.plan.design.fabric import Device


@dataclass(frozen=True, slots=True, eq=False)
class Services:
    """Servers and services, equal on every switch of a fabric.

    `counters` are the kinds of counters to collect, in the field's words; a dialect knows their
    spelling. The ECN-marked ones are what shows congestion before loss.
    """

    ntp: tuple[Traced, ...]
    syslog: tuple[Traced, ...]
    timezone: str | None
    lldp: bool
    counters: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form."""
        return {
            "ntp": list(self.ntp),
            "syslog": list(self.syslog),
            "timezone": self.timezone,
            "lldp": self.lldp,
            "counters": list(self.counters),
        }


COUNTERS = (
    "acl", "buffer-pool-watermark", "ecn-marked-port", "ecn-marked-queue", "pfc-watchdog", "port",
    "port-buffer-drop", "port-rates", "priority-group-drop", "priority-group-watermark", "queue",
    "queue-watermark", "router-interface",
)  # fmt: skip


def services(sources: Sources, device: Device) -> Services:  # noqa: ARG001 - one shape for all
    """The services that the intent asks for."""
    return sources.share("services", lambda: _services(sources))


def _services(sources: Sources) -> Services:
    wanted = sources.intent.management
    return Services(
        ntp=tuple(_given(each, "ntp", n) for n, each in enumerate(wanted.ntp)),
        syslog=tuple(_given(each, "syslog", n) for n, each in enumerate(wanted.syslog)),
        timezone=wanted.timezone,
        lldp=True,
        counters=COUNTERS,
    )


def _given(address: str, kind: str, number: int) -> Traced:
    origin = Origin("fabric.yaml", ("management", kind, number))
    given = Input(f"{kind} server", address, origin=origin)
    return Traced.of(address, Provenance("given in the fabric file", (given,), trust=Trust.GIVEN))
