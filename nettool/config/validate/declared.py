"""What the user declares beside the files: what hosts send, and how the devices are cabled.

    traffic.yaml   {rdma: {dscp: 26, lossless: true}, cnp: {dscp: 48}}
    links.yaml     [{a: "leaf01:Ethernet0", b: "spine01:Ethernet8"},
                    {a: "leaf01:Ethernet4", b: "gpu02:nic0", b_speed: 200000}]

A links file may also be a mapping with `links`, `tiers` (device to tier name) and `rails` (leaf
to the number of the NICs that it serves), or a cable plan as CSV (`cabling.csv` of a build).
A cable may have `length_m` and `medium`.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from nettool.config.validate.spelling import number_of
from nettool.core.errors import UsageError
from nettool.core.source import load_yaml, read_text
from nettool.core.units import parse_speed

_PLAN = ("a_device", "a_port", "b_device", "b_port")


@dataclass(frozen=True, slots=True)
class Traffic:
    """DSCP values of the traffic that must not be dropped, and of congestion notifications."""

    lossless: frozenset[int] = frozenset()
    cnp: frozenset[int] = frozenset()
    names: Mapping[int, str] = field(default_factory=dict)


class DeclaredEnd(NamedTuple):
    """One end of a cable: device, port, and what is known of an end that has no file."""

    device: str
    port: str
    speed: int | None = None
    mtu: int | None = None

    def __str__(self) -> str:
        return f"{self.device}:{self.port}"


class DeclaredLink(NamedTuple):
    """One cable. `number` counts the rows of the file from 1.

    `length` is in metres, rounded up; `geared` is true where a gearbox in the optics or the cable
    joins ends of different lanes. None and false where nothing was told.
    """

    a: DeclaredEnd
    b: DeclaredEnd
    number: int = 0
    length: int | None = None
    medium: str | None = None
    geared: bool = False


@dataclass(frozen=True, slots=True)
class Links:
    """The cables between the devices linted, and the tier of each device where it was given.

    `rails` gives the rail of leaves that serve one. `is_plan` is true for a list that names every
    cable of its devices, as a cable plan does.
    """

    links: tuple[DeclaredLink, ...] = ()
    tiers: Mapping[str, str] = field(default_factory=dict)
    file: str | None = None
    rails: Mapping[str, int] = field(default_factory=dict)
    is_plan: bool = False


def load_traffic(path: Path) -> Traffic:
    """A traffic file. Raises UsageError where it is not in its form, FindingsError if broken."""
    data = load_yaml(path).data
    if isinstance(data, dict) and isinstance(data.get("traffic"), dict):
        data = data["traffic"]
    return traffic_from(data, str(path))


def traffic_from(data: Any, shown_as: str) -> Traffic:
    """Traffic from its mapping: a class is a name with `dscp` and, if so, `lossless: true`."""
    if not isinstance(data, dict) or not data:
        raise UsageError(f"{shown_as}: classes such as rdma: {{dscp: 26, lossless: true}} expected")
    lossless: set[int] = set()
    cnp: set[int] = set()
    names: dict[int, str] = {}
    for name, given in data.items():
        for dscp in _dscps(given, f"{shown_as}: {name}"):
            names[dscp] = str(name)
            if given.get("lossless") is True:
                lossless.add(dscp)
            if str(name).lower() == "cnp":
                cnp.add(dscp)
    return Traffic(frozenset(lossless), frozenset(cnp), names)


def _dscps(given: Any, where: str) -> list[int]:
    value = given.get("dscp") if isinstance(given, dict) else None
    values = value if isinstance(value, list) else [value]
    numbers = [number_of(each) for each in values]
    found = [each for each in numbers if each is not None and 0 <= each <= 63]
    if len(found) != len(values):
        raise UsageError(f"{where}: dscp 0..63 is expected, not {value!r}")
    return found


def load_links(path: Path) -> Links:
    """A links file. Raises UsageError where it is not in its form, FindingsError if broken."""
    if path.suffix == ".csv":
        return _plan(read_text(path), str(path))
    return links_from(load_yaml(path).data, str(path))


def links_from(data: Any, shown_as: str) -> Links:
    """Links from a list of cables, or from a mapping with `links`, `tiers` and `rails`."""
    rows = data.get("links") if isinstance(data, dict) else data
    if not isinstance(rows, list):
        raise UsageError(
            f'{shown_as}: a list of cables such as {{a: "leaf01:Ethernet0", …}} expected'
        )
    links = tuple(_link(row, number, shown_as) for number, row in enumerate(rows, 1))
    tiers = {name: str(tier) for name, tier in _names(data, "tiers")}
    rails = {name: _rail(name, rail, shown_as) for name, rail in _names(data, "rails")}
    return Links(links, tiers, shown_as, rails)


def _names(data: Any, part: str) -> list[tuple[str, Any]]:
    given = data.get(part) if isinstance(data, dict) else None
    return [(str(name), value) for name, value in given.items()] if isinstance(given, dict) else []


def _rail(name: str, rail: Any, shown_as: str) -> int:
    number = number_of(rail)
    if number is None:
        raise UsageError(f"{shown_as}: rails: {name} needs the number of its NICs, not {rail!r}")
    return number


def _link(row: Any, number: int, shown_as: str) -> DeclaredLink:
    if not isinstance(row, dict) or not {"a", "b"} <= row.keys():
        raise UsageError(f"{shown_as}: cable {number} needs a and b")
    a, b = (_end(row, side, number, shown_as) for side in ("a", "b"))
    medium = row.get("medium")
    return DeclaredLink(a, b, number, _metres(row.get("length_m")), str(medium) if medium else None)


def _end(row: Mapping[str, Any], side: str, number: int, shown_as: str) -> DeclaredEnd:
    device, colon, port = str(row[side]).partition(":")
    if not (device and colon and port):
        raise UsageError(f"{shown_as}: cable {number}: {side} is device:port, not {row[side]!r}")
    return DeclaredEnd(
        device, port, number_of(row.get(f"{side}_speed")), number_of(row.get(f"{side}_mtu"))
    )


def _plan(text: str, shown_as: str) -> Links:
    rows = csv.DictReader(io.StringIO(text))
    lacking = [each for each in _PLAN if each not in (rows.fieldnames or ())]
    if lacking:
        raise UsageError(f"{shown_as}: a cable plan needs the column {lacking[0]}")
    found = tuple(_planned(row, number, shown_as) for number, row in enumerate(rows, 2))
    return Links(found, file=shown_as, is_plan=True)


def _planned(row: Mapping[str, str | None], number: int, shown_as: str) -> DeclaredLink:
    a_device, a_port, b_device, b_port = ((row[each] or "").strip() for each in _PLAN)
    if not (a_device and a_port and b_device and b_port):
        raise UsageError(f"{shown_as}: line {number} needs a device and a port at both ends")
    speed = _speed(row.get("speed") or "", f"{shown_as}: line {number}")
    optics = {row.get("a_optic"), row.get("b_optic")}
    return DeclaredLink(
        DeclaredEnd(a_device, a_port, speed),
        DeclaredEnd(b_device, b_port, speed),
        number,
        _metres(row.get("length_m")),
        row.get("medium") or None,
        len(optics) == 2,
    )


def _speed(text: str, where: str) -> int | None:
    if not text:
        return None
    try:
        return int(parse_speed(text))
    except ValueError as exc:
        raise UsageError(f"{where}: speed: {exc}") from exc


def _metres(value: Any) -> int | None:
    try:
        return math.ceil(float(value)) if value not in {None, ""} else None
    except (TypeError, ValueError, OverflowError):
        return None
