"""What hosts report against the plan and the switches: each mismatch is one precise finding."""

import copy
import json

import pytest

from nettool.config.device.device import build_hosts
from nettool.config.render.render import render
from nettool.fleet.verify.gathered import read_hosts
from nettool.fleet.verify.hosts import check_hosts
from nettool.fleet.verify.observed import Observed
from nettool.fleet.verify.planned_nics import planned_nics

FABRICS = ("rail-only-128", "rail-optimized-256")
PORT = {"mtu": "9216", "speed": "400000", "fec": "rs"}
PAUSE = {"pfc_enable": "3"}


@pytest.fixture(scope="module", params=FABRICS)
def plan(request, shipped_fabric):
    """A shipped fabric, all its NICs, and what its hosts report where they are as planned."""
    planned = shipped_fabric(request.param)
    hosts = build_hosts(planned.intent, planned.fabric, planned.qos, planned.timing)
    nics = planned_nics(hosts, planned.fabric, lambda _switch, _port: True)
    made = {a.device: a for a in render(hosts) if a.path == "host.json"}
    told = [json.loads(made[each.name].text) for each in hosts]
    return Site(nics, told)


@pytest.fixture
def small(plan):
    """Two hosts of it: what they report may be changed."""
    names = ("node01", "node02")
    nics = tuple(each for each in plan.nics if each.host in names)
    return Site(nics, copy.deepcopy([each for each in plan.told if each["name"] in names]))


class Site:
    """NICs of a plan, and what their hosts report."""

    def __init__(self, nics, told):
        self.nics, self.told = nics, told

    def report(self, observed=None, switches=None):
        meant = {each.switch for each in self.nics} if switches is None else switches
        return check_hosts(self.nics, read_hosts(self.told, "hosts.json"), observed or {}, meant)

    def findings(self, **more):
        return self.report(**more).findings


def test_hosts_that_report_host_json_are_verified(plan):
    report = plan.report()
    assert report.findings == ()
    assert report.summary == {"hosts": len(plan.told), "hosts_reported": len(plan.told)}


MISMATCHES = [
    # of a host's agreement or of its first NIC: field, value; rule, what is said
    ("trust", "pcp", "HST003", "trust is pcp, planned is dscp"),
    ("mtu", 1500, "HST004", "mtu is 1500, planned is 9216"),
    ("roce_dscp", {"roce": [24]}, "HST003", "roce_dscp is 24, planned is 26"),
    ("roce_dscp", [], "HST003", "roce_dscp is none, planned is 26"),
    ("cnp_dscp", [46], "HST006", "cnp_dscp is 46, planned is 48"),
    ("dscp_priority", {"26": 0, "48": 6}, "HST003", "it sends DSCP 26 to 0, planned is 3"),
    ("dscp_priority", {"26": 3}, "HST003", "it sends DSCP 48 to none, planned is 6"),
    ("pfc_priorities", [3, 4], "HST003", "pfc_priorities is 3, 4, planned is 3"),
    ("pfc_priorities", [], "HST003", "pfc_priorities is none, planned is 3"),
    ("pfc_mask", 24, "HST003", "pfc_priorities is 3, 4, planned is 3"),
    ("ecn_priorities", [], "HST006", "ecn_priorities is none, planned is 3"),
    ("speed", "200G", "HST004", "speed is 200G, planned is 400G"),
    ("fec", "none", "HST004", "fec is none, planned is rs"),
    ("address", "10.9.0.2/24", "HST004", "address is 10.9.0.2/24, planned is 10.1.0.2/24"),
    ("address", "10.1.0.2/16", "HST004", "address is 10.1.0.2/16, planned is 10.1.0.2/24"),
    ("address", None, "HST004", "address is none, planned is 10.1.0.2/24"),
    ("gateway", "10.1.0.254", "HST004", "gateway is 10.1.0.254, planned is 10.1.0.1"),
    ("switch", "leaf02", "HST005", "switch is leaf02, planned is leaf01"),
    ("port", "Ethernet8", "HST005", "port is Ethernet8, planned is Ethernet0"),
]


@pytest.mark.parametrize(("name", "value", "rule", "said"), MISMATCHES)
def test_a_mismatch_is_one_finding_with_both_values(small, name, value, rule, said):
    nic = small.told[0]["nics"][0]
    nic[name] = value
    if name == "pfc_mask":
        small.told[0]["agreement"].pop("pfc_priorities")
        for other in small.told[0]["nics"][1:]:
            other["pfc_priorities"] = [3]
    (found,) = small.findings()
    assert (found.rule, found.severity, found.message) == (rule, "error", said)
    place = (found.device, found.table, found.key, found.file)
    assert place == ("node01", "nics", nic["name"], "hosts.json")
    assert found.field == ("pfc_priorities" if name == "pfc_mask" else name)
    assert "host.json" in found.hint


SAME = [
    ("roce_dscp", [26]),
    ("pfc_mask", 8),
    ("speed", "400G"),
    ("fec", "rs"),
    ("fec", "RS"),
    ("fec", None),
    ("mtu", None),
    ("trust", "DSCP"),
    ("switch", "LEAF01.example.net"),
    ("dscp_priority", {"26": 3, "48": 6, "0": 0, "46": 5}),
    ("port", "etp1"),
    ("x-serial", "MT2301"),
]


@pytest.mark.parametrize(("name", "value"), SAME)
def test_other_words_for_the_same_are_no_mismatch(small, name, value):
    host = small.told[0]
    if name == "pfc_mask":
        host["agreement"].pop("pfc_priorities")
        host["agreement"][name] = value
    else:
        host["nics"][0][name] = value
    assert small.findings() == ()


@pytest.mark.parametrize("name", ["mtu", "pfc_priorities", "dscp_priority"])
def test_null_is_not_reported(small, name):
    small.told[0]["agreement"][name] = None
    found = small.findings()
    assert {(each.rule, each.message) for each in found} == {
        ("HST008", f"not reported, so not verified: {name}")
    }


def test_what_all_nics_of_a_host_have_wrong_is_told_of_each(small):
    small.told[0]["agreement"]["mtu"] = 1500
    found = small.findings()
    assert {each.message for each in found} == {"mtu is 1500, planned is 9216"}
    assert [each.key for each in found] == [each["name"] for each in small.told[0]["nics"]]


def test_a_clock_is_compared_where_one_is_planned(small):
    ptp = small.told[0]["agreement"].get("ptp")
    if ptp is None:
        small.told[0]["agreement"]["ptp"] = {"domain": 0}
        assert small.findings() == ()
        return
    ptp["domain"] = 0
    del ptp["two_step"]
    found = small.findings()
    assert {(each.rule, each.field, each.message) for each in found} == {
        ("HST007", "ptp.domain", "domain of PTP is 0, planned is 24"),
        ("HST008", None, "not reported, so not verified: ptp.two_step"),
    }
    assert {each.severity for each in found} == {"warning"}


def test_what_is_not_reported_is_not_verified(small):
    small.told[0] = {"name": "node01", "nics": [{"name": e["name"]} for e in small.told[0]["nics"]]}
    found = small.findings()
    assert {(each.rule, each.severity) for each in found} == {("HST008", "warning")}
    assert len(found) == len(small.told[0]["nics"])
    assert found[0].message.startswith(
        "not reported, so not verified: trust, roce_dscp, dscp_priority, pfc_priorities, mtu, "
        "speed, address, gateway, cnp_dscp, ecn_priorities"
    )


def test_hosts_and_nics_that_are_missing_or_unknown(small):
    small.told[0]["name"] = "node-01"
    gone = small.told[1]["nics"].pop(0)["name"]
    small.told[1]["nics"].append({"name": "mgmt0"})
    found = {(each.rule, each.device, each.key): each for each in small.findings()}
    assert set(found) == {
        ("HST000", "node01", None),
        ("HST001", "node-01", None),
        ("HST001", "node02", "mgmt0"),
        ("HST002", "node02", gone),
    }
    absent, stranger = found["HST000", "node01", None], found["HST001", "node-01", None]
    assert absent.message.endswith("is verified; the file has node-01")
    assert (stranger.severity, stranger.hint) == ("warning", "is node01 meant?")
    assert found["HST001", "node02", "mgmt0"].hint == "leave it out, or plan it"


def test_only_nics_of_the_switches_that_are_meant_are_asked_for(small):
    small.told.pop(0)
    switch = small.nics[0].switch
    small.told[0]["nics"] = [e for e in small.told[0]["nics"] if e["switch"] == switch]
    assert [each.rule for each in small.findings(switches={switch})] == ["HST000"]
    assert small.report(switches={"spine01"}).summary == {"hosts": 0, "hosts_reported": 0}


RUNNING = [
    # what the switch port runs otherwise, what the NIC reports of it; the finding, if any
    ({"mtu": "1500"}, {}, "mtu is 9216 as planned, its switch port {} runs 1500"),
    ({"mtu": "9416"}, {}, ""),
    ({"speed": "200000"}, {}, "speed is 400G as planned, its switch port {} runs 200G"),
    ({"fec": "none"}, {"fec": "rs"}, "fec is rs as planned, its switch port {} runs none"),
    ({"fec": "none"}, {}, ""),
    ({"pfc_enable": "3,4"}, {}, "pfc_priorities is 3 as planned, its switch port {} runs 3, 4"),
    ({"pfc_enable": ""}, {}, "pfc_priorities is 3 as planned, its switch port {} runs none"),
    ({"mtu": "1500"}, {"mtu": 1500}, "mtu is 1500, planned is 9216"),
]


@pytest.mark.parametrize(("runs", "reports", "said"), RUNNING)
def test_a_nic_as_planned_on_a_port_that_is_not(small, runs, reports, said):
    nic = small.nics[0]
    small.told[0]["nics"][0].update(reports)
    port = {**PORT, **{k: v for k, v in runs.items() if k in PORT}}
    pause = {**PAUSE, **{k: v for k, v in runs.items() if k in PAUSE}}
    tables = {"PORT": {nic.port: port}, "PORT_QOS_MAP": {nic.port: pause}}
    found = small.findings(observed={nic.switch: Observed(nic.switch, tables, None)})
    own = [each.message for each in found if each.device == nic.host]
    assert own == ([said.format(f"{nic.switch}:{nic.port}")] if said else [])
