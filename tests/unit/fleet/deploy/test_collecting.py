"""What verify sees of a switch, down to what its chip was told."""

import copy
import json

import pytest

from nettool.fleet.deploy.collecting import looked_before, observe
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.switch import Switch
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import SwitchSpec
from nettool.fleet.verify.check import verify_one
from nettool.fleet.verify.observed import Seen, observed_of
from tests.unit.fleet.deploy.conftest import OLD, SCALE, MockTransport, OneSwitch

LOSSLESS = {
    **copy.deepcopy(OLD),
    "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
    "BUFFER_POOL": {"pool": {"mode": "dynamic", "size": "1000000", "type": "ingress"}},
    "BUFFER_PROFILE": {
        "lossless": {"pool": "pool", "size": "9000", "xon": "0", "xoff": "9000", "dynamic_th": "0"}
    },
    "BUFFER_PG": {"Ethernet0|3": {"profile": "lossless"}},
    "QUEUE": {"Ethernet0|3": {"wred_profile": "R"}},
    "FLEX_COUNTER_TABLE": {"WRED_ECN_QUEUE": {"FLEX_COUNTER_STATUS": "enable"}},
}
LOSSLESS["WRED_PROFILE"]["R"]["wred_green_enable"] = "true"


@pytest.fixture
def fleet():
    config = copy.deepcopy(LOSSLESS)
    with MockFleet([SwitchSpec("leaf01", config=config)], scale=SCALE) as fleet:
        yield fleet


def look(fleet, **seen):
    observed = observe("leaf01", Switch(MockTransport(fleet, "leaf01")))
    return observed, [e.message for e in verify_one(Seen("leaf01", LOSSLESS, observed, **seen))]


def test_a_right_switch_passes_and_its_state_survives_json(fleet):
    observed, said = look(fleet)
    assert said == []
    assert observed.programmed["pfc"]["Ethernet0"] == {"priorities": "3"}
    assert observed.programmed["group"]["Ethernet0|3"]["xoff"] == "9000"
    assert observed.programmed["queue"]["Ethernet0|3"]["ecn"] == "ecn_all"
    assert observed_of(json.loads(json.dumps(observed.as_json()))) == observed
    assert fleet["leaf01"].writes() == []


WITHHELD = {
    r"BUFFER_PROFILE\|lossless": "leaf01: Ethernet0|3 has no BUFFER_PROFILE|lossless on the chip",
    r"BUFFER_PG\|Ethernet0": "leaf01: Ethernet0|3 has no BUFFER_PROFILE|lossless on the chip",
    r"WRED_PROFILE\|R": "leaf01: Ethernet0|3 has no WRED_PROFILE|R on the chip",
    r"PORT_QOS_MAP\|Ethernet0": (
        "leaf01: Ethernet0 pauses priorities none on the chip, PORT_QOS_MAP says 3"
    ),
}


@pytest.mark.parametrize(("match", "message"), WITHHELD.items(), ids=WITHHELD)
def test_what_the_chip_refused_is_named(fleet, match, message):
    fleet["leaf01"].inject(Fault(match, "unprogrammed", times=None))
    assert look(fleet)[1] == [message]


UNREADABLE = {
    "fails": Fault("sonic-db-dump -n ASIC_DB", "fail", stderr="no such database"),
    "garbage": Fault("sonic-db-dump -n ASIC_DB", "garbage"),
    "no names": Fault("sonic-db-dump -n COUNTERS_DB", "reply", stdout="{}"),
}


@pytest.mark.parametrize("fault", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_not_proved(fleet, fault):
    fleet["leaf01"].inject(fault)
    observed, said = look(fleet)
    assert "programmed" in observed.unread
    assert len(said) == 1
    assert said[0].startswith("leaf01: programmed could not be read: ")


def test_drops_and_storms_since_the_baseline(fleet):
    before, _ = look(fleet)
    fleet["leaf01"].counters.add("pg_drop", "Ethernet0", 3, by=4)
    _, said = look(fleet, baseline=before)
    assert said == ["leaf01: Ethernet0|3: 4 packets dropped in a priority group since the baseline"]
    after, _ = look(fleet)
    fleet["leaf01"].counters.clear()
    _, said = look(fleet, baseline=after)
    assert said == [
        "leaf01: Ethernet0|3: the counter of packets dropped in a priority group went from 4 to 0, "
        "reset or wrapped: no verdict"
    ]


HEADROOM = (
    ("25000", "5m", "9000", "0", "9000", "0", ""),
    ("25000", "40m", "9000", "0", "40000", "0", ""),
)


@pytest.fixture
def with_daemons():
    """A switch whose daemons make the lossless rows; the intent has none of them."""
    config = copy.deepcopy(LOSSLESS)
    config["BUFFER_POOL"] = {"ingress_lossless_pool": LOSSLESS["BUFFER_POOL"]["pool"]}
    config["BUFFER_PROFILE"] = {
        "lossy": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "0"}
    }
    config["BUFFER_PG"] = {"Ethernet0|0": {"profile": "lossy"}}
    config["CABLE_LENGTH"] = {"AZURE": {"Ethernet0": "5m"}}
    spec = SwitchSpec("leaf01", config=config, daemons=True, headroom=HEADROOM)
    with MockFleet([spec], scale=SCALE) as fleet:
        new = copy.deepcopy(config)
        new["CABLE_LENGTH"]["AZURE"]["Ethernet0"] = "40m"
        yield OneSwitch(fleet, new)


def test_rows_that_daemons_write_disturb_neither_push_nor_verify(with_daemons):
    switch = with_daemons
    assert switch.push().outcome is Outcome.CHANGED
    wanted = {"profile": "pg_lossless_25000_40m_profile"}
    for _ in range(200):
        if switch.handle.running()["BUFFER_PG"].get("Ethernet0|3") == wanted:
            break
        switch.clock.sleep(1)
    assert switch.handle.running()["BUFFER_PG"]["Ethernet0|3"] == wanted
    assert switch.push("r2").outcome is Outcome.UNCHANGED
    observed = observe("leaf01", Switch(switch.transport))
    assert [e.message for e in verify_one(Seen("leaf01", switch.new, observed))] == []


BEFORE = {
    "leaf01.json": ("{}", "is no look at a switch ('ports')"),
    "cut": ('{"device": "leaf', "is no look at a switch (Unterminated string"),
    "a list": ("[]", "is no look at a switch"),
    "missing": (None, "leaf01.json: No such file or directory"),
}


@pytest.mark.parametrize(("text", "why"), BEFORE.values(), ids=BEFORE)
def test_a_baseline_that_says_nothing_is_told(text, why, tmp_path):
    if text is not None:
        (tmp_path / "leaf01.json").write_text(text)
    seen, said = looked_before(str(tmp_path), "leaf01")
    assert seen is None
    assert why in said
    assert looked_before("", "leaf01") == (None, "")


def test_a_baseline_is_what_verify_kept(fleet, tmp_path):
    observed, _ = look(fleet)
    (tmp_path / "leaf01.json").write_text(json.dumps(observed.as_json()))
    assert looked_before(str(tmp_path), "leaf01") == (observed, "")
