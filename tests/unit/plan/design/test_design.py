"""The two published designs, port by port, and what each topology looks like."""

from __future__ import annotations

from collections import Counter

import pytest

from nettool.intent.load import find_fabric, load_intent
from nettool.plan.design.design import design


@pytest.fixture(scope="module")
def shipped(catalog):
    """A shipped fabric by name."""

    def make(name):
        fabric, report = design(load_intent(find_fabric(name))[0], None, catalog)
        assert not report.findings
        return fabric

    return make


def test_rail_only_128(shipped):
    fabric = shipped("rail-only-128")
    assert [(d.name, d.model, d.role, d.asn) for d in fabric.devices] == [
        (f"leaf0{n}", "CX732Q-N", "leaf", None) for n in range(1, 5)
    ]
    for number, leaf in enumerate(fabric.devices, 1):
        assert list(leaf.neighbors) == [f"Ethernet{8 * n}" for n in range(32)]
        assert {each.port for each in leaf.neighbors.values()} == {f"nic{number}"}
        (gateway,) = leaf.gateways
        assert (gateway.vlan, gateway.address) == (100 + number, f"10.1.{number - 1}.1/24")
        assert gateway.ports == tuple(leaf.neighbors)
    assert [each.kind.tier for each in fabric.links] == ["nic-leaf"] * 128
    assert fabric.nodes[0].name == "node01"
    assert [each.switch for each in fabric.nodes[31].nics] == [f"leaf0{n}" for n in range(1, 5)]


def test_rail_optimized_256(shipped):
    fabric = shipped("rail-optimized-256")
    assert Counter(d.role for d in fabric.devices) == {"leaf": 4, "spine": 2}
    for leaf in fabric.devices[:4]:
        assert leaf.sku == "CX864E-N_64X400G_32X800G"
        ports = list(leaf.neighbors)
        assert ports[:64] == [f"Ethernet{4 * n}" for n in range(64)]
        assert ports[64:] == [f"Ethernet{256 + 8 * n}" for n in range(32)]
        faced = [leaf.neighbors[port] for port in ports]
        assert [each.kind.speed for each in faced] == [400_000] * 64 + [800_000] * 32
        uplinks = [each.device for each in faced[64:]]
        assert uplinks == ["spine01"] * 16 + ["spine02"] * 16
    between = [link for link in fabric.links if link.kind.tier == "leaf-spine"]
    assert len(between) == 128
    assert [d.asn for d in fabric.devices] == [*range(4200000000, 4200000004), *[4200000004] * 2]
    one = fabric.by_name["leaf01"].neighbors["Ethernet256"]
    assert (one.address, one.peer_address, one.peer_asn) == (
        "10.128.0.0", "10.128.0.1", 4200000004,
    )  # fmt: skip
    other = fabric.by_name[one.device].neighbors[one.port]
    assert (other.address, other.peer_address) == (one.peer_address, one.address)


@pytest.mark.parametrize(
    ("name", "switches", "nics", "tiers"),
    [
        ("clos3-1024", {"leaf": 32, "spine": 16, "core": 8}, 1024, [1.0, 1.0, 1.0]),
        ("dual-plane-512", {"leaf": 16, "spine": 8}, 1024, [1.0, 1.0]),
        ("three-networks", {"leaf": 15, "spine": 8}, 672, [1.0, 1.0, 1.0, 1.75, 1.0, 3.0]),
        pytest.param(
            "scale-131072",
            {"leaf": 2048, "spine": 2048, "core": 1024},
            131_072,
            [1.0, 1.0, 1.0],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_other_shipped_fabrics(shipped, name, switches, nics, tiers):
    fabric = shipped(name)
    assert Counter(d.role for d in fabric.devices) == switches
    assert sum(len(each.nics) for each in fabric.nodes) == nics
    ratios = [round(each.oversubscription, 2) for each in fabric.tiers]
    assert ratios == pytest.approx(tiers, abs=0.01)


@pytest.mark.parametrize(
    ("changes", "roles", "per_tier"),
    [
        ({"nodes": 16}, {"leaf": 1}, {"nic-leaf": 64}),
        ({"topology": "rail-clos", "nodes": 100}, {"leaf": 4}, {"nic-leaf": 400}),
        (
            {"topology": "rail-clos", "nodes": 200},
            {"leaf": 16, "spine": 8},
            {"nic-leaf": 800, "leaf-spine": 400},
        ),
        (
            {"topology": "clos3", "nodes": 128, "options": {"pods": 2}},
            {"leaf": 8, "spine": 8, "core": 4},
            {"nic-leaf": 512, "leaf-spine": 256, "spine-core": 256},
        ),
        (
            {"topology": "clos", "nodes": 64},
            {"leaf": 4, "spine": 2},
            {"nic-leaf": 256, "leaf-spine": 128},
        ),
        (
            {"topology": "dual-plane", "nodes": 64, "nic": "connectx-8-2x400g"},
            {"leaf": 8, "spine": 4},
            {"nic-leaf": 512, "leaf-spine": 256},
        ),
    ],
)
def test_counts_by_topology(fabric_of, changes, roles, per_tier):
    fabric = fabric_of(**changes)
    assert Counter(d.role for d in fabric.devices) == roles
    assert {each.name: each.links for each in fabric.tiers} == per_tier
    assert Counter(each.kind.tier for each in fabric.links) == per_tier


def test_planes_never_meet(fabric_of):
    fabric = fabric_of(topology="dual-plane", nic="connectx-8-2x400g")
    assert [each.name for each in fabric.nodes[0].nics[:4]] == [
        "nic1p1", "nic1p2", "nic2p1", "nic2p2",
    ]  # fmt: skip
    for device in fabric.devices:
        for faced in device.neighbors.values():
            if faced.role != "node":
                assert fabric.by_name[faced.device].plane == device.plane


def test_spine_n_of_every_pod_meets_the_same_cores(fabric_of):
    fabric = fabric_of(topology="clos3", nodes=512, options={"pods": 2})
    cores = {}
    for device in fabric.devices:
        if device.role == "spine":
            place = (device.number - 1) % 16
            met = {n.device for n in device.neighbors.values() if n.role == "core"}
            assert cores.setdefault(place, met) == met


def test_nics_of_three_speeds_on_one_leaf(fabric_of):
    groups = [
        {"nodes": "1-8", "nic": {"model": "connectx-6-200g", "per_node": 4}},
        {"nodes": "9-16", "nic": {"model": "connectx-8-800g", "per_node": 4}},
    ]
    fabric = fabric_of(nodes=32, groups=groups)
    leaf = fabric.by_name["leaf01"]
    speeds = [leaf.layout.by_name[port].speed for port in leaf.facing_hosts]
    assert Counter(speeds) == {200_000: 8, 800_000: 8, 400_000: 16}
    up = sum(n.kind.speed for n in leaf.neighbors.values() if n.role == "spine")
    assert up >= sum(speeds)


@pytest.mark.parametrize(
    ("uplink", "spine_uplink", "leaf", "spine", "core"),
    [
        ("400G", "800G", {200: 8, 400: 104, 800: 8}, {400: 64, 800: 32}, {800}),
        ("800G", "400G", {200: 8, 400: 40, 800: 40}, {800: 32, 400: 64}, {400}),
        ("200G", "400G", {200: 128, 400: 40, 800: 8}, {200: 124, 400: 62}, {400}),
    ],
)
def test_uplinks_of_every_speed_beside_nics_of_every_speed(
    fabric_of, uplink, spine_uplink, leaf, spine, core
):
    groups = [
        {"nodes": "1-8", "nic": {"model": "connectx-6-200g", "per_node": 4}},
        {"nodes": "9-16", "nic": {"model": "connectx-8-800g", "per_node": 4}},
    ]
    fabric = fabric_of(
        topology="clos3", nodes=128, groups=groups, uplink=uplink, spine_uplink=spine_uplink,
        options={"pods": 2},
    )  # fmt: skip
    speeds = {
        name: Counter(each.kind.speed // 1000 for each in fabric.by_name[name].neighbors.values())
        for name in ("leaf01", "spine01", "core01")
    }
    assert (speeds["leaf01"], speeds["spine01"]) == (leaf, spine)
    assert set(speeds["core01"]) == core


def test_networks_of_one_file_have_names_and_numbers_of_their_own(fabric_of, network):
    fabric = fabric_of(
        networks={
            "compute": network(),
            "storage": network(
                "clos", rails=2, nic="connectx-6-200g", subnets={"pool": "10.32.0.0/16"}
            ),
            "oob": network(
                "clos", rails=1, nic="connectx-5-25g", subnets={"pool": "10.33.0.0/16"},
                leaf={"model": "CX308P-48Y-N", "asic": "falcon"}, cables={"nic": 2},
            ),
        }
    )  # fmt: skip
    names = [each.name for each in fabric.devices]
    assert {"leaf01", "spine01", "storage-leaf01", "oob-leaf01"} <= set(names)
    assert [each.name for each in fabric.nodes[0].nics] == [
        "nic1", "nic2", "nic3", "nic4", "storage-nic1", "storage-nic2", "oob-nic1",
    ]  # fmt: skip
    for attribute in ("management", "loopback"):
        values = [getattr(each, attribute) for each in fabric.devices]
        assert len(values) == len(set(values))


def test_unnumbered_links_have_no_addresses(fabric_of):
    fabric = fabric_of(routing={"manager": "frrcfgd", "links": "unnumbered"})
    faced = fabric.by_name["leaf01"].neighbors["Ethernet256"]
    assert (faced.address, faced.address6, faced.peer_asn) == (None, None, 4200000004)
    assert "links" not in fabric.by_name["leaf01"].why


def test_ipv6_beside_ipv4(fabric_of):
    fabric = fabric_of(
        pools={"loopbacks6": "fd00:1::/64", "links6": "fd00:2::/64"},
        subnets={"pool": "10.0.0.0/12", "pool6": "fd00:3::/48"},
    )
    leaf = fabric.by_name["leaf02"]
    assert leaf.loopback6 == "fd00:1::2/128"
    assert leaf.neighbors["Ethernet256"].address6 == "fd00:2::40"
    assert leaf.neighbors["Ethernet256"].peer_address6 == "fd00:2::41"
    assert leaf.gateways[0].address6 == "fd00:3:0:1::1/64"
    assert fabric.nodes[0].nics[1].address6 == "fd00:3:0:1::2/64"


def test_every_number_says_where_it_comes_from(fabric_of):
    fabric = fabric_of()
    leaf, spine = fabric.by_name["leaf02"], fabric.by_name["spine01"]
    assert leaf.why.keys() == {"loopback", "management", "asn", "links", "mtu", "layout", "sku"}
    assert leaf.why["layout"] is fabric.by_name["leaf01"].why["layout"]
    pool = leaf.why["loopback"].inputs[0]
    assert pool.origin.path == ("networks", "compute", "pools", "loopbacks")
    assert pool.origin.file == "fabric.yaml"
    assert spine.why["asn"].formula == "first + n; one for the spines of a pod"
    assert leaf.gateways[0].why.inputs[0].value == "10.0.0.0/12"


def test_cables_carry_the_legs_of_a_cage(fabric_of):
    fabric = fabric_of()
    legs = Counter(each.cable for each in fabric.links if each.b.device == "leaf01")
    assert set(legs.values()) == {2}
    assert legs[1001] == 2
