"""Addresses: prefixes on interfaces, on one device and over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nettool.config.validate.addresses import (
    DATA_TABLES,
    INTERFACE_TABLES,
    Placed,
    Prefix,
    placed,
)
from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.rule import Context, Fault, device_rule, fabric_rule
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

_BASE_TABLES = tuple(each for each in DATA_TABLES if each != "VLAN_SUB_INTERFACE")


@device_rule(
    "ADR001",
    "a prefix on an interface without its own row",
    Severity.ERROR,
    reads=_BASE_TABLES,
    why="A prefix is set only after the interface's own row made it a routed interface; without "
    "that row the address is never configured.",
    fix='Add the interface\'s own row, "{}" if it has no fields.',
    source="sonic-buildimage 086b03bd sonic-interface.yang; sonic-swss intfmgr.cpp",
)
def prefix_has_its_interface(config: Config, _context: Context) -> Iterator[Fault]:
    """`Ethernet0|10.0.0.1/31` without the row `Ethernet0`."""
    said: set[tuple[str, str]] = set()
    for each in placed(config, _BASE_TABLES):
        if each.port in config.rows(each.table) or (each.table, each.port) in said:
            continue
        said.add((each.table, each.port))
        message = f"{each.key} is there, and {each.table} has no row {each.port}"
        yield Fault(each.table, each.key, None, message, f'add "{each.port}": {{}}')


@device_rule(
    "ADR002",
    "not an address that an interface can have",
    Severity.ERROR,
    reads=INTERFACE_TABLES,
    why="The row is refused by the kernel, so the interface stays without an address.",
    fix="Write a host address of the subnet, with its length.",
    source="RFC 4291; RFC 3021; sonic-swss intfmgr.cpp",
)
def address_is_usable(config: Config, _context: Context) -> Iterator[Fault]:
    """Text that is no prefix, and network or broadcast addresses of a subnet."""
    for each in placed(config):
        prefix = each.prefix
        if prefix is None:
            yield Fault(each.table, each.key, None, f"{each.text} is no address with a length")
        elif _is_no_host(prefix):
            what = "network" if prefix.address == prefix.first else "broadcast"
            message = f"{each.text} is the {what} address of its subnet, not a host's"
            yield Fault(each.table, each.key, None, message)


@device_rule(
    "ADR003",
    "subnets of one device overlap",
    Severity.ERROR,
    reads=DATA_TABLES,
    why="orchagent does not set an address whose subnet overlaps that of another address of the "
    "same VRF, on its own interface either; it waits for ever.",
    fix="Give each address a subnet of its own.",
    source="sonic-swss intfsorch.cpp (overlap of router interfaces)",
)
def subnets_are_apart(config: Config, _context: Context) -> Iterator[Fault]:
    """Equal addresses and overlapping subnets in one VRF."""
    spans = sorted(_spans(config), key=lambda each: (each[0], each[1], -each[2]))
    reach: tuple[str, int, Placed] | None = None
    for group, first, last, each in spans:
        if reach and reach[0] == group and first <= reach[1]:
            yield _overlap(each, reach[2])
        if reach is None or reach[0] != group or last > reach[1]:
            reach = (group, last, each)


@fabric_rule(
    "ADR004",
    "two devices have the same address",
    Severity.ERROR,
    why="Traffic and BGP sessions to the address go to one of the two, and which one changes.",
    fix="Give each device its own address.",
    source="RFC 5227 section 1",
)
def addresses_are_unique(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Equal addresses on two devices; on VLAN interfaces a warning, as gateways may be shared."""
    owners: dict[tuple[bool, str, int, int], tuple[str, Placed]] = {}
    for device, config in fabric.devices.items():
        for each in placed(config):
            prefix = each.prefix
            if prefix is None or prefix.is_link_local:
                continue
            apart = each.table == "MGMT_INTERFACE"
            place = (apart, each.vrf, prefix.version, prefix.address)
            first = owners.setdefault(place, (device, each))
            if first[0] != device:
                yield _duplicate(device, each, first)


def _is_no_host(prefix: Prefix) -> bool:
    wide = prefix.version == 4 and prefix.bits > 1
    return wide and prefix.address in {prefix.first, prefix.last}


def _spans(config: Config) -> Iterable[tuple[str, int, int, Placed]]:
    for each in placed(config, DATA_TABLES):
        prefix = each.prefix
        if prefix is not None and not prefix.is_link_local:
            first = prefix.first
            yield f"{prefix.version}{each.vrf}", first, first + (1 << prefix.bits) - 1, each


def _overlap(each: Placed, other: Placed) -> Fault:
    same = _host(each.prefix) == _host(other.prefix)
    what = "is also the address of" if same else f"overlaps {other.text} of"
    message = f"{each.text} of {each.port} {what} {other.port}"
    return Fault(each.table, each.key, None, message)


def _host(prefix: Prefix | None) -> tuple[int, int] | None:
    return (prefix.version, prefix.address) if prefix else None


def _duplicate(device: str, each: Placed, first: tuple[str, Placed]) -> Fault:
    address = each.text.partition("/")[0]
    message = f"{address} of {each.port} is also on {first[0]}, {first[1].port}"
    shared = each.table == first[1].table == "VLAN_INTERFACE"
    level = Severity.WARNING if shared else None
    hint = "fine for an anycast gateway; otherwise renumber one of the two" if shared else None
    return Fault(each.table, each.key, None, message, hint, level, device)
