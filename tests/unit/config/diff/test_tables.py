"""A difference is one of meaning; what the switch or a daemon owns is left alone."""

import json
from pathlib import Path

import pytest

from nettool.config.diff.changeset import ChangeKind
from nettool.config.diff.meaning import meaning_of
from nettool.config.diff.tables import applied, diff_tables, differs

CASES = Path(__file__).parents[4] / "../shared/cases/hand"
PROFILE = "pg_lossless_400000_5m_profile"

SAME = {
    "types": ({"PORT": {"E": {"speed": 400000}}}, {"PORT": {"E": {"speed": "400000"}}}),
    "booleans": ({"T": {"k": {"f": "True"}}}, {"T": {"k": {"f": True}}}),
    "reference": (
        {"QUEUE": {"E|3": {"scheduler": "[SCHEDULER|scheduler.1]"}}},
        {"QUEUE": {"E|3": {"scheduler": "scheduler.1"}}},
    ),
    "references in a list": (
        {
            "BUFFER_PORT_INGRESS_PROFILE_LIST": {
                "E": {"profile_list": "[BUFFER_PROFILE|a],[BUFFER_PROFILE|b]"}
            }
        },
        {"BUFFER_PORT_INGRESS_PROFILE_LIST": {"E": {"profile_list": "b,a"}}},
    ),
    "NULL row": ({"INTERFACE": {"E": {"NULL": "NULL"}}}, {"INTERFACE": {"E": {}}}),
    "list or comma text": (
        {"VLAN": {"Vlan1": {"dhcp_servers": ["192.0.2.1", "192.0.2.2"]}}},
        {"VLAN": {"Vlan1": {"dhcp_servers": "192.0.2.2,192.0.2.1"}}},
    ),
    "default only running": (
        {"PORT": {"E": {"speed": "1", "tpid": "0x8100", "pfc_asym": "off"}}},
        {"PORT": {"E": {"speed": "1"}}},
    ),
    "default only intended": ({"PORT": {"E": {}}}, {"PORT": {"E": {"autoneg": "off"}}}),
    "switch's table": ({"VERSIONS": {"DATABASE": {"VERSION": "v1"}}}, {}),
    "switch's field": (
        {"DEVICE_METADATA": {"localhost": {"mac": "00:00:5e:00:53:01"}}},
        {"DEVICE_METADATA": {"localhost": {}}},
    ),
    "buffermgr's rows": (
        {"BUFFER_PG": {"E0|3-4": {"profile": PROFILE}}, "BUFFER_PROFILE": {PROFILE: {"size": "1"}}},
        {},
    ),
    "buffermgr's rows of another port": (
        {
            "BUFFER_PG": {
                "E0|3-4": {"profile": PROFILE},
                "E9|3-4": {"profile": "pg_lossless_10000_5m_profile"},
            },
            "BUFFER_PROFILE": {
                PROFILE: {"size": "1"},
                "pg_lossless_10000_5m_profile": {"size": "2"},
            },
        },
        {
            "BUFFER_PG": {"E0|3-4": {"profile": PROFILE}},
            "BUFFER_PROFILE": {PROFILE: {"size": "1"}},
        },
    ),
}

DIFFERENT = {
    "value": (
        {"WRED_PROFILE": {"R": {"green_min_threshold": "1048576"}}},
        {"WRED_PROFILE": {"R": {"green_min_threshold": "524288"}}},
        [("replace", "WRED_PROFILE", "R", "green_min_threshold")],
    ),
    "lane order": (
        {"PORT": {"E": {"lanes": "1,2"}}},
        {"PORT": {"E": {"lanes": "2,1"}}},
        [("replace", "PORT", "E", "lanes")],
    ),
    "row the intent has is compared, daemon or not": (
        {"BUFFER_PG": {"E|3-4": {"profile": PROFILE}}},
        {"BUFFER_PG": {"E|3-4": {"profile": "other"}}},
        [("replace", "BUFFER_PG", "E|3-4", "profile")],
    ),
    "overlapping group of a port that is ours": (
        {"BUFFER_PG": {"E|3-4": {"profile": PROFILE}}},
        {"BUFFER_PG": {"E|3": {"profile": PROFILE}}},
        [("add", "BUFFER_PG", "E|3", None), ("remove", "BUFFER_PG", "E|3-4", None)],
    ),
    "buffermgr's rows go with their port": (
        {
            "PORT": {"E0": {}, "E4": {}},
            "BUFFER_PG": {f"E{n}|3": {"profile": PROFILE} for n in (0, 4)},
            "BUFFER_PROFILE": {PROFILE: {"size": "1"}},
        },
        {"PORT": {"E0": {}}},
        [("remove", "BUFFER_PG", "E4|3", None), ("remove", "PORT", "E4", None)],
    ),
    "operator's table that the intent has": (
        {"SNMP_COMMUNITY": {"old": {"TYPE": "RO"}}},
        {"SNMP_COMMUNITY": {"new": {"TYPE": "RO"}}},
        [("add", "SNMP_COMMUNITY", "new", None), ("remove", "SNMP_COMMUNITY", "old", None)],
    ),
    "field by hand": (
        {"PORT": {"E": {"description": "by hand"}}},
        {"PORT": {"E": {}}},
        [("remove", "PORT", "E", "description")],
    ),
    "table of ours that went": (
        {"VLAN": {"Vlan9": {"vlanid": "9"}}},
        {},
        [("remove", "VLAN", "Vlan9", None)],
    ),
    "default against another value": (
        {"PORT": {"E": {"mtu": "9216"}}},
        {"PORT": {"E": {}}},
        [("remove", "PORT", "E", "mtu")],
    ),
    "natural order": (
        {},
        {"VLAN": {"Vlan100": {}, "Vlan20": {}}},
        [("add", "VLAN", "Vlan20", None), ("add", "VLAN", "Vlan100", None)],
    ),
}


@pytest.mark.parametrize(("running", "intended"), SAME.values(), ids=SAME)
def test_no_difference_of_meaning(running, intended):
    assert diff_tables("leaf01", running, intended).changes == ()
    assert not differs(running, intended)


@pytest.mark.parametrize(("running", "intended", "expected"), DIFFERENT.values(), ids=DIFFERENT)
def test_difference_of_meaning(running, intended, expected):
    found = diff_tables("leaf01", running, intended)
    assert [(str(c.kind), c.table, c.key, c.field) for c in found.changes] == expected
    assert diff_tables("leaf01", applied(found, running), intended).is_empty


def test_an_operators_table_is_left_alone_on_a_switch_only():
    running = {"TACPLUS": {"global": {"passkey": "x"}}}
    assert diff_tables("a", running, {}, owned=meaning_of(on_switch=True)).is_empty
    assert [c.table for c in diff_tables("a", running, {}).changes] == ["TACPLUS"]


def test_a_removed_field_is_no_replacement():
    change = diff_tables("a", {"T": {"k": {"f": "1"}}}, {"T": {"k": {}}}).changes[0]
    assert (change.kind, change.before, change.after) == (ChangeKind.REMOVE, "1", None)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("apl-05", [("WRED_PROFILE", "ROCE_LOSSLESS", "green_min_threshold")]),
        ("ans-03", []),
        ("ans-07", [("PORT", f"Ethernet{n}", "mtu") for n in range(8)]),
        (
            "apl-03",
            [
                ("INTERFACE", "Ethernet0|192.0.2.0/31", None),
                ("INTERFACE", "Ethernet0|2001:db8:0:1::/127", None),
            ],
        ),
    ],
)
def test_published_case(case, expected):
    folder = CASES / case
    if not folder.is_dir():
        pytest.skip("the published cases are not beside this checkout")
    running, target = (
        json.loads((folder / f"{n}.json").read_text()) for n in ("running", "target")
    )
    found = diff_tables("leaf01", running, target)
    assert [(c.table, c.key, c.field) for c in found.changes] == expected
