"""The fields that NIC, plan and switch port have to agree on, and when two values mean the same."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from nettool.core.units import format_speed
from nettool.fleet.verify.observed import Observed
from nettool.fleet.verify.planned_nics import PlannedNic


class Field(NamedTuple):
    """One thing that is compared, and the rule of a difference."""

    rule: str
    is_asked: bool = True
    """Whether a NIC that does not report it is told of."""


_LOSSLESS, _LINK, _CABLE, _MARKS = "HST003", "HST004", "HST005", "HST006"
FIELDS: Mapping[str, Field] = {
    "trust": Field(_LOSSLESS),
    "roce_dscp": Field(_LOSSLESS),
    "dscp_priority": Field(_LOSSLESS),
    "pfc_priorities": Field(_LOSSLESS),
    "mtu": Field(_LINK),
    "speed": Field(_LINK),
    "fec": Field(_LINK, is_asked=False),
    "address": Field(_LINK),
    "address6": Field(_LINK),
    "gateway": Field(_LINK),
    "switch": Field(_CABLE, is_asked=False),
    "port": Field(_CABLE, is_asked=False),
    "cnp_dscp": Field(_MARKS),
    "ecn_priorities": Field(_MARKS),
}
ADDRESSES = frozenset(("address", "address6", "gateway"))


def differs(name: str, told: Any, wanted: Any) -> str:
    """What differs, with both values; empty where they mean the same."""
    if name == "dscp_priority":
        told = told or {}
        off = {d: told.get(int(d)) for d, p in wanted.items() if told.get(int(d)) != p}
        said = (f"DSCP {d} to {shown(p)}, planned is {wanted[d]}" for d, p in off.items())
        return f"it sends {'; '.join(said)}" if off else ""
    if name == "port" and not str(told).startswith("Ethernet"):
        return ""  # LLDP may show an alias, which is the switch's own
    if told == wanted or _meaning(name, told) == _meaning(name, wanted):
        return ""
    return f"{name} is {shown(told, name)}, planned is {shown(wanted, name)}"


def _meaning(name: str, value: Any) -> Any:
    if isinstance(value, tuple | list):
        return frozenset(value)
    if name == "trust":
        return str(value).lower()
    if name == "switch":
        return str(value).lower().partition(".")[0]  # LLDP may show its domain
    if name in ADDRESSES:
        with suppress(ValueError):
            return ipaddress.ip_interface(str(value))
    return value


def at_odds(
    nic: PlannedNic, value: Callable[[str], Any], observed: Observed
) -> Iterator[tuple[str, Any, Any]]:
    """The fields in which NIC and running switch port do not go together: both values."""
    port = observed.tables.get("PORT", {}).get(nic.port)
    if port is None:
        return
    mtu, theirs = value("mtu"), _number(port.get("mtu"))
    if mtu is not None and theirs is not None and theirs < mtu:
        yield "mtu", mtu, theirs
    for name, runs in (("speed", _number(port.get("speed"))), ("fec", port.get("fec"))):
        mine = value(name)
        if mine is not None and runs is not None and mine != runs:
            yield name, mine, runs
    paused = value("pfc_priorities")
    if nic.pauses and paused is not None:
        row = observed.tables.get("PORT_QOS_MAP", {}).get(nic.port, {})
        runs_pfc = _priorities(row.get("pfc_enable", ""))
        if runs_pfc != set(paused):
            yield "pfc_priorities", paused, tuple(sorted(runs_pfc))


def _priorities(text: object) -> set[int]:
    """The priorities of a comma list as a switch has it."""
    numbers = (_number(each.strip()) for each in str(text).split(","))
    return {each for each in numbers if each is not None}


def _number(value: object) -> int | None:
    text = str(value)
    return int(text) if text.isdecimal() and text.isascii() else None


def shown(value: Any, name: str = "") -> str:
    """The value of a field for people; nothing, or an empty list, is none."""
    if name == "speed" and isinstance(value, int):
        return format_speed(value)
    if value is None or value in ((), []):
        return "none"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, sorted(value)))
    return str(value)
