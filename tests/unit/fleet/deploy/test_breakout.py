"""Cages are broken out step by step on a mock switch; whatever fails, it is the old or the new."""

import copy
import random

import pytest

from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import PortFacts, SwitchSpec
from tests.unit.fleet.deploy.conftest import SCALE, OneSwitch
from tests.unit.fleet.deploy.test_crash import CASES, crash

WHOLE, HALVES = "1x800G", "2x400G[200G]"
LANES = {f"Ethernet{8 * n}": ",".join(str(8 * n + lane) for lane in range(1, 9)) for n in range(2)}
PORT = {"speed": "800000", "mtu": "9216", "fec": "rs", "admin_status": "up"}
OLD = {
    "DEVICE_METADATA": {
        "localhost": {"hostname": "leaf01", "hwsku": "mock", "platform": "x86_64-mock-r0",
                      "mac": "00:00:5e:00:53:01", "type": "LeafRouter", "bgp_asn": "65001"}
    },
    "PORT": {
        name: {**PORT, "lanes": lanes, "index": str(n + 1), "alias": f"E{n + 1}"}
        for n, (name, lanes) in enumerate(LANES.items())
    },
    "BREAKOUT_CFG": {name: {"brkout_mode": WHOLE} for name in LANES},
    "INTERFACE": {"Ethernet0": {}, "Ethernet0|192.0.2.0/31": {}},
    "BGP_NEIGHBOR": {
        "192.0.2.1": {"asn": "65002", "local_addr": "192.0.2.0", "name": "spine01",
                      "admin_status": "up"}
    },
    "CABLE_LENGTH": {"AZURE": dict.fromkeys(LANES, "5m")},
    "DSCP_TO_TC_MAP": {"AZURE": {"26": "3"}},
    "BUFFER_POOL": {"pool": {"mode": "dynamic", "size": "1000000", "type": "ingress"}},
    "BUFFER_PROFILE": {
        f"pg_lossless_{speed}_5m_profile": {
            "pool": "pool", "size": "0", "xon": "0", "xoff": "9000", "dynamic_th": "0"
        }
        for speed in (800000, 400000)
    },
    "BUFFER_PG": {
        f"{name}|3": {"profile": "pg_lossless_800000_5m_profile"} for name in LANES
    },
    "PORT_QOS_MAP": {
        name: {"dscp_to_tc_map": "AZURE", "pfc_enable": "3", "pfcwd_sw_enable": "3"}
        for name in LANES
    },
    "SCHEDULER": {"roce": {"type": "DWRR", "weight": "50"}},
    "QUEUE": {f"{name}|3": {"scheduler": "roce"} for name in LANES},
}  # fmt: skip


def halved():
    """Ethernet0 as two ports of 400G; the session moves to the first."""
    new = copy.deepcopy(OLD)
    for table in ("PORT", "PORT_QOS_MAP"):
        for name in ("Ethernet0", "Ethernet4"):
            new[table][name] = copy.deepcopy(OLD[table]["Ethernet0"])
    lanes = LANES["Ethernet0"].split(",")
    for n, name in enumerate(("Ethernet0", "Ethernet4")):
        new["PORT"][name] |= {
            "speed": "400000", "alias": f"ours{n}", "lanes": ",".join(lanes[4 * n : 4 * n + 4])
        }  # fmt: skip
        new["BUFFER_PG"][f"{name}|3"] = {"profile": "pg_lossless_400000_5m_profile"}
        new["QUEUE"][f"{name}|3"] = {"scheduler": "roce"}
        new["CABLE_LENGTH"]["AZURE"][name] = "5m"
    new["BREAKOUT_CFG"]["Ethernet0"] = {"brkout_mode": "2x400G[200G,100G]"}
    return new


@pytest.fixture
def switch():
    spec = SwitchSpec(
        "leaf01",
        config=copy.deepcopy(OLD),
        ports={
            name: PortFacts(lanes, str(n + 1), f"E{n + 1}")
            for n, (name, lanes) in enumerate(LANES.items())
        },
        breakouts={
            name: {WHOLE: (f"E{n + 1}",), HALVES: (f"E{n + 1}a", f"E{n + 1}b")}
            for n, name in enumerate(LANES)
        },
    )
    with MockFleet([spec], scale=SCALE) as fleet:
        yield OneSwitch(fleet, halved())


def ran(switch):
    words = [each.text for each in switch.handle.commands() if each.origin == "script"]
    return [each for each in words if each.startswith("sudo config ")]


def test_one_cage_is_broken_out_and_the_other_port_never_flaps(switch):
    told = switch.push()
    assert (told.outcome, told.way, told.impact) == (Outcome.CHANGED, "breakout", "link flap")
    running = switch.handle.running()
    assert running == switch.handle.saved()
    assert running["BREAKOUT_CFG"]["Ethernet0"] == {"brkout_mode": HALVES}
    assert [running["PORT"][name]["alias"] for name in ("Ethernet0", "Ethernet4")] == ["E1a", "E1b"]
    assert running["PORT"]["Ethernet4"]["admin_status"] == "up"
    assert running["BUFFER_PG"]["Ethernet4|3"] == {"profile": "pg_lossless_400000_5m_profile"}
    assert running["BGP_NEIGHBOR"]["192.0.2.1"]["admin_status"] == "up"
    assert {e.what for e in switch.handle.events() if e.kind.startswith("port")} == {
        "Ethernet0",
        "Ethernet4",
    }
    assert switch.push("r2").outcome is Outcome.UNCHANGED
    assert switch.handle.timers() == []


def test_it_is_drained_before_and_checked_before_it_carries_traffic(switch):
    switch.push()
    assert [
        words for words in ran(switch) if "checkpoint" not in words and "save" not in words
    ] == [
        "sudo config apply-patch r1.step1.json",
        "sudo config interface shutdown Ethernet0",
        "sudo config apply-patch r1.step3.json",
        f"sudo config interface breakout Ethernet0 {HALVES} -y",
        "sudo config apply-patch r1.step6.json",
        "sudo config interface startup Ethernet0,Ethernet4",
        "sudo config apply-patch r1.step9.json",
    ]


FAILS = {
    "refused": Fault("config interface breakout .* -y$", "fail", stderr="no"),
    "says yes and does nothing": Fault("config interface breakout .* -y$", "reply", stdout="done"),
    "ends half way": Fault("config interface breakout .* -y$", "partial"),
    "children never come": Fault("Ethernet4", "late", seconds=1e6, times=None),
    "groups are forgotten": Fault(r"BUFFER_PG\|Ethernet4", "forgotten", times=None),
    "unbinding is refused": Fault("config apply-patch r1.step3", "fail", stderr="no"),
    "rebuilding ends half way": Fault("config apply-patch r1.step6", "partial", changes=1),
    "the port will not go down": Fault("config interface shutdown", "fail", stderr="no"),
}


@pytest.mark.parametrize("fault", FAILS.values(), ids=FAILS)
def test_what_fails_goes_back_to_the_old_ports(switch, fault):
    switch.handle.inject(fault)
    told = switch.push(guard_seconds=3000)  # it goes back itself, however slow this machine is
    assert told.outcome is Outcome.ROLLED_BACK
    assert "step " in told.message
    assert switch.is_old()


def test_late_children_are_waited_for(switch):
    switch.handle.inject(Fault("Ethernet4", "late", seconds=20, times=None))
    assert switch.push().outcome is Outcome.CHANGED


LOST = {
    "dropped while it breaks out": Fault("config interface breakout", "drop_during"),
    "dropped after": Fault("config interface breakout", "drop_after"),
    "rebooted while it breaks out": Fault("config interface breakout", "reboot_during"),
    "rebooted in the rebuild": Fault("config apply-patch r1.step6", "reboot_during", changes=1),
}


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(f, id=n, marks=[pytest.mark.slow] * n.startswith("dropped"))
        for n, f in LOST.items()
    ],
)
def test_a_lost_switch_is_the_old_or_the_new_and_a_rerun_finishes(switch, fault):
    switch.handle.inject(fault)
    switch.push()
    switch.wait_for_guard()
    ports = set(switch.handle.running()["PORT"])
    assert ports in ({"Ethernet0", "Ethernet8"}, {"Ethernet0", "Ethernet4", "Ethernet8"})
    assert switch.handle.running() == switch.handle.saved()
    assert switch.push("r2").outcome in {Outcome.CHANGED, Outcome.UNCHANGED}
    assert switch.handle.running()["BREAKOUT_CFG"]["Ethernet0"] == {"brkout_mode": HALVES}


def test_an_unconfirmed_breakout_folds_the_ports_again(switch):
    assert switch.push(confirm_seconds=30, guard_seconds=300).outcome is Outcome.PENDING
    switch.wait_for_guard()
    assert switch.is_old()


def test_a_mode_the_switch_does_not_offer_needs_a_reload(switch):
    switch.new["BREAKOUT_CFG"]["Ethernet0"] = {"brkout_mode": "4x200G"}
    told = switch.push()
    assert told.outcome is Outcome.REFUSED
    assert f"Ethernet0 offers {WHOLE}, {HALVES}, not 4x200G" in told.message
    assert switch.handle.writes() == []


def as_the_switch_names_it(config):
    """The intent with the switch's own mode and aliases: what it runs afterwards, row for row."""
    new = copy.deepcopy(config)
    new["BREAKOUT_CFG"]["Ethernet0"] = {"brkout_mode": HALVES}
    for name, alias in (("Ethernet0", "E1a"), ("Ethernet4", "E1b")):
        new["PORT"][name]["alias"] = alias
    return new


@pytest.mark.parametrize(("kind", "step"), random.Random(10).sample(CASES, 8))
def test_crash_of_a_breakout(switch, kind, step):
    crash(switch, kind, step, as_the_switch_names_it(switch.new))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "step"), CASES)
def test_crash_of_a_breakout_at_every_step(switch, kind, step):
    crash(switch, kind, step, as_the_switch_names_it(switch.new))
