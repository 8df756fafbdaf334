"""Membership: a port is routed, bridged or bundled, never two of these."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.tables import Config, Table
from nettool.core.finding import Severity

_MTU = "9100"
"""MTU of a bundle that sets none (sonic-swss teammgr.cpp)."""


@device_rule(
    "MBR001",
    "a member of a VLAN or bundle is routed as well",
    Severity.ERROR,
    reads=("VLAN_MEMBER", "PORTCHANNEL_MEMBER", "INTERFACE", "PORTCHANNEL_INTERFACE"),
    why="orchagent refuses a bridge or bundle member on a port that is a router interface, and "
    "whichever comes first wins: the result depends on the order at boot.",
    fix="Remove the interface rows of the port, or its membership.",
    source="sonic-buildimage 086b03bd sonic-vlan.yang (must); sonic-utilities 691b1bbc "
    "config/main.py (portchannel member add)",
)
def members_are_not_routed(config: Config, _context: Context) -> Iterator[Fault]:
    """Ports of VLAN_MEMBER or PORTCHANNEL_MEMBER that have a row in an interface table."""
    routed = {each.partition("|")[0] for each in config.rows("INTERFACE")}
    routed |= {each.partition("|")[0] for each in config.rows("PORTCHANNEL_INTERFACE")}
    for table in ("VLAN_MEMBER", "PORTCHANNEL_MEMBER") if routed else ():
        for key, group, port in _members(config, table):
            if port in routed:
                message = f"{port} is a member of {group} and a routed interface"
                yield Fault(table, key, None, message)


@device_rule(
    "MBR002",
    "a port belongs to two bundles, or to a bundle and a VLAN",
    Severity.ERROR,
    reads=("VLAN_MEMBER", "PORTCHANNEL_MEMBER"),
    why="A bundle takes its members whole; the second membership is refused.",
    fix="Make the bundle, not its member, part of the VLAN; keep one bundle for a port.",
    source="sonic-buildimage 086b03bd sonic-vlan.yang (must); sonic-utilities 691b1bbc "
    "config/main.py (portchannel member add)",
)
def bundles_do_not_share(config: Config, _context: Context) -> Iterator[Fault]:
    """Members of a bundle that stand in another one or in a VLAN."""
    owner: dict[str, str] = {}
    for key, group, port in _members(config, "PORTCHANNEL_MEMBER"):
        if owner.setdefault(port, group) != group:
            message = f"{port} is a member of {group} and of {owner[port]}"
            yield Fault("PORTCHANNEL_MEMBER", key, None, message)
    for key, group, port in _members(config, "VLAN_MEMBER") if owner else ():
        if port in owner:
            message = f"{port} is a member of {group} and of bundle {owner[port]}"
            yield Fault("VLAN_MEMBER", key, None, message, f"add {owner[port]} to {group} instead")


@device_rule(
    "MBR003",
    "a port is untagged in two VLANs",
    Severity.ERROR,
    reads=("VLAN_MEMBER",),
    why="A port has one port VLAN: frames without a tag go to the one that was set last.",
    fix="Keep the port untagged in one VLAN and tagged in the others.",
    source="sonic-buildimage 086b03bd sonic-vlan.yang (must); sonic-swss portsorch.cpp setPortPvid",
)
def untagged_once(config: Config, _context: Context) -> Iterator[Fault]:
    """Ports that are untagged in more than one VLAN."""
    first: dict[str, str] = {}
    members = _members(config, "VLAN_MEMBER")
    several = len({port for _, _, port in members}) < len(members)
    for key, group, port in members if several else ():
        if config.row("VLAN_MEMBER", key).get("tagging_mode") != "untagged":
            continue
        if first.setdefault(port, group) != group:
            message = f"{port} is untagged in {group} and in {first[port]}"
            yield Fault("VLAN_MEMBER", key, "tagging_mode", message)


@device_rule(
    "MBR004",
    "members of a bundle are not alike",
    Severity.WARNING,
    reads=("PORT", "PORTCHANNEL", "PORTCHANNEL_MEMBER"),
    why="A member of another speed stays out of the bundle. The bundle's MTU is set on its members "
    "and silently replaces their own.",
    fix="Give the bundle and all its members the same MTU, and the members the same speed.",
    source="IEEE 802.1AX; sonic-net/sonic-buildimage#18695",
)
def members_are_alike(config: Config, _context: Context) -> Iterator[Fault]:
    """Members whose MTU is not the bundle's, and whose speed is not the first member's."""
    speeds: dict[str, tuple[str, str]] = {}
    for key, group, port in _members(config, "PORTCHANNEL_MEMBER"):
        row, bundle = config.row("PORT", port), config.row("PORTCHANNEL", group)
        if not row or not bundle:
            continue
        mtu, expected = row.get("mtu", _MTU), bundle.get("mtu", _MTU)
        if mtu != expected:
            message = f"{port} has MTU {mtu} and its bundle {group} {expected}"
            yield Fault("PORTCHANNEL_MEMBER", key, None, message, f"set both to {expected}")
        speed = str(row.get("speed"))
        other, known = speeds.setdefault(group, (port, speed))
        if speed != known:
            message = f"{port} has speed {speed} and {other} of the same bundle {group} {known}"
            yield Fault("PORTCHANNEL_MEMBER", key, None, message)


def _members(config: Config, table: str) -> tuple[tuple[str, str, str], ...]:
    """Key, bundle or VLAN, and port of every row."""
    return config.table(table).briefly("members", _members_of) if table in config else ()


def _members_of(table: Table) -> tuple[tuple[str, str, str], ...]:
    keys = ((key, *key.partition("|")) for key in table.rows)
    return tuple((key, group, port) for key, group, bar, port in keys if bar)
