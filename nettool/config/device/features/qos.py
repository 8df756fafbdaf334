"""Quality of service of the switch: the fabric's classes and the figures of its own kind."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.config.device.sources import Sources
from nettool.core.provenance import Figure
from nettool.plan.design.fabric import Device
from nettool.plan.qos.qos_plan import PortQos, Profile, QosPlan, SwitchQos, TrafficClass


@dataclass(frozen=True, slots=True, eq=False)
class Qos:
    """The fabric's plan and this kind of switch's part of it; equal switches share one."""

    plan: QosPlan
    switch: SwitchQos
    classes: tuple[TrafficClass, ...]
    """With the weights of the switch's own network."""

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form: classes, maps, pools, profiles, marking and ports."""
        switch = self.switch
        return {
            "lossless_priorities": list(self.plan.lossless_priorities),
            "dscp_to_tc": {str(dscp): tc for dscp, tc in self.plan.dscp_to_tc.items()},
            "classes": [
                {"name": c.name, "tc": c.tc, "queue": c.queue, "pg": c.pg, "dscp": list(c.dscp),
                 "lossless": c.lossless, "ecn": c.ecn, "weight": _number(c.weight)}
                for c in self.classes
            ],
            "headroom": {"variant": switch.variant, "trust": str(switch.trust)},
            "pools": {p.name: {"size": int(p.size), "xoff": _number(p.xoff)} for p in switch.pools},
            "profiles": {p.name: _profile(p) for p in switch.profiles},
            "ecn": {
                w.name: {"kmin": int(w.kmin), "kmax": int(w.kmax), "pmax": int(w.pmax)}
                for w in switch.wreds
            },
            "ports": {name: _port(port) for name, port in switch.ports.items()},
        }  # fmt: skip


def _profile(profile: Profile) -> dict[str, object]:
    return {
        "pool": profile.pool,
        "size": int(profile.size),
        "xon": _number(profile.xon),
        "xoff": _number(profile.xoff),
        "xon_offset": _number(profile.xon_offset),
        "dynamic_th": _number(profile.dynamic_th),
        "static_th": _number(profile.static_th),
    }


def _port(port: PortQos) -> dict[str, object]:
    return {
        "speed": port.speed,
        "cable": port.cable.value,
        "lossless": port.lossless,
        "profile": port.lossless_profile,
        "ecn": port.wred,
    }


def _number(figure: Figure | None) -> int | float | None:
    return figure.value if figure else None


def qos(sources: Sources, device: Device) -> Qos | None:
    """The planned QoS of `device`; None where the plan has none for it."""
    switch = sources.qos.switches.get(device.name)
    if switch is None:
        return None
    classes = sources.qos.classes_of(device.network)
    return sources.share(("qos", id(switch)), lambda: Qos(sources.qos, switch, classes))
