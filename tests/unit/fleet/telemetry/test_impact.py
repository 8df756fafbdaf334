"""What a change does to a training job: a row a case."""

import pytest

from nettool.config.diff.changeset import Change, ChangeKind
from nettool.config.diff.lines import LINE
from nettool.core.finding import Severity
from nettool.core.provenance import Trust
from nettool.fleet.telemetry.impact import JobImpact, judge

ROW = {"wred_profile": "R", "scheduler": "s"}
CASES = [
    # table, key, field, running, intended, impact, severity
    ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "3,4", "3", "lossless", "error"),
    ("PORT_QOS_MAP", "Ethernet0", "dscp_to_tc_map", "B", "A", "lossless", "error"),
    ("BUFFER_PROFILE", "p", "xoff", "1", "2", "lossless", "error"),
    ("BUFFER_PROFILE", "egress_lossy_profile", "dynamic_th", "3", "0", "shares", "warning"),
    ("BUFFER_PROFILE", "egress_lossy_profile", "pool", "a", "b", "lossless", "error"),
    ("BUFFER_PG", "Ethernet0|3", None, None, {"profile": "p"}, "lossless", "error"),
    ("PFC_WD", "GLOBAL", "POLL_INTERVAL", "100", "400", "lossless", "error"),
    ("PORT", "Ethernet0", "admin_status", "down", "up", "paths", "error"),
    ("PORT", "Ethernet0", "admin_status", "up", "down", "management", "warning"),
    ("PORT", "Ethernet0", "fec", "none", "rs", "paths", "error"),
    ("PORT", "Ethernet0", "mtu", "1500", "9216", "paths", "error"),
    ("PORT", "Ethernet0", "description", "spare", None, "cosmetic", "info"),
    ("PORT", "Ethernet0", None, None, {"admin_status": "up", "speed": "1"}, "paths", "error"),
    ("PORT", "Ethernet0", "no_such_field", "1", None, "unknown", "warning"),
    ("BGP_NEIGHBOR", "10.0.0.1", None, {"asn": "1"}, None, "paths", "error"),
    ("BGP_NEIGHBOR", "10.0.0.1", None, None, {"name": "a", "asn": "1"}, "paths", "error"),
    ("BGP_NEIGHBOR", "10.0.0.1", None, {"asn": "1", "name": "a"}, None, "paths", "error"),
    ("VLAN", "Vlan9", None, {"description": "x", "vlanid": "9"}, None, "paths", "error"),
    ("PORT_QOS_MAP", "Ethernet0", None, {"scheduler": "s"}, None, "shares", "warning"),
    (
        "FLEX_COUNTER_TABLE",
        "PFCWD",
        "FLEX_COUNTER_STATUS",
        "disable",
        "enable",
        "lossless",
        "error",
    ),
    ("FLEX_COUNTER_TABLE", "PORT", "X", "disable", "enable", "monitoring", "warning"),
    ("BGP_NEIGHBOR", "10.0.0.1", "holdtime", "180", "9", "paths", "warning"),
    ("BGP_NEIGHBOR", "10.0.0.1", "name", "a", "b", "cosmetic", "info"),
    ("INTERFACE", "Ethernet0|10.0.0.0/31", None, None, {}, "paths", "error"),
    ("WRED_PROFILE", "R", "ecn", "ecn_none", "ecn_all", "marking", "error"),
    ("WRED_PROFILE", "R", "green_max_threshold", "1", "2", "marking", "warning"),
    ("QUEUE", "Ethernet0|3", "wred_profile", None, "R", "marking", "error"),
    ("QUEUE", "Ethernet0|3", None, None, ROW, "marking", "error"),
    ("QUEUE", "Ethernet0|0", None, None, {"scheduler": "s"}, "shares", "warning"),
    ("SCHEDULER", "s", "weight", "5", "95", "shares", "warning"),
    ("NTP_SERVER", "192.0.2.1", None, {}, None, "timing", "warning"),
    ("TACPLUS_SERVER", "192.0.2.1", "passkey", "a", "b", "management", "warning"),
    ("SYSLOG_SERVER", "192.0.2.1", None, None, {}, "monitoring", "warning"),
    ("LLDP", "GLOBAL", "hello_time", "5", "30", "cosmetic", "info"),
    ("ACME_TABLE", "x", "y", "1", "2", "unknown", "warning"),
]
LINES = [
    ("global", "priority-flow-control enable 3", "lossless", "error"),
    ("global", "no priority-flow-control enable 4", "lossless", "error"),
    ("interface ethernet 0/0", "service-policy nettool_roce", "lossless", "error"),
    ("interface ethernet 0/0", "switchport access vlan 101", "paths", "error"),
    ("interface mgmt 0", "ip address 192.0.2.9/24 gw 192.0.2.1", "management", "warning"),
    ("router bgp 65001", "neighbor 10.0.0.1 remote-as 65002", "paths", "error"),
    ("wred ROCE_400G", "mode ecn gmin 1 gmax 2 gprobability 10", "marking", "error"),
    ("policy-map p", "queue-scheduler priority queue 6", "shares", "warning"),
    ("global", "acme frobnicate", "unknown", "warning"),
]


def change(table, key, field, before, after):
    if field is None:
        kind = ChangeKind.ADD if before is None else ChangeKind.REMOVE
    else:
        kind = ChangeKind.REPLACE
    return Change(kind, table, key, field, before, after)


@pytest.mark.parametrize(("table", "key", "field", "before", "after", "impact", "severity"), CASES)
def test_a_change_of_config_db(table, key, field, before, after, impact, severity):
    found = judge(change(table, key, field, before, after), "sonic")
    assert (found.impact, found.severity) == (impact, severity)
    assert found.why
    assert found.source


@pytest.mark.parametrize(("view", "line", "impact", "severity"), LINES)
def test_a_command_line(view, line, impact, severity):
    found = judge(Change(ChangeKind.ADD, view, line, None, None, {}), "asternos")
    assert (found.impact, found.severity) == (impact, severity)
    assert not found.trust.is_firm


def test_a_line_that_was_overwritten_is_judged_by_its_own_words():
    own = (
        "interface vlan 101",
        "ip address",
        LINE,
        "ip address 10.0.0.1/24",
        "ip address 10.1.0.1/24",
    )
    assert judge(Change(ChangeKind.REPLACE, *own), "asternos").impact is JobImpact.PATHS


def test_what_is_not_known_says_so():
    found = judge(change("ACME", "x", "y", "1", "2"), "sonic")
    assert found.why == "nettool does not know what ACME y does to traffic"
    assert (found.severity, found.trust) == (Severity.WARNING, Trust.ASSUMED)
