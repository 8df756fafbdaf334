"""A switch class with its ports, and fabrics drawn as who is linked to whom."""

from __future__ import annotations

from collections import Counter

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.catalog.ports import PortLayout, PortSlot
from nettool.core.provenance import Origin, Provenance, Trust
from nettool.plan.design.fabric import Device, Fabric, LinkKind, Neighbor
from nettool.plan.qos.chip import chip_of
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.ports import PortClass

WHERE = Origin("fabric.yaml", ("networks", "compute", "cables", "nic"))
SWITCH_LINK = LinkKind("leaf-spine", 400_000, "rs", 40.0, "smf", "", WHERE)
HOST_LINK = LinkKind("nic-leaf", 400_000, "rs", 5.0, "dac", "", WHERE)


@pytest.fixture
def port():
    def make(speed=400_000, length=5.0, *, lanes=4, lossless=True):
        return PortClass(speed, lanes, length, "nic-leaf", WHERE, lossless)

    return make


@pytest.fixture
def chip():
    def make(name="teralynx10", table=None, overrides=None):
        catalog = load_catalog()
        asic = catalog.asic(name)
        names = (table,) if table else asic.headroom_tables
        rows = catalog.headroom_table(names[0]) if names else None
        return chip_of(asic, rows, overrides or Overrides())

    return make


@pytest.fixture
def draw():
    """A fabric from roles, AS numbers and adjacencies; every leaf has one host port."""
    return _fabric


def _fabric(roles, numbers, pairs):
    facing = {name: Counter() for name in roles}
    for a, b in pairs:
        facing[a][b] += 1
        facing[b][a] += 1
    devices = tuple(_device(name, roles[name], numbers.get(name), facing[name]) for name in roles)
    return Fabric("drawn", devices, (), (), {"compute": "clos"}, ())


def _device(name, role, asn, peers):
    neighbors = {}
    if role == "leaf":
        neighbors["Ethernet0"] = Neighbor(f"node-{name}", "nic1", "node", HOST_LINK)
    for peer in peers.elements():
        neighbors[f"Ethernet{4 * len(neighbors)}"] = Neighbor(peer, "", "spine", SWITCH_LINK)
    slots = tuple(_slot(each, number) for number, each in enumerate(neighbors))
    why = dict.fromkeys(("links", "layout"), Provenance("drawn"))
    return Device(
        name=name, number=1, role=role, tier=1, network="compute", model="CX864E-N", sku="",
        asic="teralynx10", layout=PortLayout(name, slots), neighbors=neighbors, mtu=9216,
        rails=(), pod=None, plane=None, redundancy="", management="", management_gateway="",
        loopback="", loopback6=None, asn=asn, gateways=(), why=why,
    )  # fmt: skip


def _slot(name, number):
    lanes = tuple(range(4 * number, 4 * number + 4))
    return PortSlot(
        name, number, name, name, "1x400G", 0, lanes, name, number, 400_000, "rs", Trust.ASSUMED
    )
