"""Verify on AsterNOS: the checks of every switch, read in klish and in the bash below it."""

import json

import pytest

from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.ways import KlishWays
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import Cable, SwitchSpec
from nettool.fleet.transport.klish import KlishTransport
from nettool.fleet.verify.check import verify_one
from tests.unit.fleet.deploy.klish.conftest import SCALE, Driver, straight, tables

LINES = """\
priority-flow-control enable 3
no priority-flow-control enable 4
interface ethernet 0/0
 ip address {mine}/31
router bgp {asn}
 neighbor {peer} remote-as {other}
"""
LEAF = LINES.format(mine="10.0.0.0", peer="10.0.0.1", asn=65001, other=65002)
SPINE = LINES.format(mine="10.0.0.1", peer="10.0.0.0", asn=65002, other=65001)
LINK = {"device": "spine01", "port": "Ethernet0", "peer_address": "10.0.0.1", "peer_address6": None}
MODEL = {
    "interfaces": {"links": {"Ethernet0": LINK}},
    "ports": {"ports": {"Ethernet0": {"enabled": True}, "Ethernet8": {"enabled": False}}},
    "qos": {"lossless_priorities": [3], "ports": {"Ethernet0": {"lossless": True}}},
}
UNMARKED = (
    "leaf01: ecn_marked could not be read: show queue wredcounters shows no 'EcnMarked/pkts': "
    "Warning: WRED_ECN_QUEUE counter polling is disabled."
)
TRUST = (
    "leaf01: links, sessions, counters and the chip were read as on SONiC, which AsterNOS is taken "
    "to be below klish: assumed, not verified on hardware"
)


def spec(name, text):
    ports = {
        f"Ethernet{n}": {"lanes": str(n + 1), "speed": "400000", "admin_status": "up"}
        for n in (0, 8)
    }
    config = {"DEVICE_METADATA": {"localhost": {"hostname": name}}, "PORT": ports}
    return SwitchSpec(name, "asternos", config, files={"/etc/sonic/startup.cfg": text})


@pytest.fixture
def fleet():
    specs = [spec("leaf01", LEAF), spec("spine01", SPINE)]
    with MockFleet(specs, [Cable("leaf01:Ethernet0", "spine01:Ethernet0")], scale=SCALE) as fleet:
        yield fleet


@pytest.fixture
def build(tmp_path):
    (tmp_path / "asternos.cfg").write_text(LEAF)
    (tmp_path / "device.json").write_text(json.dumps(MODEL))
    return tmp_path


def look(fleet, build, baseline=None):
    klish = KlishTransport("leaf01", connect=lambda: Driver(fleet, "leaf01", straight))
    ways = KlishWays(klish, "/etc/sonic/startup.cfg")
    intended = ways.intended(build / "asternos.cfg")
    seen = ways.look(Order("leaf01", "r1", "anna", intended))
    klish.reconnect()
    findings = list(verify_one(seen if baseline is None else with_baseline(seen, baseline)))
    return seen.observed, [each.message for each in findings]


def with_baseline(seen, baseline):
    return type(seen)(
        **{**{name: getattr(seen, name) for name in seen.__slots__}, "baseline": baseline}
    )


def test_a_right_switch_passes_and_its_trust_is_told(fleet, build):
    observed, said = look(fleet, build)
    assert said == [UNMARKED, TRUST]
    assert observed.ports["Ethernet0"] == ("up", "up")
    assert observed.bgp == {"10.0.0.1": "Established"}
    assert observed.lldp == {"Ethernet0": ("spine01", "Ethernet0")}
    assert observed.programmed["pfc"]["Ethernet0"] == {"priorities": "3"}
    assert fleet["leaf01"].writes() == []


def chip(match):
    return lambda fleet: fleet["leaf01"].inject(Fault(match, "unprogrammed", times=None))


def counted(kind):
    return lambda fleet: fleet["leaf01"].counters.add(kind, "Ethernet0", 3, by=2)


def down(fleet):
    fleet["spine01"].drift({"PORT": {"Ethernet0": {"admin_status": "down"}}})


FAULTS = {
    "a port that is down": (
        down,
        [
            "BGP neighbour 10.0.0.1 (spine01) is Active, not Established",
            "Ethernet0 towards spine01:Ethernet0 is down (admin up), not up",
        ],
    ),
    "a cable in another port": (
        lambda fleet: fleet.network.plug(Cable("leaf01:Ethernet0", "spine01:Ethernet8")),
        ["Ethernet0 is planned towards spine01:Ethernet0, LLDP sees port Ethernet8"],
    ),
    "a session that is refused": (
        lambda fleet: fleet["spine01"].drift({"BGP_NEIGHBOR": {"10.0.0.0": None}}),
        ["BGP neighbour 10.0.0.1 (spine01) is Active, not Established"],
    ),
    "pause that the chip has not": (
        chip(r"PORT_QOS_MAP\|Ethernet0"),
        ["Ethernet0 pauses priorities none on the chip, PORT_QOS_MAP says 3"],
    ),
    "headroom that the chip has not": (
        chip(r"BUFFER_PG\|Ethernet0"),
        ["Ethernet0|3 has no BUFFER_PROFILE|default_lossless_profile on the chip"],
    ),
    "drops": (
        counted("pg_drop"),
        ["Ethernet0|3: 2 packets dropped in a priority group since the baseline"],
    ),
    "watchdog events": (
        counted("storm_detected"),
        ["Ethernet0|3: 2 PFC storms since the baseline"],
    ),
    "another priority": (
        lambda fleet: fleet["leaf01"].drift({"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "4"}}}),
        [
            "Ethernet0 pauses priorities 4, intended are 3",
            "Ethernet0|4 is lossless and has no headroom on the chip: no BUFFER_PG row",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("happen", "wrong"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_is_red(fleet, build, happen, wrong):
    before, _ = look(fleet, build)
    happen(fleet)
    _, said = look(fleet, build, before)
    assert sorted(said) == sorted([*(f"leaf01: {each}" for each in wrong), UNMARKED, TRUST])


def test_a_restart_between_two_looks_is_told(fleet, build):
    before, _ = look(fleet, build)
    fleet["leaf01"].reboot()
    _, said = look(fleet, build, before)
    assert [each for each in said if "its services began again at" in each]


def test_a_bash_that_is_not_sonics_proves_nothing(fleet, build):
    """Klish still answers what it is known to show; every other check is named as not run."""
    fleet["leaf01"].inject(Fault("^(show (interfaces|queue|pfc|priority)|sudo (vtysh|sonic))",
                                 "fail", stderr="not found", times=None))  # fmt: skip
    observed, said = look(fleet, build)
    assert set(observed.unread) == {
        "ports", "bgp", "programmed", "pg_drop", "queue_drop", "ecn_marked", "storm", "rx_err",
        "pfc_rx", "pfc_tx",
    }  # fmt: skip
    assert observed.lldp == {"Ethernet0": ("spine01", "Ethernet0")}
    assert len(said) == len(observed.unread) + 1


def test_klish_that_does_not_know_its_line_is_asked_below(fleet, build):
    for line in ("^show lldp neighbor summary", "^show interface priority"):
        fleet["leaf01"].inject(Fault(line, "fail", stderr="Invalid input detected", times=None))
    _, said = look(fleet, build)
    assert said == [UNMARKED, TRUST]


def test_without_a_device_model_it_is_said_what_was_not_checked(fleet, build):
    (build / "device.json").unlink()
    observed, said = look(fleet, build)
    assert observed.unread["cabling"] == "no device.json stands beside its lines"
    assert "leaf01: cabling could not be read: no device.json stands beside its lines" in said


def test_lines_make_rows_and_leave_none_behind(fleet):
    """What the mock holds below klish follows its lines, and what somebody else changed stays."""
    switch = fleet.network.switches["leaf01"]
    view = ("interface ethernet 0/8",)
    assert switch.store.running["PORT"]["Ethernet8"]["admin_status"] == "up"
    switch.klish.enter(view, "shutdown")
    assert switch.store.running["PORT"]["Ethernet8"]["admin_status"] == "down"
    fleet["leaf01"].drift({"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "4"}}})
    switch.klish.enter(view, "no shutdown")
    assert switch.store.running["PORT"]["Ethernet8"]["admin_status"] == "up"
    assert switch.store.running["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] == "4"
    assert read_lines(switch.klish.text()).keys() == tables(LEAF).keys()
    switch.klish.enter((), "no router bgp 65001")
    assert "BGP_NEIGHBOR" not in switch.store.running
    assert "bgp_asn" not in switch.store.running["DEVICE_METADATA"]["localhost"]
