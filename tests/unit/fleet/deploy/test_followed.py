"""What a push changes is what the switch then runs: FRR's AS numbers, and no row left dangling."""

import copy

import pytest

from nettool.fleet.deploy.collecting import observe
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.routing_health import RoutingFollows
from nettool.fleet.deploy.switch import Switch
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import SwitchSpec
from nettool.fleet.verify.check import CHECKS
from nettool.fleet.verify.observed import Seen
from tests.unit.fleet.deploy.conftest import OLD, SCALE, OneSwitch

PEER = "192.0.2.1"
SPEAKS = {
    **OLD,
    "DEVICE_METADATA": {"localhost": {**OLD["DEVICE_METADATA"]["localhost"], "bgp_asn": "65001"}},
    "INTERFACE": {"Ethernet0": {}, "Ethernet0|192.0.2.0/31": {}},
    "BGP_NEIGHBOR": {PEER: {"asn": "65002", "local_addr": "192.0.2.0", "name": "spine01"}},
}


@pytest.fixture
def speaker():
    with MockFleet([SwitchSpec("leaf01", config=copy.deepcopy(SPEAKS))], scale=SCALE) as fleet:
        yield OneSwitch(fleet, copy.deepcopy(SPEAKS))


def numbered(speaker, own="65001", peer="65002"):
    speaker.new["DEVICE_METADATA"]["localhost"]["bgp_asn"] = own
    speaker.new["BGP_NEIGHBOR"][PEER]["asn"] = peer
    return speaker


def as_numbers(speaker):
    """What FRR runs, and what verify says of it."""
    seen = observe("leaf01", Switch(speaker.transport))
    found = CHECKS["as_numbers"](Seen("leaf01", speaker.new, seen))
    return dict(seen.as_numbers), [each.message for each in found]


def test_another_as_number_of_its_own_is_refused_without_consent(speaker):
    told = numbered(speaker, "65101", "65102").push()
    assert told.outcome is Outcome.REFUSED
    assert told.message == (
        "this needs a config reload, which drops all traffic (DEVICE_METADATA|localhost bgp_asn "
        "is not followed live: bgpd keeps the AS number that the bgp container started with): "
        "--consent reload"
    )
    assert speaker.handle.writes() == []


def test_the_same_by_hand_parts_frr_from_config_db_and_verify_says_so(speaker):
    numbered(speaker, "65101")
    speaker.handle.drift({"DEVICE_METADATA": {"localhost": {"bgp_asn": "65101"}}})
    assert as_numbers(speaker) == (
        {"": 65001, PEER: 65002},
        ["leaf01: BGP runs in AS 65001, not 65101: CONFIG_DB has 65101, and FRR did not follow it"],
    )


def test_a_change_is_held_to_what_frr_follows(speaker):
    switch, health = Switch(speaker.transport), RoutingFollows()
    health.before(switch, switch.running())
    speaker.handle.drift({"DEVICE_METADATA": {"localhost": {"bgp_asn": "65101"}}})
    assert health.after(switch, switch.running()) == ("BGP runs in AS 65001, CONFIG_DB has 65101",)


def test_what_was_parted_before_is_no_fault_of_a_change(speaker):
    switch, health = Switch(speaker.transport), RoutingFollows()
    speaker.handle.drift({"DEVICE_METADATA": {"localhost": {"bgp_asn": "65101"}}})
    health.before(switch, switch.running())
    assert health.after(switch, switch.running()) == ()


@pytest.mark.slow
@pytest.mark.parametrize("own", ["65001", "65101"])
def test_after_a_push_frr_runs_what_was_planned(speaker, own):
    told = numbered(speaker, own, "65102").push(consent=frozenset({"reload"}))
    assert (told.outcome, told.way) == (
        Outcome.CHANGED,
        "patch" if own == "65001" else "install",
    )
    assert as_numbers(speaker) == ({"": int(own), PEER: 65102}, [])


def test_a_port_that_operators_bound_something_to_stays_whatever_is_consented_to(speaker):
    speaker.handle.drift({"ACL_TABLE": {"OPS": {"type": "L3", "ports": ["Ethernet3"]}}})
    del speaker.new["PORT"]["Ethernet3"]
    speaker.handle.forget()
    told = speaker.push(consent=frozenset({"reload"}))
    assert (told.outcome, told.message) == (
        Outcome.REFUSED,
        "ACL_TABLE|OPS ports names Ethernet3, which goes: take it out there first",
    )
    assert speaker.handle.writes() == []


LOSSLESS = "pg_lossless_25000_5m_profile"
BUFFERS = {
    "BUFFER_POOL": {"pool": {"mode": "dynamic", "size": "1000000", "type": "ingress"}},
    "BUFFER_PROFILE": {LOSSLESS: {"pool": "pool", "size": "0", "xoff": "9000", "dynamic_th": "0"}},
}


def test_lossless_groups_of_the_switchs_own_go_with_their_port(switch):
    groups = {f"Ethernet{n}|3": {"profile": LOSSLESS} for n in (2, 3)}
    switch.handle.drift({**copy.deepcopy(BUFFERS), "BUFFER_PG": groups})
    switch.new |= copy.deepcopy(BUFFERS)
    del switch.new["PORT"]["Ethernet3"]
    told = switch.push(check=True)
    gone = [each.key for each in told.changes.changes if each.table == "BUFFER_PG"]
    assert (told.outcome, gone) == (Outcome.WOULD_CHANGE, ["Ethernet3|3"])
