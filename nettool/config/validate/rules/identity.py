"""What must be a device's own in a fabric: its name, MAC and router id, and its subnets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from nettool.config.validate.addresses import DATA_TABLES, Placed, placed
from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.rule import Context, Fault, fabric_rule
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

_OWN = (
    ("DEVICE_METADATA", "localhost", "hostname", Severity.WARNING),
    ("DEVICE_METADATA", "localhost", "mac", Severity.WARNING),
    ("DEVICE_METADATA", "localhost", "bgp_router_id", Severity.ERROR),
    ("BGP_GLOBALS", "default", "router_id", Severity.ERROR),
)
Network = tuple[str, int, int, int]
"""VRF, IP version, first address and prefix length."""


class _Owner(NamedTuple):
    device: str
    row: Placed


@fabric_rule(
    "ADR005",
    "subnets of two devices overlap",
    Severity.ERROR,
    why="The longer prefix wins everywhere: hosts of the wider subnet that lie in the narrower one "
    "are sent to the wrong device.",
    fix="Give each link and each VLAN a subnet of its own, of the same length at all its ends.",
    source="RFC 1812 section 5.2.4.3 (longest match)",
)
def subnets_are_apart(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Subnets of different length, one within the other, on two devices in one VRF.

    A warning for a loopback in another device's subnet; equal subnets are the ends of a link.
    """
    owners = _networks(fabric)
    outer: tuple[Network, _Owner, int] | None = None
    for network in sorted(owners, key=lambda each: (*each[:3], each[3])):
        owner = owners[network]
        last = owner.row.prefix.last if owner.row.prefix else 0
        if outer is not None and outer[0][:2] == network[:2] and last <= outer[2]:
            if outer[1].device != owner.device:
                yield _within(owner, outer[1])
            continue
        outer = network, owner, last


@fabric_rule(
    "DEV001",
    "two devices have the same identity",
    Severity.ERROR,
    why="Equal MAC addresses confuse every neighbour, equal router ids keep sessions of one AS "
    "down, and equal names make LLDP, logs and inventories point to the wrong switch.",
    fix="Give each device its own; leave mac out of a file that is copied.",
    source="RFC 6286 section 2.1; IEEE 802.1AX-2020 section 6.3.2; sonic-buildimage 086b03bd "
    "sonic-device_metadata.yang",
)
def identities_are_own(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Names and MAC addresses (warnings: files are copied), and router ids that another one has."""
    first: dict[tuple[str, str], str] = {}
    for name, config in fabric.devices.items():
        for table, key, field, level in _OWN:
            value = config.row(table, key).get(field)
            if not isinstance(value, str) or not value:
                continue
            kind = "router id" if field.endswith("router_id") else field
            owner = first.setdefault((kind, value.lower()), name)
            if owner != name:
                message = f"{kind} {value} is also that of {owner}"
                yield Fault(table, key, field, message, severity=level, device=name)


def _networks(fabric: FabricConfigs) -> Mapping[Network, _Owner]:
    """Each network once, with the first device that has it."""
    found: dict[Network, _Owner] = {}
    for name, config in fabric.devices.items():
        for each in _placed(config):
            if each.prefix is not None:
                version, address, length = each.prefix
                bits = (32 if version == 4 else 128) - length
                network = (each.vrf, version, (address >> bits) << bits, length)
                found.setdefault(network, _Owner(name, each))
    return found


def _placed(config: Config) -> Iterator[Placed]:
    return (
        each
        for each in placed(config, DATA_TABLES)
        if each.prefix is not None and not each.prefix.is_link_local
    )


def _within(inner: _Owner, outer: _Owner) -> Fault:
    there = f"{outer.row.text} of {outer.row.port} on {outer.device}"
    message = f"{inner.row.text} of {inner.row.port} lies within {there}"
    level = Severity.WARNING if inner.row.table == "LOOPBACK_INTERFACE" else None
    return Fault(inner.row.table, inner.row.key, None, message, None, level, inner.device)
