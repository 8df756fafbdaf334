"""The figures of a plan that tuning may move, under the names that the overrides file gives them.

ECN thresholds go by speed and hold wherever ports have it; a threshold and headroom go by profile,
and all lossless profiles of a switch share one threshold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from nettool.core.provenance import Figure
from nettool.core.units import format_speed, parse_speed
from nettool.plan.qos.overrides import Overrides, OverridesFile
from nettool.plan.qos.qos_plan import SwitchQos

MARKING = ("kmin", "kmax", "pmax")
POWER, XOFF = "dynamic_th", "xoff"


@dataclass(frozen=True, slots=True, order=True)
class Setting:
    """One figure: `ecn` of a speed (`400G`) or `profiles` of a profile, and its key there."""

    section: str
    name: str
    key: str

    @property
    def unit(self) -> str:
        """Its unit; log2 alpha has none."""
        return {"pmax": "%", POWER: ""}.get(self.key, "B")

    def __str__(self) -> str:
        return f"{self.section}.{self.name}.{self.key}"


Values = Mapping[Setting, int]
Found = Mapping[Setting, tuple[Figure, ...]]
"""Each setting with its planned figures; several where kinds of switches differ in it."""


def marking_of(speed: int, key: str) -> Setting:
    """An ECN threshold of a speed in Mb/s."""
    return Setting("ecn", format_speed(speed), key)


def of_profile(profile: str, key: str) -> Setting:
    """A figure of a buffer profile."""
    return Setting("profiles", profile, key)


def planned_settings(switches: Iterable[SwitchQos]) -> Found:
    """Every setting that the plans of these kinds of switches have."""
    found: dict[Setting, dict[float, Figure]] = {}
    for setting, figure in (each for switch in switches for each in _settings(switch)):
        found.setdefault(setting, {}).setdefault(float(figure), figure)
    return {
        setting: tuple(figures[value] for value in sorted(figures))
        for setting, figures in sorted(found.items())
    }


def joined(switches: Iterable[SwitchQos]) -> dict[str, frozenset[str]]:
    """Lossless profiles by name, each with those that must have the same threshold as it."""
    groups: list[set[str]] = []
    for switch in switches:
        own = {each.name for each in switch.profiles if each.xoff is not None}
        met = [each for each in groups if each & own]
        groups = [each for each in groups if not each & own] + [own.union(*met)]
    return {name: frozenset(group) for group in groups for name in group}


def overridden(own: Overrides, values: Values) -> Overrides:
    """The operator's figures with these on top."""
    data: dict[str, Any] = own.values.model_dump(exclude_none=True)
    data["ecn"] = {format_speed(speed): row for speed, row in data["ecn"].items()}
    for setting, value in values.items():
        row = data[setting.section].setdefault(setting.name, {})
        row[setting.key] = value
        if setting.key == POWER:
            row.pop("static_th", None)
    data["asics"] = own.values.asics
    made = OverridesFile.model_validate(data)
    names = {int(parse_speed(each)): each for each in data["ecn"]}
    return replace(own, values=made, spelled={**names, **own.spelled})


def _settings(switch: SwitchQos) -> Iterator[tuple[Setting, Figure]]:
    for wred in switch.wreds:
        yield from ((marking_of(wred.speed, key), getattr(wred, key)) for key in MARKING)
    for profile in switch.profiles:
        if profile.xoff is not None:
            yield of_profile(profile.name, XOFF), profile.xoff
            if profile.dynamic_th is not None:
                yield of_profile(profile.name, POWER), profile.dynamic_th
