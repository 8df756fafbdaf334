"""Lanes, index, alias and MAC come from the switch; an unknown lane refuses."""

import pytest

from nettool.config.diff.adopt import adopt, diff_running

FACTORY = {
    "PORT": {
        "Ethernet0": {"lanes": "33,34,35,36,37,38,39,40", "index": "1", "alias": "Eth1"},
        "Ethernet8": {"lanes": "41,42,43,44,45,46,47,48", "index": "2", "alias": "Eth2"},
    }
}
BROKEN_OUT = {
    "PORT": {
        "Ethernet0": {"lanes": "33,34,35,36", "index": "1"},
        "Ethernet4": {"lanes": "37,38,39,40", "index": "1"},
    }
}


def port(name, lanes, **row):
    return {"PORT": {name: {"lanes": lanes, **row}}}


ADOPTED = {
    "same width": (FACTORY, "Ethernet8", "1,2,3,4,5,6,7,8", "41,42,43,44,45,46,47,48", "2"),
    "first child": (FACTORY, "Ethernet0", "1,2,3,4", "33,34,35,36", "1"),
    "second child": (FACTORY, "Ethernet12", "1,2,3,4", "45,46,47,48", "2"),
    "whole cage again": (
        BROKEN_OUT,
        "Ethernet0",
        "1,2,3,4,5,6,7,8",
        "33,34,35,36,37,38,39,40",
        "1",
    ),
}


@pytest.mark.parametrize(
    ("running", "name", "assumed", "lanes", "index"), ADOPTED.values(), ids=ADOPTED
)
def test_lanes_come_from_the_switch(running, name, assumed, lanes, index):
    result = adopt("leaf01", port(name, assumed, index="99"), running)
    assert result.is_usable
    row = result.tables["PORT"][name]
    assert (row["lanes"], row["index"]) == (lanes, index)
    assert {each.field for each in result.findings} == {"lanes", "index"}


def test_equal_values_say_nothing():
    own = FACTORY["PORT"]["Ethernet0"]
    result = adopt("leaf01", {"PORT": {"Ethernet0": dict(own)}}, FACTORY)
    assert result.findings == ()


@pytest.mark.parametrize(
    ("running", "message"),
    [
        (FACTORY, "Ethernet16 needs 4 lanes and the switch has no such port"),
        ({}, "Ethernet16 needs 4 lanes and the switch has no such port"),
        (port("Ethernet16", "7"), "Ethernet16 needs 4 lanes and the switch has 1"),
    ],
)
def test_unknown_lanes_are_refused(running, message):
    result = adopt("leaf01", port("Ethernet16", "1,2,3,4"), running)
    assert not result.is_usable
    assert [each.message for each in result.findings] == [
        f"{message}: its lanes cannot be taken from it"
    ]


def test_mac_is_the_switches():
    running = {"DEVICE_METADATA": {"localhost": {"mac": "00:00:5e:00:53:01", "hwsku": "x"}}}
    result = adopt("leaf01", {"DEVICE_METADATA": {"localhost": {"hwsku": "y"}}}, running)
    assert result.tables["DEVICE_METADATA"]["localhost"] == {
        "hwsku": "y",
        "mac": "00:00:5e:00:53:01",
    }


def test_what_a_push_would_change():
    running = {**FACTORY, "TACPLUS": {"global": {"passkey": "x"}}}
    intended = {"PORT": {"Ethernet8": {"lanes": "1,2,3,4,5,6,7,8", "index": "9", "mtu": "9216"}}}
    changes, findings = diff_running("leaf01", running, intended)
    assert [(c.table, c.key, c.field) for c in changes.changes] == [
        ("PORT", "Ethernet8", "mtu"),
        ("PORT", "Ethernet0", None),
    ]
    assert {each.field for each in findings} == {"lanes", "index"}
