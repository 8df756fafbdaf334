"""What verify expects of one switch, whatever it is configured in: links, sessions, lossless set.

SONiC's is read from its intended tables. AsterNOS's lines say nothing of ports, so its own comes
from the rendered device model, and its sessions from its lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nettool.config.nos.artifact import Tables

_ROUTER, _NEIGHBOR = "router bgp ", "neighbor "


@dataclass(frozen=True, slots=True)
class Expected:
    """Ports that shall be up, sessions that shall stand, priorities that shall lose nothing.

    `sessions` is the far end's name by key, whose last part (after `|`) is the neighbour's address
    or port; `as_numbers` the AS by that part, the switch's own under the empty name. `lossless` is
    the set of priorities by port, empty where a port shall pause none.
    """

    links: frozenset[str] = frozenset()
    sessions: Mapping[str, str] = field(default_factory=dict)
    lossless: Mapping[str, frozenset[str]] = field(default_factory=dict)
    as_numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def places(self) -> frozenset[str]:
        """`port|priority` of everything that must lose nothing."""
        return frozenset(f"{p}|{each}" for p, wanted in self.lossless.items() for each in wanted)


def expected_of(tables: Tables) -> Expected:
    """What CONFIG_DB's tables ask for."""
    return Expected(
        links=frozenset(
            port for port, row in tables.get("PORT", {}).items() if row.get("admin_status") == "up"
        ),
        sessions={
            key: str(row.get("name", "no name"))
            for key, row in tables.get("BGP_NEIGHBOR", {}).items()
            if row.get("admin_status") != "down"
        },
        lossless={
            port: _parts(str(row.get("pfc_enable", "")))
            for port, row in tables.get("PORT_QOS_MAP", {}).items()
            if port != "global"
        },
        as_numbers=as_numbers_of(tables),
    )


def as_numbers_of(tables: Tables) -> dict[str, int]:
    """AS number by neighbour, and the switch's own under the empty name; what names none is out."""
    metadata = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    framework = str(metadata.get("frr_mgmt_framework_config", "")).lower() == "true"
    own = tables.get("BGP_GLOBALS", {}).get("default", {}) if framework else metadata
    groups = tables.get("BGP_PEER_GROUP", {})
    texts = {"": own.get("local_asn" if framework else "bgp_asn")}
    for key, row in tables.get("BGP_NEIGHBOR", {}).items():
        vrf, _, neighbor = key.rpartition("|")
        group = groups.get(f"{vrf}|{row.get('peer_group_name')}", {})
        texts[neighbor] = row.get("asn", group.get("asn"))
    return {name: int(str(text)) for name, text in texts.items() if str(text).isdecimal()}


def expected_of_lines(lines: Tables, device: Mapping[str, Any]) -> Expected:
    """What AsterNOS's lines by view and the rendered device model ask for.

    Raises KeyError, TypeError or ValueError where `device` is no device model.
    """
    qos = device["qos"] or {"lossless_priorities": (), "ports": {}}
    priorities = frozenset(map(str, qos["lossless_priorities"]))
    names = _names(device["interfaces"]["links"])
    return Expected(
        links=frozenset(p for p, each in device["ports"]["ports"].items() if each["enabled"]),
        sessions={peer: names.get(peer, "no name") for peer in sorted(_peers(lines))},
        lossless={port: priorities for port, each in qos["ports"].items() if each["lossless"]},
        as_numbers=dict(_as_numbers(lines)),
    )


def _parts(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.split(",") if part.strip())


def _names(links: Mapping[str, Any]) -> dict[str, str]:
    """The far device by its address."""
    return {
        str(each[address]): str(each["device"])
        for each in links.values()
        for address in ("peer_address", "peer_address6")
        if each.get(address)
    }


def _as_numbers(lines: Tables) -> Iterator[tuple[str, int]]:
    """Of `router bgp AS` and `neighbor ADDRESS remote-as AS`."""
    for view, inner in lines.items():
        top = view.split()
        if view.startswith(_ROUTER) and top[2].isdecimal():
            yield "", int(top[2])
            for words in (line.split() for line in inner if line.startswith(_NEIGHBOR)):
                if words[2:3] == ["remote-as"] and words[3].isdecimal():
                    yield words[1], int(words[3])


def _peers(lines: Tables) -> set[str]:
    return {
        line.split()[1]
        for view, inner in lines.items()
        if view.startswith(_ROUTER)
        for line in inner
        if line.startswith(_NEIGHBOR)
    }
