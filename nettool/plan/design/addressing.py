"""Names, addresses and AS numbers, dealt from pools in the order in which the fabric grew.

`Ledger` deals; what the numbers are dealt by stands in `lock.py`. Management addresses are
dealt over all networks, loopbacks, links and subnets by pool, AS numbers by their first one.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from nettool.core.finding import Finding
from nettool.core.source import KeyPath
from nettool.plan.design.lock import Lock, Outline, Place, lock_text, parse_lock
from nettool.plan.design.notes import error

__all__ = ["Ledger", "Lock", "Pool", "Pools", "deal", "lock_text", "parse_lock"]


@dataclass(frozen=True, slots=True)
class Pools:
    """The keys that a network's numbers are dealt under: equal pools are dealt from together."""

    loopback: str
    link: str
    subnet: str
    asn: str


@dataclass
class Ledger:
    """Indexes dealt so far: by kind and owner, runs of (first, size) in the order dealt."""

    _next: dict[str, int] = field(default_factory=dict)
    _held: dict[tuple[object, ...], list[tuple[int, int]]] = field(default_factory=dict)

    def hold(self, counter: str, owner: tuple[object, ...], size: int = 1) -> None:
        """Make `owner` hold at least `size` indexes of a counter; what it has stays."""
        runs = self._held.setdefault((counter, *owner), [])
        missing = size - sum(length for _, length in runs)
        if missing > 0:
            first = self._next.get(counter, 0)
            runs.append((first, missing))
            self._next[counter] = first + missing

    def first(self, counter: str, owner: tuple[object, ...]) -> int:
        """The first index that an owner holds."""
        return self._held[(counter, *owner)][0][0]

    def all(self, counter: str, owner: tuple[object, ...]) -> list[int]:
        """Every index that an owner holds, in order."""
        runs = self._held.get((counter, *owner), ())
        return [first + n for first, length in runs for n in range(length)]

    def dealt(self, counter: str) -> int:
        """How many indexes of a counter are dealt."""
        return self._next.get(counter, 0)


def deal(lock: Lock, pools: Mapping[str, Pools]) -> Ledger:
    """The indexes of every switch that ever was, going through the generations in order.

    Counters: `number/NETWORK/ROLE`, `device`, and those that `Pools` names. An owner is
    (network, place), for AS numbers the group that shares one, for subnets (network, place, n).
    """
    ledger = Ledger()
    most: dict[str, tuple[int, int]] = {}
    for generation in lock.generations:
        for name in (each for each in pools if each in generation):
            outline = generation[name]
            most[name] = _links_of(outline, most.get(name, (0, 0)))
            for place in outline.places():
                _deal_place(ledger, name, place, (outline, *most[name]), pools[name])
    return ledger


def _links_of(outline: Outline, before: tuple[int, int]) -> tuple[int, int]:
    """Links of a leaf and of a spine; kept ones may stand above the number of today."""
    if not outline.kept:
        return outline.uplinks, outline.spine_uplinks
    return max(outline.uplinks, before[0]), max(outline.spine_uplinks, before[1])


def _deal_place(
    ledger: Ledger, name: str, place: Place, known: tuple[Outline, int, int], pools: Pools
) -> None:
    outline, uplinks, spine_uplinks = known
    owner = (name, place)
    ledger.hold(f"number/{name}/{place.role}", owner)
    ledger.hold("device", owner)
    ledger.hold(pools.loopback, owner)
    if outline.spines:
        ledger.hold(pools.asn, asn_owner(name, place))
    if place.role == "leaf":
        ledger.hold(pools.link, owner, uplinks)
        for number in range(outline.subnets):
            ledger.hold(pools.subnet, (*owner, number))
    elif place.role == "spine":
        ledger.hold(pools.link, owner, spine_uplinks)


def asn_owner(name: str, place: Place) -> tuple[object, ...]:
    """Who an AS number belongs to: a leaf alone, the spines of a pod, the cores of a block."""
    each = place.each if place.role == "leaf" else 0
    return (name, place.role, place.block, place.group, each)


@lru_cache(maxsize=1024)
def network_of(prefix: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """A prefix of the intent, read once for all that ask. Raises ValueError."""
    return ipaddress.ip_network(prefix)


class Pool:
    """Addresses of a prefix in units of `unit` (a prefix length), from index 0."""

    def __init__(self, prefix: str, unit: int, first: int = 0) -> None:
        network = network_of(prefix)
        self.prefix = prefix
        self.unit = unit
        self.version = network.version
        self.base = int(network.network_address)
        self._bits = network.max_prefixlen - unit
        self._first = first
        room = 1 << max(0, unit - network.prefixlen) if unit >= network.prefixlen else 0
        self.size = max(0, room - first)

    def address(self, index: int, offset: int = 0) -> str:
        """The address `offset` into unit `index`, without prefix length."""
        return self.text(self.base + ((self._first + index) << self._bits) + offset)

    def text(self, number: int) -> str:
        """An address as people write it."""
        if self.version == 4:
            return f"{number >> 24}.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        return str(ipaddress.IPv6Address(number))

    def shortage(self, wanted: int, what: str, path: KeyPath) -> Finding | None:
        """The finding for more units than there are, with what is missing and what would do."""
        if wanted <= self.size:
            return None
        bits = max(0, (wanted + self._first - 1).bit_length())
        return error(
            "DSN004",
            path,
            f"pool {self.prefix} holds {self.size} {what}, {wanted} are needed: "
            f"{wanted - self.size} are missing",
            f"a /{self.unit - bits} is large enough",
        )
