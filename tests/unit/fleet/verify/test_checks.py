"""Each check on a switch that is right and on one that is wrong."""

from dataclasses import replace
from xml.etree import ElementTree as Xml

import pytest

from nettool.core.finding import Report, Severity
from nettool.fleet.verify.check import CHECKS, verify, verify_one
from nettool.fleet.verify.expected import as_numbers_of
from nettool.fleet.verify.observed import Observed, Seen, observed_of
from nettool.fleet.verify.ticket import as_junit, as_markdown

CONFIG = {
    "PORT": {
        "Ethernet0": {"lanes": "1", "speed": "400000", "admin_status": "up"},
        "Ethernet4": {"lanes": "2", "speed": "400000", "admin_status": "up"},
    },
    "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
    "BUFFER_PROFILE": {"lossless": {"xon": "0", "xoff": "9000", "size": "10000"}},
    "BUFFER_PG": {"Ethernet0|3-4": {"profile": "lossless"}},
    "WRED_PROFILE": {"R": {"ecn": "ecn_all", "green_min_threshold": "1000"}},
    "QUEUE": {"Ethernet0|3": {"wred_profile": "[WRED_PROFILE|R]"}},
    "DEVICE_METADATA": {"localhost": {"bgp_asn": "4200000101"}},
    "BGP_NEIGHBOR": {"192.0.2.1": {"name": "spine01", "asn": "4200000001"}},
}
CHIP = {
    "pfc": {"Ethernet0": {"priorities": "3"}, "Ethernet4": {"priorities": ""}},
    "group": {"Ethernet0|3": {"xon": "0", "xoff": "9000", "size": "10000"}},
    "queue": {"Ethernet0|3": {"ecn": "ecn_all", "green_min_threshold": "1000"}},
}
GOOD = Observed(
    device="leaf01",
    running=CONFIG,
    saved=CONFIG,
    ports={"Ethernet0": ("up", "up"), "Ethernet4": ("down", "up")},
    lldp={"Ethernet0": ("spine01", "Ethernet8"), "eth0": ("mgmt", "7")},
    bgp={"192.0.2.1": "Established"},
    as_numbers={"": 4200000101, "192.0.2.1": 4200000001},
    counters={
        "pfc_enabled": {"Ethernet0|3": 1},
        "pg_drop": {"Ethernet0|3": 5, "Ethernet0|0": 9},
        "queue_drop": {"Ethernet0|3": 0},
        "rx_err": {"Ethernet0": 0, "Ethernet4": 0},
        "storm": {},
        "pfc_tx": {"Ethernet0|3": 0},
        "pfc_rx": {"Ethernet0|3": 0, "Ethernet0|5": 0},
        "ecn_marked": {"Ethernet0|3": 0},
    },
    programmed=CHIP,
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
    "as_numbers": (
        {"as_numbers": {"": 4200000001, "192.0.2.1": 4200000001}},
        "leaf01: BGP runs in AS 4200000001, not 4200000101: CONFIG_DB has 4200000101, and FRR "
        "did not follow it",
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
    "congestion": (
        {"counters": counted(pfc_rx={"Ethernet0|3": 2, "Ethernet0|5": 0})},
        "leaf01: 2 pause frames received, 0 pause frames sent, 0 marks since the baseline",
    ),
    "programmed": (
        {"programmed": {**CHIP, "group": {}}},
        "leaf01: Ethernet0|3 has no BUFFER_PROFILE|lossless on the chip",
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


AS_NUMBERS = {
    "a neighbour by another hand": (
        {"as_numbers": {"192.0.2.1": 65009},
         "running": {**CONFIG, "BGP_NEIGHBOR": {"192.0.2.1": {"asn": "65009"}}}},
        ["leaf01: BGP neighbour 192.0.2.1 runs in AS 65009, not 4200000001"],
    ),
    "a neighbour of any AS": ({"as_numbers": {"": 4200000101, "192.0.2.1": 0}}, []),
    "not read": ({"as_numbers": {"": 1}, "unread": {"bgp": "exit status 1"}}, []),
}  # fmt: skip


@pytest.mark.parametrize(("change", "messages"), AS_NUMBERS.values(), ids=AS_NUMBERS)
def test_as_numbers_are_those_that_frr_runs(change, messages):
    seen = replace(SEEN, observed=replace(GOOD, **change))
    assert [each.message for each in CHECKS["as_numbers"](seen)] == messages


def test_what_config_db_has_and_frr_does_not_is_ended_by_a_restart():
    seen = replace(SEEN, observed=replace(GOOD, as_numbers={"": 1}))
    assert [each.hint for each in CHECKS["as_numbers"](seen)] == [
        "sudo systemctl restart bgp there starts FRR with what CONFIG_DB has"
    ]


GROUP = {"BGP_PEER_GROUP": {"default|fabric": {"asn": "65002"}},
         "BGP_NEIGHBOR": {"default|Ethernet0": {"peer_group_name": "fabric"},
                          "default|192.0.2.1": {"asn": "65003"},
                          "default|Ethernet8": {"peer_type": "external"}}}  # fmt: skip


def test_as_numbers_of_the_routing_framework_come_from_its_own_tables():
    metadata = {"bgp_asn": "65009", "frr_mgmt_framework_config": "true"}
    tables = {**GROUP, "DEVICE_METADATA": {"localhost": metadata},
              "BGP_GLOBALS": {"default": {"local_asn": "65001"}}}  # fmt: skip
    found = as_numbers_of(tables)
    assert found == {"": 65001, "Ethernet0": 65002, "192.0.2.1": 65003}


def test_a_daemons_row_need_not_be_saved():
    daemon = {
        **CONFIG,
        "BUFFER_PROFILE": {
            **CONFIG["BUFFER_PROFILE"],
            "pg_lossless_400000_5m_profile": {"xon": "0", "xoff": "9000", "size": "10000"},
        },
        "BUFFER_PG": {"Ethernet0|3-4": {"profile": "pg_lossless_400000_5m_profile"}},
    }
    saved = {table: rows for table, rows in daemon.items() if table != "BUFFER_PG"}
    observed = replace(GOOD, running=daemon, saved=saved)
    assert list(CHECKS["saved"](replace(SEEN, intended=daemon, observed=observed))) == []
    stale = {**daemon, "VLAN": {"Vlan9": {"vlanid": "9"}}}
    found = list(CHECKS["saved"](replace(SEEN, observed=replace(observed, saved=stale))))
    assert [each.message for each in found] == [
        "leaf01: the saved file differs from what runs in 1 place: VLAN|Vlan9"
    ]


CHIPS = {
    "headroom": (
        {"group": {"Ethernet0|3": {**CHIP["group"]["Ethernet0|3"], "xoff": "8000"}}},
        "leaf01: Ethernet0|3 has xoff 8000 on the chip, BUFFER_PROFILE|lossless says 9000",
    ),
    "pause off": (
        {"pfc": {"Ethernet0": {"priorities": ""}}},
        "leaf01: Ethernet0 pauses priorities none on the chip, PORT_QOS_MAP says 3",
    ),
    "no such port": ({"pfc": {}}, "leaf01: Ethernet0 is not known to the chip"),
    "never marks": (
        {"queue": {"Ethernet0|3": {"ecn": "ecn_none", "green_min_threshold": "1000"}}},
        "leaf01: Ethernet0|3 has ecn ecn_none on the chip, WRED_PROFILE|R says ecn_all",
    ),
    "queue unbound": ({"queue": {}}, "leaf01: Ethernet0|3 has no WRED_PROFILE|R on the chip"),
}


@pytest.mark.parametrize(("chip", "message"), CHIPS.values(), ids=CHIPS)
def test_configured_is_not_programmed(chip, message):
    seen = replace(SEEN, observed=replace(GOOD, programmed={**CHIP, **chip}))
    assert [each.message for each in verify_one(seen)] == [message]


TRACES = {
    "healthy": ({}, []),
    "drop": ({"pg_drop": {"Ethernet0|3": 7}}, [("VER010", "error")]),
    "drop of a lossy group": ({"pg_drop": {"Ethernet0|3": 5, "Ethernet0|0": 900}}, []),
    "wrap": ({"pg_drop": {"Ethernet0|3": 2**64 - 1}}, [("VER010", "error")]),
    "reset": ({"pg_drop": {"Ethernet0|3": 3}}, [("VER014", "error")]),
    "reset to nothing": ({"pg_drop": {"Ethernet0|3": 0}}, [("VER014", "error")]),
    "a port that appeared": (
        {"rx_err": {"Ethernet0": 0, "Ethernet4": 0, "Ethernet8": 0}},
        [("VER014", "error")],
    ),
    "a port that vanished": ({"rx_err": {"Ethernet0": 0}}, [("VER014", "error")]),
    "a group that is not counted": ({"pg_drop": {"Ethernet0|0": 9}}, [("VER014", "error")]),
    "a queue that is not counted": ({"queue_drop": {}}, [("VER014", "error")]),
    "less than nothing": ({"pg_drop": {"Ethernet0|3": -5}}, [("VER014", "error")]),
    "marks that are not counted": (
        {"pfc_tx": {"Ethernet0|3": 9}, "ecn_marked": {}},
        [("VER014", "error"), ("VER015", "info")],
    ),
    "first storm": ({"storm": {"Ethernet0|3": 1}}, [("VER012", "error")]),
    "marks before pause": (
        {"pfc_tx": {"Ethernet0|3": 9}, "ecn_marked": {"Ethernet0|3": 90}},
        [("VER015", "info")],
    ),
    "pause without marks": (
        {"pfc_tx": {"Ethernet0|3": 9}},
        [("VER015", "info"), ("VER016", "warning")],
    ),
    "pause for a lossy priority": (
        {"pfc_rx": {"Ethernet0|3": 0, "Ethernet0|5": 4}},
        [("VER015", "info"), ("VER017", "warning")],
    ),
    "marks reset": ({"ecn_marked": {"Ethernet0|3": -1}}, [("VER014", "error")]),
}


@pytest.mark.parametrize(("now", "said"), TRACES.values(), ids=TRACES)
def test_verdict_of_counters(now, said):
    seen = replace(SEEN, observed=replace(GOOD, counters=counted(**now)))
    found = [*CHECKS["counters"](seen), *CHECKS["congestion"](seen)]
    assert [(each.rule, str(each.severity)) for each in found] == said


def test_a_restart_in_between_is_never_a_pass():
    """The same number twice proves nothing where counting began again meanwhile."""
    before, now = replace(GOOD, started="Mon 10:00:00"), replace(GOOD, started="Mon 11:00:00")
    found = list(CHECKS["counters"](replace(SEEN, baseline=before, observed=now)))
    assert [(each.rule, each.message, str(each.severity)) for each in found] == [
        (
            "VER014",
            "leaf01: its services began again at Mon 11:00:00, and its counters with them: no "
            "verdict on what was before",
            "error",
        ),
        (
            "VER010",
            "leaf01: Ethernet0|3: 5 packets dropped in a priority group since the baseline",
            "error",
        ),
    ]
    assert list(CHECKS["counters"](replace(SEEN, baseline=before, observed=before))) == []


def test_a_baseline_that_could_not_be_read_is_no_baseline():
    before = replace(GOOD, counters={}, unread=dict.fromkeys(GOOD.counters, "no"))
    found = list(CHECKS["counters"](replace(SEEN, baseline=before)))
    assert [each.rule for each in found] == ["VER014"] * 3
    assert found[0].message == (
        "leaf01: Ethernet0|3: the counter of packets dropped in a priority group was not counted "
        "before: no verdict"
    )


NOTHING = Observed("leaf01", CONFIG, CONFIG, unread=dict.fromkeys(("ports", "bgp", "lldp"), "no"))


@pytest.mark.parametrize(
    "observed",
    [
        Observed("leaf01", CONFIG, CONFIG),
        NOTHING,
        replace(NOTHING, unread={**NOTHING.unread, **dict.fromkeys(GOOD.counters, "no")}),
    ],
)
@pytest.mark.parametrize("baseline", [None, GOOD])
def test_a_switch_of_which_nothing_was_read_is_never_right(observed, baseline):
    report = verify([replace(SEEN, observed=observed, baseline=baseline)])
    assert report.has_errors


def test_a_baseline_that_is_not_there_is_told():
    found = list(CHECKS["readable"](replace(SEEN, no_baseline="before/leaf01.json is missing")))
    assert [(each.rule, each.message, str(each.severity)) for each in found] == [
        (
            "VER021",
            "leaf01: no look from before to compare counters with: before/leaf01.json is missing",
            "error",
        )
    ]


def test_what_rests_on_an_assumption_is_told_and_fails_nothing():
    report = verify([replace(SEEN, observed=replace(GOOD, trust="read as on SONiC: assumed"))])
    assert [(each.rule, str(each.severity)) for each in report.findings] == [("VER022", "info")]
    assert "| leaf01 | ok (assumed) | 0 | 0 |" in as_markdown(report, ["leaf01"])
    assert "read as on SONiC: assumed" in as_junit(report, ["leaf01"])


def test_a_lossless_group_without_headroom_is_told_though_no_row_binds_one():
    rows = {table: row for table, row in CONFIG.items() if table != "BUFFER_PG"}
    observed = replace(GOOD, running=rows, programmed={**CHIP, "group": {}})
    found = list(CHECKS["programmed"](replace(SEEN, observed=observed)))
    assert [each.message for each in found] == [
        "leaf01: Ethernet0|3 is lossless and has no headroom on the chip: no BUFFER_PG row"
    ]


def test_a_storm_that_is_not_listed_any_more_was_reset():
    before = replace(GOOD, counters=counted(storm={"Ethernet0|3": 2}))
    found = list(CHECKS["counters"](replace(SEEN, baseline=before)))
    assert [(each.rule, each.message) for each in found] == [
        (
            "VER014",
            "leaf01: Ethernet0|3: the counter of PFC storms went from 2 to 0, "
            "reset or wrapped: no verdict",
        )
    ]


def test_many_resets_are_one_finding():
    before = replace(GOOD, counters=counted(rx_err={f"Ethernet{n}": 9 for n in range(64)}))
    now = replace(GOOD, counters=counted(rx_err={f"Ethernet{n}": 0 for n in range(64)}))
    found = list(CHECKS["counters"](replace(SEEN, observed=now, baseline=before)))
    assert [each.message for each in found] == [
        "leaf01: Ethernet0: the counter of errors received went from 9 to 0, "
        "reset or wrapped (and 63 more): no verdict"
    ]


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
