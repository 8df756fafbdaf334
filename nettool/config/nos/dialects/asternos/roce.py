"""Easy RoCE: the switch's own preset, asked for by REST bodies and known by its object names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nettool.config.device.device import DeviceConfig
from nettool.core.provenance import Trust

SOURCE = "docs.asternos.com/zh/aidc/restapi-manual/easy-roce/"
_CABLES = (5, 40, 100, 300)
_SOURCED_CABLE = 5
PRESET_PRIORITIES = (3, 4)
"""Queues that the preset makes lossless (vendor's Easy RoCE guide)."""


@dataclass(frozen=True, slots=True)
class RoceProfile:
    """One preset profile: cable class in metres, incast level, and the ports it is for."""

    cable: int
    incast: str
    ports: tuple[str, ...]

    @property
    def name(self) -> str:
        """The profile's name, after the vendor's pattern mode_cable_incast."""
        return f"roce_lossless_{self.cable}m_{self.incast}"

    @property
    def trust(self) -> Trust:
        """Only the 5 m form is shown on a page; other lengths are general knowledge."""
        return Trust.PUBLISHED if self.cable == _SOURCED_CABLE else Trust.UNVERIFIED


def profiles(config: DeviceConfig) -> tuple[RoceProfile, ...]:
    """The profiles that a switch's lossless ports need, one a cable class."""
    grouped: dict[int, list[str]] = {}
    for name, port in (config.qos.switch.ports if config.qos else {}).items():
        if port.lossless:
            grouped.setdefault(_cable(port.length), []).append(name)
    return tuple(RoceProfile(cable, "medium", tuple(grouped[cable])) for cable in sorted(grouped))


def requests(config: DeviceConfig) -> list[dict[str, object]]:
    """The REST requests, in order, each with source and trust."""
    return [
        {
            "method": "POST",
            "path": "/rest/v1/running/roce/roce-profiles",
            "body": {
                "name": profile.name,
                "mode": "lossless",
                "cable-length": f"CABLE_{profile.cable}m",
                "incast-level": profile.incast,
            },
            "source": SOURCE,
            "trust": str(profile.trust),
        }
        for profile in profiles(config)
    ]


def objects(config: DeviceConfig) -> Iterator[dict[str, object]]:
    """The names of what the preset makes on the switch, to be read back."""
    speeds = {
        name: port.speed for name, port in (config.qos.switch.ports if config.qos else {}).items()
    }
    for profile in profiles(config):
        for speed in sorted({speeds[name] // 1000 for name in profile.ports}):
            stem = f"{profile.name}_{speed}g"
            yield {
                "profile": profile.name,
                "class_map": f"{stem}_class_map",
                "policy_map": stem,
                "wred": f"{stem}_ecn",
                "buffer_profile": f"{stem}_profile",
                "diffserv_map": "roce_lossless_diffserv_map",
                "source": SOURCE,
                "trust": str(profile.trust),
            }


def bindings(config: DeviceConfig) -> list[dict[str, object]]:
    """Which ports belong to which profile; the request's body has no public form."""
    return [
        {
            "profile": profile.name,
            "ports": list(profile.ports),
            "path": "/rest/v1/rpc/qos-roce-bind-interface",
            "emitted": False,
            "reason": "not emitted: no public schema of the request's body",
        }
        for profile in profiles(config)
    ]


def _cable(length: float) -> int:
    return next((each for each in _CABLES if each >= length), _CABLES[-1])
