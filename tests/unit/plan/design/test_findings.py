"""What the design says about a request that is wrong: where, with which numbers, all at once."""

from __future__ import annotations

import pytest

from nettool.core.errors import FindingsError
from nettool.intent.intent import FabricIntent
from nettool.plan.demand.estimate import estimate
from nettool.plan.design.design import design

COMPUTE = "networks.compute"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"topology": "rail-optimised"},
            ("DSN002", f"{COMPUTE}.topology", "unknown topology 'rail-optimised'"),
        ),
        (
            {"topology": "clos3", "options": {"podz": 2}},
            ("DSN002", f"{COMPUTE}.options.podz",
             "options of clos3: Extra inputs are not permitted"),
        ),
        (
            {"leaf": {"model": "CX864"}},
            ("DSN001", f"{COMPUTE}.leaf.model", "unknown switch model 'CX864'"),
        ),
        (
            {"nic": "connectx-77"},
            ("DSN001", f"{COMPUTE}.nic.model", "unknown NIC model 'connectx-77'"),
        ),
        (
            {"leaf": {"model": "CX308P-48Y-N"}},
            ("DSN001", f"{COMPUTE}.leaf.asic", "CX308P-48Y-N is built with several chips"),
        ),
        (
            {"topology": "rail-only", "nodes": 200},
            ("DSN003", f"{COMPUTE}.topology",
             "rail-only with 800 NIC ports on CX864E-N: one switch has 128 ports of this speed, "
             "200 are needed; at most 512 NIC ports fit here"),
        ),
        (
            {"nodes": 16384, "rails": 8, "nic": "connectx-8-800g"},
            ("DSN003", f"{COMPUTE}.topology",
             "rail-optimized with 131072 NIC ports on CX864E-N: 128 pods, and a core has 64 "
             "ports: one a pod at least; at most 65536 NIC ports fit here"),
        ),
        (
            {"topology": "dual-plane"},
            ("DSN003", f"{COMPUTE}.nic.model",
             "connectx-7-400g has 1 network port, 2 planes need 2"),
        ),
        (
            {"nodes": 200, "spines": 2},
            ("DSN003", f"{COMPUTE}.topology",
             "rail-optimized with 800 NIC ports on CX864E-N: 16 leaves of 32 uplinks need 8 "
             "spines or more with 64 ports down, given: 2"),
        ),
        (
            {"spines": 40},
            ("DSN003", f"{COMPUTE}.topology",
             "rail-optimized with 256 NIC ports on CX864E-N: a leaf has 32 uplinks, 40 spines are "
             "given: one link to each at least"),
        ),
        (
            {"nodes": 200, "leaves": 8, "topology": "dual-plane", "nic": "connectx-8-2x400g"},
            ("DSN003", f"{COMPUTE}.topology",
             "dual-plane with 1600 NIC ports on CX864E-N: in each of 2 parts 200 nodes need 16 "
             "leaves, 4 are given; at most 512 NIC ports fit here"),
        ),
        (
            {"nodes": 128, "topology": "clos3", "options": {"pods": 3}},
            ("DSN003", f"{COMPUTE}.topology",
             "clos3 with 512 NIC ports on CX864E-N: 2 segments of 4 leaves, and 3 pods are given: "
             "one segment a pod at least"),
        ),
        (
            {"nodes": 256, "topology": "clos3", "options": {"pods": 2, "cores": 2}},
            ("DSN003", f"{COMPUTE}.topology",
             "clos3 with 1024 NIC ports on CX864E-N: 512 links to cores need 8 cores of 64 ports, "
             "given: 2"),
        ),
        (
            {"nodes": 200, "leaf": {"model": "CX864E-N", "sku": "CX864E-N_128X400G"},
             "spine": {"model": "CX864E-N", "sku": "CX864E-N"}},
            ("DSN005", f"{COMPUTE}.uplink",
             "CX864E-N and CX864E-N have no port speed in common"),
        ),
        (
            {"leaves": 7},
            ("DSN003", f"{COMPUTE}.leaves", "7 do not divide by 4"),
        ),
        (
            {"groups": [{"nodes": "60-70", "nic": {"model": "connectx-6-200g", "per_node": 4}}]},
            ("DSN003", f"{COMPUTE}.groups.0.nodes", "nodes 60-70 of a cluster of 64"),
        ),
        (
            {"uplink": "100G", "spine": {"model": "CX732Q-N"}, "leaf": {
                "model": "CX864E-N", "sku": "CX864E-N_64X400G_32X800G"}},
            ("DSN005", f"{COMPUTE}.uplink",
             "CX864E-N and CX732Q-N have no common port at 100G"),
        ),
        (
            {"nic": "connectx-8-800g", "leaf": {"model": "CX732Q-N"}},
            ("DSN005", f"{COMPUTE}.leaf", "CX732Q-N has no port at 800G for connectx-8-800g"),
        ),
        (
            {"subnets": {"pool": "10.0.0.0/12", "prefix_length": 26}},
            ("DSN006", f"{COMPUTE}.subnets.prefix_length",
             "a /26 has room for 61 NICs beside its gateway, a leaf has 64 in one subnet"),
        ),
        (
            {"nodes": 128, "subnets": {"pool": "10.0.0.0/12", "per": "rail"}},
            ("DSN006", f"{COMPUTE}.subnets.per",
             "one subnet a rail, and a rail has 2 leaves that do not bridge"),
        ),
        (
            {"subnets": {"pool": "10.0.0.0/12", "vlan": 4093}},
            ("DSN006", f"{COMPUTE}.subnets.vlan", "VLANs 4093 to 4096, one a rail, end above 4094"),
        ),
        (
            {"pools": {"links": "10.128.0.0/26"}},
            ("DSN004", f"{COMPUTE}.pools.links",
             "pool 10.128.0.0/26 holds 32 links, 128 are needed: 96 are missing"),
        ),
        (
            {"pools": {"loopbacks": "10.255.0.0/30"}},
            ("DSN004", f"{COMPUTE}.pools.loopbacks",
             "pool 10.255.0.0/30 holds 3 loopbacks, 6 are needed: 3 are missing"),
        ),
        (
            {"subnets": {"pool": "10.0.0.0/24"}},
            ("DSN004", f"{COMPUTE}.subnets.pool",
             "pool 10.0.0.0/24 holds 2 subnets, 4 are needed: 2 are missing"),
        ),
        (
            {"management": {"pool": "192.168.100.0/28"}},
            ("DSN004", "management.pool",
             "pool 192.168.100.0/28 holds 5 switches and a broadcast, 7 are needed: 2 are missing"),
        ),
        (
            {"pools": {"asn_first": 4294967292}},
            ("DSN004", f"{COMPUTE}.pools.asn_first",
             "5 AS numbers from 4294967292 end at 4294967296, the last one is 4294967294: "
             "2 are missing"),
        ),
        ({"pools": {"asn_first": 65530}}, None),
        (
            {"subnets": {"pool": "fd00::/48"}},
            ("DSN006", f"{COMPUTE}.subnets.pool", "pool fd00::/48 is not IPv4"),
        ),
        (
            {"pools": {"links6": "10.9.0.0/16"}},
            ("DSN006", f"{COMPUTE}.pools.links6", "pool 10.9.0.0/16 is not IPv6"),
        ),
        (
            {"subnets": {"pool": "10.0.0.0/12", "prefix_length": 64}},
            ("DSN006", f"{COMPUTE}.subnets.prefix_length",
             "a /64 has room for 0 NICs beside its gateway, a leaf has 64 in one subnet"),
        ),
        (
            {"management": {"gateway": "192.168.100.12"}},
            ("DSN007", "management.gateway",
             "gateway 192.168.100.12 is also switch 2's address: they begin at 11 in "
             "192.168.100.0/22"),
        ),
        (
            {"pools": {"asn_first": 1000}},
            ("DSN011", f"{COMPUTE}.pools.asn_first",
             "AS numbers 1000 to 1004 are not all private (64512-65534 or "
             "4200000000-4294967294)"),
        ),
        (
            {"pools": {"links": "10.0.0.0/16"}},
            ("DSN007", f"{COMPUTE}.subnets.pool",
             "pool 10.0.0.0/12 overlaps 10.0.0.0/16 of networks.compute.pools.links"),
        ),
        (
            {"routing": {"protocol": "none"}},
            ("DSN012", f"{COMPUTE}.routing.protocol",
             "protocol none, and 4 leaves connect over spines"),
        ),
        (
            {"routing": {"links": "unnumbered"}},
            ("DSN012", f"{COMPUTE}.routing.manager",
             "unnumbered links with bgpcfgd, whose BGP_NEIGHBOR rows are keyed by address only"),
        ),
        (
            {"spines": 3},
            ("DSN008", f"{COMPUTE}.oversubscription",
             "compute: leaves reach 1.07:1 (25600G down, 24000G up); 1:1 is asked for"),
        ),
        (
            {"cables": {"leaf_spine": "50km"}},
            ("DSN009", f"{COMPUTE}.cables.leaf_spine",
             "leaf-spine links at 800G: no cable or optic of the catalog reaches 50000 m"),
        ),
    ],
)  # fmt: skip
def test_a_finding_has_place_and_numbers(findings_of, changes, expected):
    assert findings_of(**changes) == ([expected] if expected else [])


def test_all_findings_at_once(findings_of, network):
    broken = network("rail-optimised", nic="connectx-77", leaf={"model": "CX864"})
    found = findings_of(networks={"compute": network(), "storage": broken})
    assert [rule for rule, _, _ in found] == ["DSN001", "DSN001", "DSN002"]


def test_what_would_fit_is_said(intent_of, catalog):
    with pytest.raises(FindingsError) as raised:
        design(intent_of(pools={"links": "10.128.0.0/26"}), None, catalog)
    (finding,) = raised.value.report.findings
    assert finding.hint == "a /24 is large enough"


def job(tp, dp, *, pxn, ep=1):
    """On nodes of 4 GPUs, pipeline outermost; experts are spread over data parallel ranks."""
    options = {"pxn": pxn}
    degrees = {"tp": tp, "dp": dp, "ep": ep, "pp": min(32, 256 // (tp * dp))}
    return {"name": "job", "model": "mixtral-8x7b", "batch": 1024, "options": options} | degrees


@pytest.mark.parametrize(
    ("tp", "dp", "ep", "pxn", "warned"),
    [
        (4, 16, 1, False, []),
        (8, 8, 1, False, []),
        (2, 32, 8, False, ["ep 8"]),
        (2, 32, 8, True, []),
        (2, 1, 1, False, ["pp 32"]),
    ],
)
def test_jobs_that_cross_rails_where_rails_never_meet(
    intent_of, catalog, findings_of, tp, dp, ep, pxn, warned
):
    jobs = FabricIntent.model_validate(
        intent_of().model_dump(exclude_unset=True) | {"jobs": [job(tp, dp, pxn=pxn, ep=ep)]}
    )
    demand, _ = estimate(jobs, catalog)
    found = findings_of(topology="rail-only", demand=demand)
    assert [rule for rule, _, _ in found] == ["DSN013"] * len(warned)
    assert all(f"job job: {each} talks" in found[n][2] for n, each in enumerate(warned))
    assert findings_of(topology="rail-optimized", demand=demand) == []


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"leaf": {"model": "CX308P-48Y-N"}}, "falcon, teralynx5; the key is `leaf.asic`"),
        ({"leaf": {"model": "CX864E-N", "asic": "th5"}}, "the key is `leaf.asic`"),
        ({"leaf": {"model": "CX864E-N", "sku": "none"}}, "the key is `leaf.sku`"),
        ({"topology": "clos3", "options": {"pods": 9}}, "give `leaves: 36` or more"),
        ({"topology": "clos3", "options": {"cores": 999}}, "in `options.cores`"),
        ({"topology": "clos3", "options": {"spines_per_pod": 999}}, "in `options.spines_per_pod`"),
        ({"spines": 999}, "in `spines`"),
        ({"topology": "rail-only", "nodes": 5000}, "`topology: rail-clos`"),
        ({"nodes": 90_000}, "`oversubscription`"),
    ],
)  # fmt: skip
def test_a_hint_names_the_key_that_mends(intent_of, catalog, changes, key):
    with pytest.raises(FindingsError) as caught:
        design(intent_of(**changes), None, catalog)
    assert key in " ".join(each.hint or "" for each in caught.value.report.findings)
