"""Who looks at whose far end, and what is told of it."""

import json

import pytest

from nettool.core.errors import UsageError
from nettool.fleet.deploy.far import FarLook, far_end, far_lost, look_after, look_before, shares
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.switch import Switch
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import SwitchSpec
from tests.unit.fleet.deploy.conftest import SCALE, MockTransport
from tests.unit.fleet.deploy.test_collecting import LOSSLESS

LEAVES = ("leaf01", "leaf02", "leaf03", "leaf04")
SPINES = tuple(f"spine{n:02}" for n in range(1, 9))
PORTS = {"Ethernet0": "leaf01:Ethernet8"}


def model(build, name, links):
    folder = build / "devices" / name
    folder.mkdir(parents=True)
    far = {port: {"device": device, "port": at} for port, (device, at) in links.items()}
    (folder / "device.json").write_text(json.dumps({"interfaces": {"links": far}}))


@pytest.fixture
def build(tmp_path):
    """Four leaves, each cabled to eight spines and a node."""
    for number, leaf in enumerate(LEAVES):
        links = {f"Ethernet{8 * n}": (s, f"Ethernet{8 * number}") for n, s in enumerate(SPINES)}
        model(tmp_path, leaf, {**links, "Ethernet512": ("node01", "nic1")})
    return tmp_path


def test_each_far_switch_is_looked_at_once_and_the_hosts_share_them(build):
    made = shares(build, LEAVES, (*LEAVES, *SPINES))
    assert {name: len(far) for name, far in made.items()} == dict.fromkeys(LEAVES, 2)
    assert sorted(far for each in made.values() for far in each) == list(SPINES)
    assert made["leaf01"]["spine01"] == {
        "Ethernet0": "leaf01:Ethernet0",
        "Ethernet8": "leaf02:Ethernet0",
        "Ethernet16": "leaf03:Ethernet0",
        "Ethernet24": "leaf04:Ethernet0",
    }


def test_who_is_in_the_wave_or_in_no_inventory_is_not_looked_at(build):
    model(build, "spine01", {"Ethernet0": ("leaf01", "Ethernet0")})
    made = shares(build, ("leaf01", "spine01"), ("leaf01", "spine01", "spine02"))
    assert made == {"leaf01": {"spine02": {"Ethernet0": "leaf01:Ethernet8"}}, "spine01": {}}
    assert shares(build / "nowhere", ("leaf01",), LEAVES) == {"leaf01": {}}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"interfaces": {"links": {"E": {}}}}'])
def test_a_model_that_says_nothing_is_told(build, text):
    (build / "devices" / "leaf01" / "device.json").write_text(text)
    with pytest.raises(UsageError, match=r"device\.json: not a device of nettool's"):
        shares(build, ("leaf01",), SPINES)


@pytest.fixture
def far():
    with MockFleet([SwitchSpec("spine01", config=LOSSLESS)], scale=SCALE) as fleet:
        yield fleet["spine01"], Switch(MockTransport(fleet, "spine01"))


def after(switch, before):
    return look_after("spine01", switch, PORTS, before["nettool"]["look"])


HAPPENS = {
    "nothing": (lambda _: None, ""),
    "drops in a group": (
        lambda spine: spine.counters.add("pg_drop", "Ethernet0", 3, by=4),
        "spine01: Ethernet0|3: 4 packets dropped in a priority group since the change began "
        "(towards leaf01:Ethernet8)",
    ),
    "drops in a queue": (
        lambda spine: spine.counters.add("queue_drop_pkts", "Ethernet0", 3, by=4),
        "spine01: Ethernet0|3: 4 packets dropped in a lossless queue since the change began "
        "(towards leaf01:Ethernet8)",
    ),
    "a storm": (
        lambda spine: spine.counters.add("storm_detected", "Ethernet0", 3),
        "spine01: Ethernet0|3: 1 PFC storms since the change began (towards leaf01:Ethernet8)",
    ),
    "drops of what may drop": (
        lambda spine: spine.counters.add("pg_drop", "Ethernet0", 0, by=4),
        "",
    ),
    "drops at another port": (
        lambda spine: spine.counters.add("pg_drop", "Ethernet1", 3, by=4),
        "",
    ),
}


@pytest.mark.parametrize(("happen", "said"), HAPPENS.values(), ids=HAPPENS)
def test_what_a_far_port_lost_is_told(far, happen, said):
    spine, switch = far
    spine.counters.add("pg_drop", "Ethernet0", 3, by=7)
    before = look_before("spine01", switch, PORTS)
    happen(spine)
    told = after(switch, json.loads(json.dumps(before)))
    assert (told["failed"], told["nettool"]["message"]) == (bool(said), said)
    assert spine.writes() == []


def test_a_far_switch_that_began_again_has_no_verdict(far):
    spine, switch = far
    before = look_before("spine01", switch, PORTS)
    spine.reboot()
    told = after(switch, before)
    assert told["failed"]
    assert "its services began again by themselves (" in told["msg"]


def test_a_far_switch_whose_own_guard_went_back_is_told_as_such(switch):
    """That its services began again is no fault of the wave that is written."""
    reached = Switch(switch.transport, 60.0)
    before = look_before("leaf01", reached, PORTS)
    switch.push(confirm_seconds=20, consent=frozenset(("reload",)))
    switch.wait_for_guard()
    switch.handle.reboot()
    told = after(reached, before)
    assert told["msg"].startswith("spine01: run r1 was not confirmed in time and went back at 20")


def test_one_that_cannot_be_looked_at_is_never_good(far):
    spine, switch = far
    before = look_before("spine01", switch, PORTS)
    spine.inject(Fault(".", "refuse", times=None, back=None))
    told = look_before("spine01", switch, PORTS)
    assert (told["failed"], "look" in told["nettool"]) == (False, False)
    assert told["warnings"] == [
        "no verdict on spine01, cabled to leaf01:Ethernet8: it cannot be looked at (spine01 "
        "refuses the connection)"
    ]
    told = after(switch, before)
    assert told["msg"] == "spine01: cannot be looked at any more: spine01 refuses the connection"


def test_a_far_port_that_was_not_counted_has_no_verdict():
    nothing = {"pg_drop": {}, "queue_drop": {}, "storm": {}}
    zero = {**nothing, "pg_drop": {"Ethernet0|3": 0}, "queue_drop": {"Ethernet0|3": 0}}
    was, now = FarLook(nothing, (), "a"), FarLook(zero, ("Ethernet0|3",), "a")
    assert list(far_lost(now, now, PORTS)) == []
    assert [each.partition(" (")[0] for each in far_lost(was, now, PORTS)] == [
        "Ethernet0|3: the counter of packets dropped in a priority group was not counted before: "
        "no verdict",
        "Ethernet0|3: the counter of packets dropped in a lossless queue was not counted before: "
        "no verdict",
    ]


BAD = {"results": [{"failed": True, "nettool": {"message": "spine01: drops"}}, {"failed": False}]}
ENDS = {
    "before the change": (None, BAD, Outcome.REFUSED, "spine01: drops"),
    "after it": (
        {"outcome": "changed"}, BAD, Outcome.FAR_WORSE,
        "spine01: drops; the change is kept: mend the far end, or `nettool rollback`",
    ),
    "while it waits": (
        {"outcome": "waits for confirm", "message": "goes back at noon"},
        BAD, Outcome.FAR_WORSE, "goes back at noon; spine01: drops",
    ),
    "where nothing changed": ({"outcome": "unchanged"}, BAD, Outcome.FAILED, "spine01: drops"),
    "without a loop": (None, {"failed": True, "msg": "no such build"}, Outcome.REFUSED,
                       "no such build"),
}  # fmt: skip


@pytest.mark.parametrize(("had", "result", "outcome", "message"), ENDS.values(), ids=ENDS)
def test_a_hosts_last_word_is_about_its_far_ends(had, result, outcome, message):
    told = far_end(had, result)
    assert (told["outcome"], told["message"]) == (str(outcome), message)
