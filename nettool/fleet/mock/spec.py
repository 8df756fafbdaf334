"""What a mock switch is made of: its name, its system, its hardware's own facts, its cables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from nettool.core.errors import UsageError

ConfigDb = dict[str, dict[str, dict[str, Any]]]
Nos = Literal["sonic", "asternos"]


@dataclass(frozen=True, slots=True)
class PortFacts:
    """What the switch itself knows of a port, whatever its configuration says."""

    lanes: str
    index: str = ""
    alias: str = ""
    speeds: tuple[int, ...] = ()
    """Speeds in Mb/s the port can run; empty: any."""


@dataclass(frozen=True, slots=True)
class SwitchSpec:
    """One switch of a mock fleet.

    `config` is the CONFIG_DB it boots with (its saved file). `ports` are the switch's own
    facts; where empty they are taken from the PORT rows of `config`. Log in as `user` with
    one of `keys` (OpenSSH public key lines), or with `password`; with neither, any key does.
    """

    name: str
    nos: Nos = "sonic"
    config: Mapping[str, Any] = field(default_factory=dict)
    hwsku: str = "mock-hwsku"
    platform: str = "x86_64-mock-r0"
    asic_type: str = "marvell-teralynx"
    version: str = "202511.0-mock"
    mac: str = "00:00:5e:00:53:01"
    ports: Mapping[str, PortFacts] = field(default_factory=dict)
    breakouts: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Per parent port: breakout mode to the aliases of its children (platform.json)."""
    user: str = "admin"
    password: str | None = None
    keys: tuple[str, ...] = ()
    banner: str = ""
    daemons: bool = False
    """True: buffermgrd's part is played, so lossless rows follow pfc_enable and the cable."""
    headroom: tuple[tuple[str, str, str, str, str, str, str], ...] = ()
    """Rows of pg_profile_lookup.ini: speed cable size xon xoff threshold xon_offset."""
    files: Mapping[str, str] = field(default_factory=dict)
    """More files of the switch by absolute path."""

    def own_ports(self) -> dict[str, PortFacts]:
        """The switch's own port facts by name."""
        if self.ports:
            return dict(self.ports)
        rows = self.config.get("PORT", {})
        return {
            name: PortFacts(row.get("lanes", ""), row.get("index", ""), row.get("alias", name))
            for name, row in rows.items()
        }


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable between `a` and `b`, each written `device:port`.

    An end whose device is not in the fleet is a host; its port is up whenever the switch's is.
    """

    a: str
    b: str

    def ends(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Both ends as (device, port)."""
        return _end(self.a), _end(self.b)


def spec_from_json(data: Mapping[str, Any]) -> SwitchSpec:
    """A description read from JSON: the fields of `SwitchSpec`; ports also as lane strings."""
    known = set(SwitchSpec.__dataclass_fields__)
    unknown = sorted(set(data) - known)
    if unknown:
        raise UsageError(f"mock switch {data.get('name', '?')}: unknown field {unknown[0]!r}")
    if "name" not in data:
        raise UsageError("mock switch: 'name' is missing")
    given = dict(data)
    given["ports"] = {name: _port(row) for name, row in given.get("ports", {}).items()}
    given["keys"] = tuple(given.get("keys", ()))
    given["headroom"] = tuple(tuple(row) for row in given.get("headroom", ()))
    given["breakouts"] = {
        port: {mode: tuple(aliases) for mode, aliases in modes.items()}
        for port, modes in given.get("breakouts", {}).items()
    }
    return SwitchSpec(**given)


def _port(row: Any) -> PortFacts:
    if isinstance(row, str):
        return PortFacts(row)
    return PortFacts(
        str(row["lanes"]),
        str(row.get("index", "")),
        str(row.get("alias", "")),
        tuple(int(s) for s in row.get("speeds", ())),
    )


def _end(text: str) -> tuple[str, str]:
    device, _, port = text.partition(":")
    if not port:
        raise UsageError(f"cable end {text!r} is not of the form device:port")
    return device, port
