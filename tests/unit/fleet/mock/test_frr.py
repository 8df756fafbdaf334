"""bgpd of a mock switch runs what its daemons told it, whatever CONFIG_DB says."""

import copy
from itertools import pairwise

import pytest

from nettool.fleet.mock.frr import Frr

PEER, OTHER = "192.0.2.1", "192.0.2.3"


def config(asn="65001", **neighbors):
    """A switch of bgpcfgd with one neighbour and these."""
    return {
        "DEVICE_METADATA": {"localhost": {"bgp_asn": asn}},
        "LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback0|192.0.2.99/32": {}},
        "INTERFACE": {"Ethernet0": {}, "Ethernet0|192.0.2.0/31": {}},
        "BGP_NEIGHBOR": {
            PEER: {"asn": "65002", "local_addr": "192.0.2.0", "name": "spine01"},
            **neighbors,
        },
    }


def framework(asn="65001", peer="65002", key=f"default|{PEER}"):
    metadata = {"bgp_asn": asn, "frr_mgmt_framework_config": "true"}
    return {
        "DEVICE_METADATA": {"localhost": metadata},
        "BGP_GLOBALS": {"default": {"local_asn": asn}},
        "BGP_NEIGHBOR": {key: {"asn": peer}},
    }


def runs(frr):
    """AS number of bgpd, and of each neighbour."""
    return frr.asn, {name: peer.remote_as for name, peer in frr.peers.items()}


@pytest.fixture
def frr():
    made = Frr()
    made.start(config())
    return made


def changed(tables, table, key, **fields):
    new = copy.deepcopy(tables)
    new[table][key].update(fields)
    return new


def without_peer(tables):
    return {**tables, "BGP_NEIGHBOR": {}}


def test_a_start_reads_all(frr):
    assert runs(frr) == (65001, {PEER: 65002})
    assert frr.router_id == "192.0.2.99"


FOLLOWED = {
    "another AS of a row that is there": ([config(), changed(config(), "BGP_NEIGHBOR", PEER,
        asn="65009")], (65001, {PEER: 65002})),
    "the row removed and added again": ([config(), without_peer(config()),
        changed(config(), "BGP_NEIGHBOR", PEER, asn="65009")], (65001, {PEER: 65009})),
    "another AS of its own": ([config(), config(asn="65101")], (65001, {PEER: 65002})),
    "another AS of its own, rows removed and added": ([config(), config(asn="65101"),
        without_peer(config(asn="65101")), config(asn="65101")], (65001, {PEER: 65002})),
    "a neighbour whose own address is missing": ([config(), config(**{OTHER: {"asn": "65003",
        "local_addr": "192.0.2.2"}})], (65001, {PEER: 65002})),
    "another daemon": ([config(), framework()], (65001, {PEER: 65002})),
}  # fmt: skip


@pytest.mark.parametrize(("states", "expected"), FOLLOWED.values(), ids=FOLLOWED)
def test_what_bgpcfgd_carries_over(frr, states, expected):
    for old, new in pairwise(states):
        frr.follow(old, new)
    assert runs(frr) == expected


def test_a_start_of_the_container_brings_what_was_not_followed(frr):
    frr.follow(config(), config(asn="65101"))
    frr.start(config(asn="65101"))
    assert runs(frr) == (65101, {PEER: 65002})


def test_admin_status_is_followed_and_its_removal_is_not(frr):
    shut = changed(config(), "BGP_NEIGHBOR", PEER, admin_status="down")
    frr.follow(config(), shut)
    assert frr.peers[PEER].is_shut
    frr.follow(shut, config())
    assert frr.peers[PEER].is_shut
    frr.follow(config(), changed(config(), "BGP_NEIGHBOR", PEER, admin_status="up"))
    assert not frr.peers[PEER].is_shut


def test_a_neighbour_comes_once_its_own_address_does(frr):
    waits = config(**{OTHER: {"asn": "65003", "local_addr": "192.0.2.2"}})
    comes = changed(waits, "INTERFACE", "Ethernet0")
    comes["INTERFACE"]["Ethernet4|192.0.2.2/31"] = {}
    frr.follow(config(), waits)
    frr.follow(waits, comes)
    assert runs(frr) == (65001, {PEER: 65002, OTHER: 65003})


def test_frrcfgd_takes_a_neighbours_as_number_and_never_its_own():
    frr = Frr()
    frr.start(framework())
    frr.follow(framework(), framework(asn="65101", peer="65102"))
    assert runs(frr) == (65001, {PEER: 65102})


def test_frrcfgd_reads_no_row_without_a_vrf():
    frr = Frr()
    frr.start(framework(key=PEER))
    assert runs(frr) == (65001, {})


def test_restart_of_bgp_on_a_switch(start):
    box = start(config={**config(), "PORT": {"Ethernet0": {"lanes": "1", "admin_status": "up"}}})
    box.handle.drift({"DEVICE_METADATA": {"localhost": {"bgp_asn": "65101"}}})
    assert "local AS number 65001" in box.run("show ip bgp summary")[1]
    assert box.run("sudo systemctl restart bgp")[0] == 0
    assert "local AS number 65101" in box.run("show ip bgp summary")[1]
    assert box.run("sudo systemctl restart nobody")[0] == 5
