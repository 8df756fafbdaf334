"""Each check on a switch that is right and on one that is wrong."""

from dataclasses import replace
from xml.etree import ElementTree as Xml

import pytest

from nettool.core.finding import Report, Severity
from nettool.fleet.verify.check import CHECKS, verify, verify_one
from nettool.fleet.verify.observed import Observed, Seen, observed_of
from nettool.fleet.verify.ticket import as_junit, as_markdown

CONFIG = {
    "PORT": {
        "Ethernet0": {"lanes": "1", "speed": "400000", "admin_status": "up"},
        "Ethernet4": {"lanes": "2", "speed": "400000", "admin_status": "up"},
    },
    "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
    "BGP_NEIGHBOR": {"192.0.2.1": {"name": "spine01", "asn": "4200000001"}},
}
GOOD = Observed(
    device="leaf01",
    running=CONFIG,
    saved=CONFIG,
    ports={"Ethernet0": ("up", "up"), "Ethernet4": ("down", "up")},
    lldp={"Ethernet0": ("spine01", "Ethernet8"), "eth0": ("mgmt", "7")},
    bgp={"192.0.2.1": "Established"},
    counters={
        "pfc_enabled": {"Ethernet0|3": 1},
        "pg_drop": {"Ethernet0|3": 5, "Ethernet0|0": 9},
        "storm": {},
    },
)
SEEN = Seen("leaf01", CONFIG, GOOD, {"Ethernet0": ("spine01", "Ethernet8")}, GOOD)


def counted(**counters):
    return {**GOOD.counters, **counters}


WRONG = {
    "configuration": (
        {"running": {**CONFIG, "VLAN": {"Vlan7": {"vlanid": "7"}}}},
        "leaf01: VLAN|Vlan7 is not intended",
    ),
    "guard": ({"guard": "anna (run r1)"}, "leaf01: the guard is armed by anna (run r1)"),
    "saved": ({"saved": None}, "leaf01: the saved file is missing or broken"),
    "sessions": (
        {"bgp": {"192.0.2.1": "Active"}},
        "leaf01: BGP neighbour 192.0.2.1 (spine01) is Active, not Established",
    ),
    "links": (
        {"ports": {"Ethernet0": ("down", "up")}},
        "leaf01: Ethernet0 towards spine01:Ethernet8 is down (admin up), not up",
    ),
    "neighbors": (
        {"lldp": {"Ethernet0": ("spine02", "Ethernet8")}},
        "leaf01: Ethernet0 is planned towards spine01:Ethernet8, LLDP sees spine02:Ethernet8",
    ),
    "lossless": (
        {"counters": counted(pfc_enabled={})},
        "leaf01: Ethernet0 pauses priorities none, intended are 3",
    ),
    "counters": (
        {"counters": counted(pg_drop={"Ethernet0|3": 7})},
        "leaf01: Ethernet0|3: 2 packets dropped in a priority group since the baseline",
    ),
    "readable": (
        {"unread": {"lldp": "exit status 1"}},
        "leaf01: lldp could not be read: exit status 1",
    ),
}


def test_a_right_switch_has_no_findings():
    assert list(verify_one(SEEN)) == []
    assert verify([SEEN]).summary == {"devices": 1, "checks": len(CHECKS)}


@pytest.mark.parametrize(("name", "change", "message"), [(n, *w) for n, w in WRONG.items()])
def test_a_wrong_switch_is_told(name, change, message):
    seen = replace(SEEN, observed=replace(GOOD, **change))
    assert [each.message for each in CHECKS[name](seen)] == [message]


def test_every_check_has_a_wrong_case():
    assert set(WRONG) == set(CHECKS)


@pytest.mark.parametrize(
    ("now", "text"), [(3, "went from 5 to 3"), (2**40, None), (5, "")], ids=str
)
def test_a_reset_is_never_a_pass(now, text):
    observed = replace(GOOD, counters=counted(pg_drop={"Ethernet0|3": now}))
    found = list(CHECKS["counters"](replace(SEEN, observed=observed)))
    if text == "":
        assert found == []
    elif text is None:
        assert found[0].severity is Severity.ERROR
    else:
        assert text in found[0].message
        assert found[0].severity is Severity.WARNING


def test_without_a_baseline_drops_are_a_warning():
    found = list(CHECKS["counters"](replace(SEEN, baseline=None)))
    assert [(each.rule, each.severity) for each in found] == [("VER010", Severity.WARNING)]
    assert "5 packets dropped in a priority group since they were cleared" in found[0].message


def test_a_secret_is_masked():
    intended = {**CONFIG, "TACPLUS": {"global": {"passkey": "CANARY-a"}}}
    running = {**CONFIG, "TACPLUS": {"global": {"passkey": "CANARY-b"}}}
    seen = Seen("leaf01", intended, replace(GOOD, running=running, saved=running))
    messages = [each.message for each in verify_one(seen)]
    assert any("passkey is (secret), intended is (secret)" in each for each in messages)
    assert not any("CANARY" in each for each in messages)


def test_observed_survives_json():
    assert observed_of(GOOD.as_json()) == GOOD


def test_ticket():
    seen = replace(SEEN, observed=replace(GOOD, guard="anna", unread={"lldp": "no"}))
    report = Report.of(verify_one(seen))
    text = as_markdown(report, ["leaf01", "leaf02"])
    assert "# 2 switches not verified" in text
    assert "| leaf01 | **failed** | 1 | 1 |" in text
    assert "| leaf02 | ok | 0 | 0 |" in text
    suite = Xml.fromstring(as_junit(report, ["leaf01", "leaf02"]).encode())
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert suite.find("testcase/failure").get("type") == "VER002"
