"""What is known of the switch a configuration is for: breakout modes, buffer, headroom.

A platform comes from a YAML file of the user, from a SONiC `platform.json`, or from the catalog
(`known_platforms.py`). What is not known is None, and rules that need it do not run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nettool.config.validate.spelling import is_digits, metres_of, number_of
from nettool.core.errors import UsageError
from nettool.core.provenance import Trust
from nettool.core.source import load_yaml


@dataclass(frozen=True, slots=True)
class Headroom:
    """What a lossless priority group needs at one speed and cable length, bytes."""

    size: int
    xon: int
    xoff: int
    xon_offset: int | None = None


@dataclass(frozen=True)
class Platform:
    """Facts of one switch platform.

    `breakout_modes` hold for every cage, unless `modes_by_port` names the cage. `lanes` are the
    lanes of cages. `buffer` and `cell` in bytes. `size_includes_xoff` says whether a pool's size
    holds its shared headroom. `size_holds_headroom` says that, without a shared headroom pool, a
    profile's size must hold xon and xoff. `lookup` is the switch's own headroom table by speed
    (Mb/s) and cable (m). `port_headroom` is the most headroom of one port by speed, bytes. `weak`
    are the facts that are not firm: findings that rest on one are a level lower and say so.
    """

    name: str
    asic: str = ""
    breakout_modes: tuple[str, ...] = ()
    modes_by_port: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lanes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    max_lane_gbps: int | None = None
    pfc_to_pg_map_needed: bool | None = None
    max_lossless_priorities: int | None = None
    buffer: int | None = None
    cell: int | None = None
    size_includes_xoff: bool | None = None
    size_holds_headroom: bool | None = None
    lookup: Mapping[tuple[int, int], Headroom] = field(default_factory=dict)
    port_headroom: Mapping[int, int] = field(default_factory=dict)
    weak: Mapping[str, Trust] = field(default_factory=dict)

    @property
    def breakout(self) -> bool | None:
        """True where breakout modes are known, else None."""
        return bool(self.breakout_modes or self.modes_by_port) or None

    def modes(self, port: str) -> tuple[str, ...]:
        """The breakout modes of a cage, by the name of its first port."""
        return self.modes_by_port.get(port, self.breakout_modes)


def load_platform(path: Path) -> Platform:
    """A platform from a YAML facts file or a SONiC platform.json.

    Keys of the YAML form: name, asic, breakout_modes, max_lane_gbps, pfc_to_pg_map_needed,
    max_lossless_priorities, mmu_bytes, cell_bytes, pool_size_includes_xoff, headroom
    (`rule_when_off` present: a profile's size holds xon and xoff), pg_lookup (rows of speed,
    cable, size, xon, xoff, xon_offset), port_max_headroom_bytes. Others are not read.
    Raises UsageError where the file is missing or no mapping, FindingsError where it is broken.
    """
    data = load_yaml(path).data
    if not isinstance(data, dict):
        raise UsageError(f"{path}: a mapping of platform facts is expected")
    if isinstance(data.get("interfaces"), dict):
        return _from_platform_json(path.parent.name or path.stem, data["interfaces"])
    return platform_from(data, str(path))


def platform_from(data: Mapping[str, Any], shown_as: str) -> Platform:
    """A platform from the mapping of a facts file. Raises UsageError for a fact that is no such."""
    headroom = data.get("headroom")
    rules = headroom if isinstance(headroom, dict) else {}
    try:
        return Platform(
            name=str(data.get("name", shown_as)),
            asic=str(data.get("asic", "")),
            breakout_modes=tuple(str(each) for each in data.get("breakout_modes") or ()),
            max_lane_gbps=_number(data, "max_lane_gbps"),
            pfc_to_pg_map_needed=_flag(data, "pfc_to_pg_map_needed"),
            max_lossless_priorities=_number(data, "max_lossless_priorities"),
            buffer=_number(data, "mmu_bytes"),
            cell=_number(data, "cell_bytes"),
            size_includes_xoff=_flag(data, "pool_size_includes_xoff"),
            size_holds_headroom=True if "rule_when_off" in rules else None,
            lookup=dict(_row(each) for each in data.get("pg_lookup") or ()),
            port_headroom={
                speed: int(most)
                for text, most in (data.get("port_max_headroom_bytes") or {}).items()
                if (speed := number_of(text)) is not None
            },
        )
    except (TypeError, ValueError, OverflowError, AttributeError, KeyError) as exc:
        raise UsageError(f"{shown_as}: a platform fact is not as expected: {exc}") from exc


def _number(data: Mapping[str, Any], name: str) -> int | None:
    value = data.get(name)
    return None if value is None else int(value)


def _flag(data: Mapping[str, Any], name: str) -> bool | None:
    value = data.get(name)
    return value if isinstance(value, bool) else None


def _row(row: Mapping[str, Any]) -> tuple[tuple[int, int], Headroom]:
    cable = metres_of(row["cable"])
    if cable is None:
        cable = int(row["cable"])
    offset = row.get("xon_offset")
    found = Headroom(
        int(row["size"]), int(row["xon"]), int(row["xoff"]), None if offset is None else int(offset)
    )
    return (int(row["speed"]), cable), found


def _from_platform_json(name: str, interfaces: Mapping[str, Any]) -> Platform:
    modes: dict[str, tuple[str, ...]] = {}
    lanes: dict[str, tuple[int, ...]] = {}
    for port, facts in interfaces.items():
        if not isinstance(facts, dict):
            continue
        listed = facts.get("breakout_modes") or ()
        modes[port] = tuple(str(each) for each in listed)
        numbers = str(facts.get("lanes", "")).split(",")
        if all(is_digits(each.strip()) for each in numbers):
            lanes[port] = tuple(int(each) for each in numbers)
    return Platform(name=name, modes_by_port=modes, lanes=lanes)
