"""What the user declares beside the files: what hosts send, and how the devices are cabled.

    traffic.yaml   {rdma: {dscp: 26, lossless: true}, cnp: {dscp: 48}}
    links.yaml     [{a: "leaf01:Ethernet0", b: "spine01:Ethernet8"},
                    {a: "leaf01:Ethernet4", b: "gpu02:nic0", b_speed: 200000}]

A links file may also be a mapping with `links` and `tiers` (device to tier name).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nettool.config.validate.spelling import number_of
from nettool.core.errors import UsageError
from nettool.core.source import load_yaml


@dataclass(frozen=True, slots=True)
class Traffic:
    """DSCP values of the traffic that must not be dropped, and of congestion notifications."""

    lossless: frozenset[int] = frozenset()
    cnp: frozenset[int] = frozenset()
    names: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeclaredEnd:
    """One end of a cable: device, port, and what is known of an end that has no file."""

    device: str
    port: str
    speed: int | None = None
    mtu: int | None = None

    def __str__(self) -> str:
        return f"{self.device}:{self.port}"


@dataclass(frozen=True, slots=True)
class DeclaredLink:
    """One cable. `number` counts the rows of the file from 1."""

    a: DeclaredEnd
    b: DeclaredEnd
    number: int = 0


@dataclass(frozen=True, slots=True)
class Links:
    """The cables between the devices linted, and the tier of each device where it was given."""

    links: tuple[DeclaredLink, ...] = ()
    tiers: Mapping[str, str] = field(default_factory=dict)
    file: str | None = None


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
    return links_from(load_yaml(path).data, str(path))


def links_from(data: Any, shown_as: str) -> Links:
    """Links from a list of cables, or from a mapping with `links` and `tiers`."""
    rows = data.get("links") if isinstance(data, dict) else data
    tiers = data.get("tiers") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        raise UsageError(
            f'{shown_as}: a list of cables such as {{a: "leaf01:Ethernet0", …}} expected'
        )
    links = tuple(_link(row, number, shown_as) for number, row in enumerate(rows, 1))
    known = {str(k): str(v) for k, v in tiers.items()} if isinstance(tiers, dict) else {}
    return Links(links, known, shown_as)


def _link(row: Any, number: int, shown_as: str) -> DeclaredLink:
    if not isinstance(row, dict) or not {"a", "b"} <= row.keys():
        raise UsageError(f"{shown_as}: cable {number} needs a and b")
    return DeclaredLink(_end(row, "a", number, shown_as), _end(row, "b", number, shown_as), number)


def _end(row: Mapping[str, Any], side: str, number: int, shown_as: str) -> DeclaredEnd:
    device, colon, port = str(row[side]).partition(":")
    if not (device and colon and port):
        raise UsageError(f"{shown_as}: cable {number}: {side} is device:port, not {row[side]!r}")
    return DeclaredEnd(
        device, port, number_of(row.get(f"{side}_speed")), number_of(row.get(f"{side}_mtu"))
    )
