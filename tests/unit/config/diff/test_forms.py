"""Text, JSON and RFC 6902 forms of change sets; no form shows a secret."""

import json

import pytest

from nettool.config.diff.changeset import Change, ChangeKind
from nettool.config.diff.patch import pointer, to_patch
from nettool.config.diff.tables import diff_tables
from nettool.config.diff.text import as_json, as_patch, as_text
from nettool.config.diff.words import in_words

PATCHES = {
    "new table comes whole": (
        {},
        {"VLAN": {"Vlan1": {"vlanid": "1"}, "Vlan2": {"vlanid": "2"}}},
        [
            {
                "op": "add",
                "path": "/VLAN",
                "value": {"Vlan1": {"vlanid": "1"}, "Vlan2": {"vlanid": "2"}},
            }
        ],
    ),
    "last key takes its table along": (
        {"VLAN": {"Vlan1": {}, "Vlan2": {}}},
        {},
        [{"op": "remove", "path": "/VLAN"}],
    ),
    "additions before removals": (
        {"VLAN": {"Vlan1": {}}},
        {"VLAN": {"Vlan2": {}}},
        [
            {"op": "add", "path": "/VLAN/Vlan2", "value": {}},
            {"op": "remove", "path": "/VLAN/Vlan1"},
        ],
    ),
    "slash and tilde in a key": (
        {"INTERFACE": {"E": {}}},
        {"INTERFACE": {"E": {}, "E|192.0.2.0/31": {}, "E|~x": {}}},
        [
            {"op": "add", "path": "/INTERFACE/E|192.0.2.0~131", "value": {}},
            {"op": "add", "path": "/INTERFACE/E|~0x", "value": {}},
        ],
    ),
    "fields": (
        {"PORT": {"E": {"mtu": "1500", "description": "x"}}},
        {"PORT": {"E": {"mtu": 9216, "fec": "rs"}}},
        [
            {"op": "add", "path": "/PORT/E/fec", "value": "rs"},
            {"op": "replace", "path": "/PORT/E/mtu", "value": "9216"},
            {"op": "remove", "path": "/PORT/E/description"},
        ],
    ),
}


@pytest.mark.parametrize(("running", "intended", "expected"), PATCHES.values(), ids=PATCHES)
def test_patch(running, intended, expected):
    assert to_patch(diff_tables("a", running, intended), running) == expected


def test_pointer_escapes_tilde_first():
    assert pointer("T", "a~/b") == "/T/a~0~1b"


def test_every_line_is_shown_where_that_is_asked_for():
    running = {
        "global": {f"vlan {n}": {} for n in range(101, 106)},
        "interface loopback 0": {f"ip address 10.0.0.{n}/32": {} for n in range(1, 5)},
    }
    assert as_text([diff_tables("leaf01", running, {})], every=True) == (
        "leaf01: 9 changes\n  global\n"
        + "".join(f"    - vlan {n}\n" for n in range(101, 106))
        + "  interface loopback 0\n"
        + "".join(f"    - ip address 10.0.0.{n}/32\n" for n in range(1, 5))
    )


def test_every_field_of_every_row_is_shown_where_that_is_asked_for():
    old, new = (
        {"PORT": {f"Ethernet{n}": {"mtu": mtu, "speed": mtu} for n in range(0, 16, 4)}}
        for mtu in ("9100", "9216")
    )
    sets = [diff_tables(f"leaf{n:02}", old, new) for n in range(1, 5)]
    assert as_text(sets, every=True) == "leaf01-04: 8 changes each\n  PORT\n" + "".join(
        f"    ~ Ethernet{n} {name} 9100 -> 9216\n"
        for n in range(0, 16, 4)
        for name in ("mtu", "speed")
    )


def test_equal_changes_are_said_once():
    running = {"PORT": {f"Ethernet{n}": {"mtu": "9100"} for n in range(0, 20, 4)}}
    intended = {"PORT": {f"Ethernet{n}": {"mtu": "9216"} for n in range(0, 20, 4)}}
    sets = [diff_tables(f"leaf{n:02}", running, intended) for n in range(1, 5)]
    sets.append(diff_tables("spine01", {"VLAN": {"Vlan7": {"vlanid": "7"}}}, {}))
    assert as_text(sets) == (
        "leaf01-04 (4 switches): 5 changes each\n"
        "  PORT\n"
        "    ~ Ethernet0-16 (5 rows) mtu 9100 -> 9216\n"
        "\n"
        "spine01: 1 change\n"
        "  VLAN\n"
        "    - Vlan7 vlanid=7\n"
    )


PORTS = [f"Ethernet{n}" for n in (*range(0, 16, 4), *range(16, 48, 8))]
FOLDED = {
    "a field each of one row": (
        {"CABLE_LENGTH": {"AZURE": dict.fromkeys(PORTS, "5m")}},
        {"CABLE_LENGTH": {"AZURE": {**dict.fromkeys(PORTS, "40m"), "Ethernet40": "300m"}}},
        [
            "~ AZURE Ethernet0-12, Ethernet16-32 (7 ports) 5m -> 40m",
            "~ AZURE Ethernet40 5m -> 300m",
        ],
    ),
    "some fields of some rows": (
        {"WRED_PROFILE": {n: {"green_min": "1", "red_min": "1", "ecn": "a"} for n in ("A", "B")}},
        {"WRED_PROFILE": {n: {"green_min": "2", "red_min": "2", "ecn": "b"} for n in ("A", "B")}},
        ["~ A, B ecn a -> b", "~ A, B green_min, red_min 1 -> 2"],
    ),
    "rows of each port": (
        {"BUFFER_PG": {f"{port}|{n}": {"profile": "a"} for port in PORTS for n in (3, 4)}},
        {"BUFFER_PG": {f"{port}|{n}": {"profile": "b"} for port in PORTS for n in (3, 4)}},
        ["~ Ethernet0-12|3,4, Ethernet16-40|3,4 (16 rows) profile a -> b"],
    ),
    "a row of many fields": (
        {},
        {"DSCP_TO_TC_MAP": {"AZURE": {**{str(n): "0" for n in range(64)}, "26": "3"}}},
        ["+ AZURE 0-25=0 26=3 27-63=0"],
    ),
    "fields that come and go": (
        {"PORT": {"Ethernet0": {"a1": "x", "a2": "x", "a3": "x", "a4": "x"}}},
        {"PORT": {"Ethernet0": {"b": "x"}}},
        ["+ Ethernet0 b x", "- Ethernet0 a1-4 (4 fields) x"],
    ),
}


@pytest.mark.parametrize("case", FOLDED)
def test_what_changes_alike_is_one_line(case):
    running, intended, lines = FOLDED[case]
    changes = diff_tables("leaf01", running, intended)
    head, _, *told = as_text([changes]).splitlines()
    assert sorted(each.strip() for each in told) == sorted(lines)
    assert f": {len(changes.changes)} change" in head
    assert len(as_json([changes])["devices"][0]["changes"]) == len(changes.changes)


def test_a_switch_with_changes_of_its_own_has_more():
    def of(device, **rows):
        return diff_tables(device, {}, {"VLAN": {name: {"vlanid": n} for name, n in rows.items()}})

    sets = [of("leaf01", Vlan1="1"), of("leaf02", Vlan1="1", Vlan2="2")]
    heads = [each for each in as_text(sets).splitlines() if each.startswith("leaf")]
    assert heads == ["leaf01, leaf02: 1 change each", "leaf02: 1 more change"]


def test_nothing_to_say():
    assert as_text([diff_tables("leaf01", {}, {})]) == "no differences\n"


def test_json_form():
    change = as_json([diff_tables("leaf01", {}, {"VLAN": {"Vlan7": {"vlanid": 7}}})])
    assert change == {
        "schema_version": 1,
        "devices": [
            {
                "device": "leaf01",
                "changes": [
                    {
                        "op": "add",
                        "table": "VLAN",
                        "key": "Vlan7",
                        "field": None,
                        "before": None,
                        "after": {"vlanid": "7"},
                    }
                ],
            }
        ],
    }


def test_no_form_shows_a_secret():
    running = {
        "TACPLUS": {"global": {"passkey": "CANARY-old"}},
        "SNMP_COMMUNITY": {"CANARY-a": {"TYPE": "RO"}},
    }
    intended = {
        "TACPLUS": {"global": {"passkey": "CANARY-new"}},
        "SNMP_COMMUNITY": {"CANARY-b": {"TYPE": "RO"}},
        "TACPLUS_SERVER": {"192.0.2.9": {"passkey": "CANARY-row"}},
    }
    changes = diff_tables("leaf01", running, intended)
    forms = as_text([changes]) + json.dumps([as_json([changes]), as_patch(changes, running)])
    assert "CANARY" not in forms
    assert "global passkey (secret) -> (secret)" in forms
    assert "+ (secret) TYPE=RO" in forms


WORDS = [
    (("PORT", "Ethernet0", "mtu", "1500", "9216"), "mtu is 1500, intended is 9216"),
    (("PORT", "Ethernet0", "mtu", None, "9216"), "mtu is not set, intended is 9216"),
    (
        ("PORT", "Ethernet0", "adv_speeds", ["1", "2"], None),
        "adv_speeds is 1,2, intended is not set",
    ),
    (("PORT", "Ethernet0", None, None, {}), "is missing"),
    (("PORT", "Ethernet0", None, {}, None), "is not intended"),
]


@pytest.mark.parametrize(("change", "said"), WORDS)
def test_a_change_in_words(change, said):
    assert in_words(Change(ChangeKind.REPLACE, *change)) == f"PORT|Ethernet0 {said}"


def test_a_session_that_is_no_longer_shut_is_written_up():
    """bgpcfgd takes no notice of a field that goes."""
    running = {"BGP_NEIGHBOR": {"192.0.2.1": {"asn": "1", "admin_status": "down"}}}
    intended = {"BGP_NEIGHBOR": {"192.0.2.1": {"asn": "1"}}}
    assert to_patch(diff_tables("a", running, intended), running) == [
        {"op": "replace", "path": "/BGP_NEIGHBOR/192.0.2.1/admin_status", "value": "up"}
    ]
