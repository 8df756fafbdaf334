"""Addresses of a device: every `port|prefix` row of its interface tables, as numbers.

Reading is cheap: fabrics of thousands of switches hold half a million prefixes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv6Address
from sys import intern
from typing import NamedTuple

from nettool.config.validate.spelling import is_digits
from nettool.config.validate.tables import Config, Table

INTERFACE_TABLES = (
    "INTERFACE",
    "PORTCHANNEL_INTERFACE",
    "VLAN_INTERFACE",
    "VLAN_SUB_INTERFACE",
    "LOOPBACK_INTERFACE",
    "MGMT_INTERFACE",
)
DATA_TABLES = INTERFACE_TABLES[:-1]
"""All but management, which is a network of its own."""
_OCTETS = {str(each): each for each in range(256)}
"""IPv4 is read by hand: ipaddress takes ten times as long, which half a million prefixes feel."""


class Prefix(NamedTuple):
    """An interface address: IP version, the address as a number, and the prefix length."""

    version: int
    address: int
    length: int

    @property
    def bits(self) -> int:
        """Host bits of the prefix."""
        return (32 if self.version == 4 else 128) - self.length

    @property
    def first(self) -> int:
        """The network address as a number."""
        return (self.address >> self.bits) << self.bits

    @property
    def last(self) -> int:
        """The last address of the network."""
        return self.first + (1 << self.bits) - 1

    @property
    def is_link_local(self) -> bool:
        """True for fe80::/10, which may stand on every interface."""
        return self.version == 6 and self.address >> 118 == 0x3FA


class Placed(NamedTuple):
    """One `port|prefix` row: its table, key, port and VRF, and the prefix."""

    table: str
    key: str
    port: str
    vrf: str
    prefix: Prefix | None

    @property
    def text(self) -> str:
        """The prefix as it is written."""
        return self.key.partition("|")[2]


def prefix_of(text: str) -> Prefix | None:
    """`10.0.0.1/31` or `2001:db8::1/64` as numbers; None for anything else."""
    host, slash, length = text.partition("/")
    number = number_of_address(host)
    if number is None or (slash and not is_digits(length)):
        return None
    version, value = number
    most = 32 if version == 4 else 128
    bits = int(length) if slash and len(length) < 4 else most
    return Prefix(version, value, bits) if bits <= most else None


@lru_cache(maxsize=4096)
def number_of_address(text: str) -> tuple[int, int] | None:
    """IP version and number of an address; None where the text is none."""
    parts = text.split(".")
    if len(parts) != 4:
        return _number_of_ipv6(text)
    number = 0
    for part in parts:
        octet = _OCTETS.get(part)
        if octet is None:
            return _number_of_ipv6(text) if ":" in text else None
        number = number << 8 | octet
    return 4, number


def placed(config: Config, tables: tuple[str, ...] = INTERFACE_TABLES) -> Iterator[Placed]:
    """Every prefix row of these tables."""
    for name in tables:
        if name in config:
            yield from config.table(name).once("addresses", _placed)


def host_numbers(config: Config) -> dict[tuple[int, int], Placed]:
    """The device's own addresses by IP version and number."""
    return {
        (each.prefix.version, each.prefix.address): each
        for each in placed(config)
        if each.prefix is not None
    }


def _placed(table: Table) -> tuple[Placed, ...]:
    rows = table.rows
    found = []
    for key in rows:
        port, bar, text = key.partition("|")
        if bar:
            vrf = str(rows.get(port, {}).get("vrf_name", ""))
            found.append(Placed(table.name, key, intern(port), vrf, prefix_of(text)))
    return tuple(found)


@lru_cache(maxsize=65536)
def _number_of_ipv6(text: str) -> tuple[int, int] | None:
    try:
        return 6, int(IPv6Address(text))
    except ValueError:
        return None
