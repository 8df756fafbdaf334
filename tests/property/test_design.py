"""Whatever fabric is asked for: ports, NICs, speeds, rails, bandwidth, and what growth leaves."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from nettool.catalog.catalog import load_catalog
from nettool.core.errors import FindingsError
from nettool.intent.intent import FabricIntent
from nettool.plan.design.design import design, lock_of

CATALOG = load_catalog()
RAILED = ("rail-only", "rail-clos", "rail-optimized", "clos3", "dual-plane")
NICS = ("connectx-7-400g", "connectx-6-200g", "connectx-8-800g")
SLOW = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def intent(nodes, rails, topology, **network):
    """A fabric of one network on CX864E-N, with pools that are large enough."""
    nic = "connectx-8-2x400g" if topology == "dual-plane" else "connectx-7-400g"
    return FabricIntent.model_validate(
        {
            "name": "any",
            "cluster": {"nodes": nodes, "gpus_per_node": rails},
            "management": {"pool": "172.16.0.0/16"},
            "networks": {
                "compute": {
                    "topology": topology,
                    "nic": {"model": nic, "per_node": rails},
                    "leaf": {"model": "CX864E-N"},
                    "subnets": {"pool": "10.0.0.0/10"},
                    "pools": {"loopbacks": "10.255.0.0/16"},
                }
                | network
            },
        }
    )


@st.composite
def intents(draw):
    """Fabrics of every topology; some with groups of other NICs, some oversubscribed."""
    topology = draw(st.sampled_from((*RAILED, "clos")))
    nodes = draw(st.integers(1, 150))
    network = {"oversubscription": draw(st.sampled_from((1, 1.5, 2, 3)))}
    uplink = draw(st.sampled_from((None, "200G", "400G", "800G")))
    if uplink:
        network["uplink"] = uplink
    if topology != "dual-plane" and draw(st.booleans()):
        first = draw(st.integers(1, nodes))
        last = draw(st.integers(first, nodes))
        nic = {"model": draw(st.sampled_from(NICS))}
        network["groups"] = [{"nodes": f"{first}-{last}", "nic": nic}]
    rails = draw(st.sampled_from((1, 2, 4, 8)))
    for group in network.get("groups", ()):
        group["nic"]["per_node"] = rails
    return intent(nodes, rails, topology, **network)


def designed(wanted, lock=None):
    """The fabric, or a skipped example where the request does not fit."""
    try:
        return design(wanted, None, CATALOG, lock=lock)
    except FindingsError as exc:
        assume(not exc.report.has_errors)
        raise


@SLOW
@given(intents())
def test_every_port_is_used_once_and_both_sides_know(wanted):
    fabric, _ = designed(wanted)
    ends = [end for link in fabric.links for end in (link.a, link.b)]
    assert len(ends) == len(set(ends))
    for link in fabric.links:
        faced = fabric.by_name[link.b.device].neighbors[link.b.port]
        assert (faced.device, faced.port) == (link.a.device, link.a.port)
        if link.a.device in fabric.by_name:
            faced = fabric.by_name[link.a.device].neighbors[link.a.port]
            assert (faced.device, faced.port) == (link.b.device, link.b.port)
    cabled = sum(len(each.neighbors) for each in fabric.devices)
    nics = sum(len(each.nics) for each in fabric.nodes)
    assert cabled + nics == len(ends)


@SLOW
@given(intents())
def test_every_nic_is_reached_on_its_own_address(wanted):
    fabric, _ = designed(wanted)
    network = wanted.networks["compute"]
    planes = 2 if network.topology == "dual-plane" else 1
    addresses = []
    for node in fabric.nodes:
        assert len(node.nics) == network.nic.per_node * planes
        assert len({each.name for each in node.nics}) == len(node.nics)
        for nic in node.nics:
            faced = fabric.by_name[nic.switch].neighbors[nic.port]
            assert (faced.device, faced.port) == (node.name, nic.name)
            addresses.append(nic.address)
    assert len(addresses) == len(set(addresses))


@SLOW
@given(intents())
def test_both_ends_have_the_same_speed_lanes_and_fec(wanted):
    fabric, _ = designed(wanted)
    nics = {(node.name, nic.name): nic for node in fabric.nodes for nic in node.nics}
    for link in fabric.links:
        far = fabric.by_name[link.b.device].layout.by_name[link.b.port]
        assert (far.speed, far.fec) == (link.kind.speed, link.kind.fec)
        if link.a.device in fabric.by_name:
            near = fabric.by_name[link.a.device].layout.by_name[link.a.port]
            assert (near.speed, near.fec, near.lanes) == (far.speed, far.fec, near.lanes)
            assert len(near.lanes) == len(far.lanes)
        else:
            nic = nics[link.a.device, link.a.port]
            assert (nic.speed, nic.lanes) == (far.speed, len(far.lanes))


@SLOW
@given(intents())
def test_rails_never_mix_unless_one_switch_is_the_fabric(wanted):
    fabric, _ = designed(wanted)
    assume(wanted.networks["compute"].topology in RAILED)
    assume(len(fabric.devices) > 2)
    for node in fabric.nodes:
        for nic in node.nics:
            assert fabric.by_name[nic.switch].rails == (nic.rail,)


@SLOW
@given(intents())
def test_leaves_offer_the_bandwidth_that_was_asked_for(wanted):
    fabric, report = designed(wanted)
    asked = wanted.networks["compute"].oversubscription
    assume(not any(each.rule == "DSN008" for each in report.findings))
    for device in fabric.devices:
        up = sum(n.kind.speed for n in device.neighbors.values() if n.role == "spine")
        down = sum(n.kind.speed for n in device.neighbors.values() if n.role == "node")
        if device.role == "leaf" and up:
            assert down <= up * asked
            spines = [n.device for n in device.neighbors.values() if n.role == "spine"]
            assert len({spines.count(each) for each in spines}) == 1


@SLOW
@given(intents())
def test_addresses_and_as_numbers_are_given_once(wanted):
    fabric, _ = designed(wanted)
    links = [n.address for d in fabric.devices for n in d.neighbors.values() if n.address]
    assert len(links) == len(set(links))
    for attribute in ("name", "management", "loopback"):
        values = [getattr(each, attribute) for each in fabric.devices]
        assert len(values) == len(set(values))
    leaves = [each.asn for each in fabric.devices if each.role == "leaf" and each.asn]
    upper = {each.asn for each in fabric.devices if each.role != "leaf"}
    assert len(leaves) == len(set(leaves))
    assert not upper & set(leaves)


@settings(SLOW, max_examples=15)
@given(intents())
def test_the_same_intent_gives_the_same_fabric(wanted):
    assert designed(wanted) == designed(wanted)


def layers(fabric):
    """Roles that a fabric has: a leaf that gets a spine above it is built anew."""
    return {each.role for each in fabric.devices}


@SLOW
@given(
    st.sampled_from((*RAILED, "clos")), st.integers(1, 150), st.integers(0, 150),
    st.sampled_from((2, 4)), st.sampled_from((0, 0, 2)), st.sampled_from(("CX864E-N", "CX732Q-N")),
)  # fmt: skip
def test_growth_renumbers_nothing(topology, nodes, more, rails, more_rails, leaf):
    """Nodes, leaves, spines, pods, tiers or rails are added; what was there keeps its numbers."""
    if topology == "clos":
        more_rails = 0
    small, _ = designed(intent(nodes, rails, topology, leaf={"model": leaf}))
    grown = intent(nodes + more, rails + more_rails, topology, leaf={"model": leaf})
    large, _ = designed(grown, lock_of(small))
    for before in small.devices:
        after = large.by_name[before.name]
        for attribute in ("number", "role", "management", "loopback"):
            assert getattr(after, attribute) == getattr(before, attribute)
        if before.asn and after.asn:
            assert after.asn == before.asn
        for port, faced in before.neighbors.items():
            upwards = (before.role, faced.role) in (("leaf", "spine"), ("spine", "core"))
            if upwards and port in after.neighbors:
                assert after.neighbors[port].address == faced.address
    if layers(small) == layers(large):
        for before, after in zip(small.nodes, large.nodes, strict=False):
            kept = {each.name: each for each in after.nics}
            for nic in before.nics:
                assert before.name == after.name
                assert kept[nic.name] == nic


def test_growth_without_a_lock_is_not_promised():
    """The lock is what keeps numbers: without it a spine's address moves when leaves are added."""
    small, _ = design(intent(64, 4, "rail-optimized"), None, CATALOG)
    large, _ = design(intent(128, 4, "rail-optimized"), None, CATALOG)
    assert large.by_name["spine01"].loopback != small.by_name["spine01"].loopback


@pytest.mark.parametrize("topology", [*RAILED, "clos"])
def test_a_lock_that_covers_the_fabric_does_not_grow(topology):
    fabric, _ = design(intent(48, 4, topology), None, CATALOG)
    again, _ = design(intent(48, 4, topology), None, CATALOG, lock=lock_of(fabric))
    assert lock_of(again) == lock_of(fabric)
    assert again == fabric
