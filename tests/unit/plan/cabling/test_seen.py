"""Verdicts on what LLDP sees: swapped, off its rail, wrong port, foreign, contradicted."""

import pytest

from nettool.plan.cabling.seen import check_seen

ROWS = [
    ({"leaf01": {"Ethernet0": ("node01", "nic1")}}, "", 1, 0),
    ({"LEAF01": {}}, "", 0, 0),
    (
        {"leaf01": {"Ethernet0": ("node02", "nic1"), "Ethernet4": ("node01", "nic1")}},
        "CAB030",
        0,
        2,
    ),
    ({"leaf01": {"Ethernet0": ("node01", "nic2")}}, "CAB031", 0, 1),
    ({"leaf01": {"Ethernet0": ("node03", "nic1")}}, "CAB032", 0, 1),
    ({"leaf01": {"Ethernet0": ("node03", "0c:42:a1:00:00:01")}}, "CAB032", 0, 0),
    ({"leaf01": {"Ethernet0": ("node01", "0c:42:a1:00:00:01")}}, "", 0, 0),
    ({"leaf01": {"Ethernet512": ("node01", "nic1")}}, "CAB033", 0, 1),
    ({"leaf01": {"Ethernet0": ("stranger", "eth1")}}, "CAB034", 0, 0),
    ({"leaf01": {"eth0": ("mgmt01", "7")}}, "", 0, 0),
    (
        {
            "leaf01": {"Ethernet0": ("node01", "nic1")},
            "leaf02": {"Ethernet0": ("node01", "nic1")},
        },
        "CAB035",
        0,
        0,
    ),
]


@pytest.mark.parametrize(("seen", "rule", "right", "moves"), ROWS)
def test_verdict(shipped_fabric, seen, rule, right, moves):
    verdict = check_seen(shipped_fabric("rail-optimized-256").fabric, seen)
    rules = {each.rule for each in verdict.report.findings} - {"CAB036"}
    assert rules == ({rule} if rule else set())
    assert verdict.report.summary["right"] == right
    assert verdict.report.summary["moves"] == moves
