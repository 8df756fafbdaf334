"""What a rollback takes along that other hands made since the push."""

import pytest

from nettool.config.diff.along import goes_along, goes_along_text
from nettool.config.diff.tables import diff_tables

BEFORE = {"PORT": {"Ethernet0": {"mtu": "9100"}, "Ethernet8": {"mtu": "9100"}}}
PUSHED = {"PORT": {"Ethernet0": {"mtu": "9216"}, "Ethernet8": {"mtu": "9100"}}}


def vlans(count):
    return {f"Vlan{100 + n}": {"vlanid": str(100 + n)} for n in range(count)}


def ports(**fields):
    return {"PORT": {**PUSHED["PORT"], "Ethernet0": {**PUSHED["PORT"]["Ethernet0"], **fields}}}


SINCE = {
    "nothing": ({}, ""),
    "a row": (
        {"VLAN": vlans(1)},
        "changed by other hands since, goes along: 1 row (VLAN|Vlan100)",
    ),
    "many rows": (
        {"VLAN": vlans(7)},
        "changed by other hands since, goes along: 7 rows (VLAN|Vlan100; VLAN|Vlan101; "
        "VLAN|Vlan102; VLAN|Vlan103; VLAN|Vlan104 and 2 more)",
    ),
    "the field that was pushed": (
        ports(mtu="1500"),
        "changed by other hands since, goes along: 1 row (PORT|Ethernet0)",
    ),
    "another field of its row": (
        ports(description="x"),
        "changed by other hands since, goes along: 1 row (PORT|Ethernet0)",
    ),
    "a row taken away": (
        {"PORT": {"Ethernet0": PUSHED["PORT"]["Ethernet0"]}},
        "changed by other hands since, goes along: 1 row (PORT|Ethernet8)",
    ),
    "a secret key": (
        {"SNMP_COMMUNITY": {"hunter2": {"TYPE": "RO"}}},
        "changed by other hands since, goes along: 1 row (SNMP_COMMUNITY|(secret))",
    ),
}


@pytest.mark.parametrize(("since", "said"), SINCE.values(), ids=SINCE)
def test_rows_that_go_along_are_named(since, said):
    running = {**PUSHED, **since}
    back = diff_tables("leaf01", running, BEFORE)
    assert goes_along_text(goes_along(diff_tables("leaf01", PUSHED, running), back)) == said


def test_what_the_way_back_does_not_touch_stays_unnamed():
    running = {**PUSHED, "VLAN": vlans(2)}
    since = diff_tables("leaf01", PUSHED, running)
    assert goes_along(since, diff_tables("leaf01", PUSHED, BEFORE)).is_empty
