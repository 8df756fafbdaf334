"""The design in tables: switches, tiers, cables, addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from ipaddress import ip_interface

from nettool.catalog.catalog import Catalog
from nettool.core.spans import named
from nettool.core.units import format_speed
from nettool.plan.design.fabric import Device, Fabric
from nettool.plan.design.hashing import tier_seeds
from nettool.plan.design.latency import pair_latencies
from nettool.report.page import Table


def switch_table(fabric: Fabric, most: int) -> Table:
    """The first switches, one a row."""
    rows = [
        (d.name, d.role, d.model, d.sku, len(d.neighbors), asn(d.asn), d.loopback, d.management)
        for d in fabric.devices[:most]
    ]
    more = f", the first {most}" if len(fabric.devices) > most else ""
    head = ("switch", "role", "model", "HwSKU", "links", "BGP", "loopback", "management")
    title = f"{fabric.name}: {len(fabric.devices)} switches, {len(fabric.nodes)} nodes{more}"
    return Table(head, rows, title)


def kind_table(fabric: Fabric) -> Table:
    """Switches that are alike in one row: how many, and how many of their ports are cabled."""
    alike: dict[tuple[str, str, str, str, int], list[str]] = {}
    for each in fabric.devices:
        key = (each.network, each.role, each.model, each.sku, len(each.neighbors))
        alike.setdefault(key, []).append(each.name)
    rows = [
        (network, role, named(names, "switches"), len(names), model, sku, links)
        for (network, role, model, sku, links), names in alike.items()
    ]
    head = ("network", "role", "switches", "number", "model", "HwSKU", "links of one")
    return Table(head, rows)


def tier_table(fabric: Fabric) -> Table:
    """Capacity of each tier, and what it is oversubscribed by."""
    rows = [
        (t.network, t.name, t.links, format_speed(t.down), format_speed(t.up),
         f"{t.oversubscription:.3g}:1" if t.up else "no uplinks")
        for t in fabric.tiers
    ]  # fmt: skip
    return Table(("network", "tier", "links", "down", "up", "oversubscription"), rows)


def cable_table(fabric: Fabric) -> Table:
    """Cable legs that are alike, counted."""
    networks = {each.name: each.network for each in fabric.devices}
    kinds = Counter((networks[link.b.device], link.kind) for link in fabric.links)
    rows = [
        (network, k.tier, number, format_speed(k.speed), f"{k.length:g} m", k.medium, k.fec,
         k.optic)
        for (network, k), number in kinds.items()
    ]  # fmt: skip
    head = ("cables of", "tier", "legs", "speed", "length", "medium", "FEC", "optic")
    return Table(head, rows)


def latency_table(fabric: Fabric, catalog: Catalog) -> Table:
    """Pairs of NICs by where they meet."""
    rows = [
        (each.network, each.pair, format_speed(each.nic_speed), each.switches, each.metres,
         each.latency and float(each.latency), str(each.latency.why.trust) if each.latency else "")
        for each in pair_latencies(fabric, catalog)
    ]  # fmt: skip
    head = ("latency", "pair of NICs", "speed", "switches", "metres", "ns", "trust")
    return Table(head, rows)


def hash_table(fabric: Fabric) -> Table:
    """What each tier's hash begins with."""
    rows = [
        (each.role, each.device_type, int(each.seed), str(each.seed.why.trust))
        for each in tier_seeds(fabric).values()
    ]
    return Table(("hash of", "device type", "seed", "trust"), rows)


def address_table(fabric: Fabric) -> Table:
    """Each kind of address: from, to, and how many."""
    rows = [row for network in fabric.topology for row in _addresses(fabric, network)]
    return Table(("network", "addresses of", "number", "from", "to"), rows)


def asn_table(fabric: Fabric) -> Table:
    """AS numbers by role; empty where nothing is routed by BGP."""
    numbers: dict[tuple[str, str], set[int]] = {}
    for each in fabric.devices:
        if each.asn is not None:
            numbers.setdefault((each.network, each.role), set()).add(each.asn)
    rows = [
        (network, role, len(found), asn(min(found)), asn(max(found)))
        for (network, role), found in numbers.items()
    ]
    return Table(("network", "AS numbers of", "number", "from", "to"), rows)


def asn(number: int | None) -> str | None:
    """An AS number as people write it: without separators."""
    return None if number is None else f"AS{number}"


def _addresses(fabric: Fabric, network: str) -> Iterator[tuple[object, ...]]:
    devices = fabric.of_network(network)
    nics = [nic for node in fabric.nodes for nic in node.nics if nic.network == network]
    gateways = [each for device in devices for each in device.gateways]
    for what, found in (
        ("management", [each.management for each in devices]),
        ("loopbacks", [each.loopback for each in devices]),
        ("loopbacks, IPv6", [each.loopback6 for each in devices]),
        ("gateways", [each.address for each in gateways]),
        ("gateways, IPv6", [each.address6 for each in gateways]),
        ("links between switches", _numbered(devices)),
        ("NICs", [each.address for each in nics]),
        ("NICs, IPv6", [each.address6 for each in nics]),
    ):
        held = sorted({each for each in found if each}, key=ip_interface)
        if held:
            yield network, what, len(held), held[0], held[-1]


def _numbered(devices: Iterable[Device]) -> list[str | None]:
    return [
        each.address
        for device in devices
        for each in device.neighbors.values()
        if each.role != "node"
    ]
