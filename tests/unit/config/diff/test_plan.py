"""Patch or install, what a change disturbs, and whether the way back will be refused."""

import time

import pytest

from nettool.config.diff.plan import plan_update
from nettool.config.diff.tables import diff_tables
from nettool.config.nos.dialects.sonic.updater import Impact

CHIP = "marvell-teralynx"
PROFILE = {"pool": "p", "size": "100", "xon": "1", "xoff": "2", "dynamic_th": "0"}
WATCHDOG = {"GLOBAL": {"POLL_INTERVAL": "200"}, "Ethernet0": {"action": "drop"}}


def plan(running, intended, chip=CHIP):
    return plan_update(diff_tables("leaf01", running, intended), running, chip=chip)


WAYS = {
    "nothing": ({}, {}, "", None),
    "mtu": (
        {"PORT": {"E": {"mtu": "1500"}}},
        {"PORT": {"E": {"mtu": "9216"}}},
        "patch",
        None,
    ),
    "pool size": (
        {"BUFFER_POOL": {"p": {"size": "1"}}},
        {"BUFFER_POOL": {"p": {"size": "2"}}},
        "install",
        "BUFFER_POOL|p size cannot be replaced live",
    ),
    "watchdog table": (
        {"PORT": {"E": {}}},
        {"PORT": {"E": {}}, "PFC_WD": WATCHDOG},
        "install",
        "PFC_WD cannot be created live",
    ),
    "watchdog of one port": (
        {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}}},
        {"PFC_WD": WATCHDOG},
        "patch",
        None,
    ),
    "profile alpha": (
        {"BUFFER_PROFILE": {"x": PROFILE}},
        {"BUFFER_PROFILE": {"x": {**PROFILE, "dynamic_th": "1"}}},
        "patch",
        None,
    ),
    "profile xoff on this chip": (
        {"BUFFER_PROFILE": {"x": PROFILE}},
        {"BUFFER_PROFILE": {"x": {**PROFILE, "xoff": "3"}}},
        "install",
        "BUFFER_PROFILE|x xoff cannot be replaced live on marvell-teralynx",
    ),
    "another profile beside it": (
        {"BUFFER_PROFILE": {"x": PROFILE}},
        {"BUFFER_PROFILE": {"x": PROFILE, "y": PROFILE}},
        "patch",
        None,
    ),
}


@pytest.mark.parametrize(("running", "intended", "way", "reason"), WAYS.values(), ids=WAYS)
def test_way(running, intended, way, reason):
    found = plan(running, intended)
    assert (found.way, found.reasons) == (way, () if reason is None else (reason,))


def test_a_chip_decides():
    running = {"BUFFER_PROFILE": {"x": PROFILE}}
    intended = {"BUFFER_PROFILE": {"x": {**PROFILE, "xoff": "3"}}}
    assert plan(running, intended, chip="spc4").way == "patch"
    assert "an unknown chip" in plan(running, intended, chip="").reasons[0]


IMPACTS = {
    "description": (
        {"PORT": {"E": {"description": "a"}}},
        {"PORT": {"E": {"description": "b"}}},
        Impact.NONE,
    ),
    "speed": (
        {"PORT": {"E": {"speed": "400000"}}},
        {"PORT": {"E": {"speed": "800000"}}},
        Impact.LINK_FLAP,
    ),
    "neighbour": (
        {"BGP_NEIGHBOR": {"192.0.2.1": {"asn": "1"}}},
        {"BGP_NEIGHBOR": {"192.0.2.1": {"asn": "2"}}},
        Impact.SESSION_RESET,
    ),
    "queue": (
        {"QUEUE": {"E|3": {"scheduler": "a"}}},
        {"QUEUE": {"E|3": {"scheduler": "b"}}},
        Impact.LINK_FLAP,
    ),
    "never heard of": (
        {"DASH_QOS": {"k": {"f": "1"}}},
        {"DASH_QOS": {"k": {"f": "2"}}},
        Impact.LINK_FLAP,
    ),
    "install": (
        {"BUFFER_POOL": {"p": {"size": "1"}}},
        {"BUFFER_POOL": {"p": {"size": "2"}}},
        Impact.QOS_RELOAD,
    ),
}


@pytest.mark.parametrize(("running", "intended", "impact"), IMPACTS.values(), ids=IMPACTS)
def test_impact(running, intended, impact):
    found = plan(running, intended)
    assert found.impact is impact
    assert all(each.why for each in found.changes)


def test_the_way_back_is_looked_at():
    running = {"LOOPBACK_INTERFACE": {"Loopback1": {}}}
    found = plan(running, {"LOOPBACK_INTERFACE": {"Loopback1": {}, "Loopback0": {}}})
    assert found.way == "patch"
    assert found.undo_reasons == ("LOOPBACK_INTERFACE|Loopback0 cannot be removed live",)


def metadata(**fields):
    return {"localhost": {"bgp_asn": "65001", **fields}}


ROUTING = {
    "own AS number": (
        {"DEVICE_METADATA": metadata(), "BGP_NEIGHBOR": {"192.0.2.1": {"asn": "65002"}}},
        {"DEVICE_METADATA": metadata(bgp_asn="65101"),
         "BGP_NEIGHBOR": {"192.0.2.1": {"asn": "65102"}}},
        "install",
        "DEVICE_METADATA|localhost bgp_asn is not followed live: bgpd keeps the AS number that "
        "the bgp container started with",
    ),
    "another daemon": (
        {"DEVICE_METADATA": metadata()},
        {"DEVICE_METADATA": metadata(frr_mgmt_framework_config="true")},
        "install",
        "DEVICE_METADATA|localhost frr_mgmt_framework_config is not followed live: whether "
        "bgpcfgd or frrcfgd runs FRR is chosen when the bgp container starts",
    ),
    "the mode that an empty field means": (
        {"DEVICE_METADATA": metadata()},
        {"DEVICE_METADATA": metadata(docker_routing_config_mode="separated")},
        "",
        None,
    ),
    "a peer's AS number": (
        {"DEVICE_METADATA": metadata(), "BGP_NEIGHBOR": {"192.0.2.1": {"asn": "65002"}}},
        {"DEVICE_METADATA": metadata(), "BGP_NEIGHBOR": {"192.0.2.1": {"asn": "65003"}}},
        "patch",
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("running", "intended", "way", "reason"), ROUTING.values(), ids=ROUTING)
def test_what_frr_does_not_follow_is_an_install(running, intended, way, reason):
    found = plan(running, intended)
    assert (found.way, next(iter(found.reasons), None)) == (way, reason)


def test_the_way_back_needs_nothing_that_frr_follows():
    running = {
        "DEVICE_METADATA": metadata(),
        "VLAN_INTERFACE": {"Vlan2": {}, "Vlan2|10.0.0.1/24": {}},
    }
    found = plan(running, {**running, "VLAN_INTERFACE": {"Vlan2": {}}})
    assert (found.way, found.undo_reasons) == ("patch", ())


def test_what_the_sorter_cannot_do_in_time_is_an_install():
    running = {"QUEUE": {f"E{n}|3": {"scheduler": "a"} for n in range(500)}}
    intended = {"QUEUE": {f"E{n}|3": {"scheduler": "b"} for n in range(500)}}
    start = time.process_time()
    found = plan(running, intended)
    assert time.process_time() - start < 2
    assert found.way == "install"
    assert "the updater would need about" in found.reasons[0]
    assert plan(running, {"QUEUE": {**running["QUEUE"], "E1|3": {"scheduler": "b"}}}).way == "patch"
