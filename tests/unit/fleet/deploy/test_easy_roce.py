"""Easy RoCE by REST: compared before it is written, read back, taken back where it goes wrong."""

import json

import pytest

from nettool.fleet.deploy.easy_roce import push_profiles, wanted_ports, wanted_profiles
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.mock.fault import Fault

P5 = {"name": "p5", "mode": "lossless", "cable-length": "CABLE_5m", "incast-level": "medium"}
P40 = {**P5, "name": "p40", "cable-length": "CABLE_40m"}
WANTED = {"p5": P5, "p40": P40}


def push(site, wanted=None, *, check=False, **fields):
    return push_profiles(site.reach(**fields), "leaf01", wanted or WANTED, check=check)


def test_created_then_nothing_to_do(rest):
    told = push(rest)
    assert (told.outcome, told.way) == (Outcome.CHANGED, "rest")
    assert rest.server.profiles == WANTED
    written = len(rest.server.writes())
    again = push(rest)
    assert (again.outcome, again.changes.changes) == (Outcome.UNCHANGED, ())
    assert len(rest.server.writes()) == written == 2


def test_only_what_differs_is_sent(rest):
    rest.server.profiles["p5"] = {**P5, "incast-level": "low", "traffic-model": "throughput"}
    told = push(rest, {"p5": P5})
    assert told.outcome is Outcome.CHANGED
    (written,) = rest.server.writes()
    assert (written.method, written.body) == ("PATCH", {"incast-level": "medium"})
    assert rest.server.profiles["p5"]["traffic-model"] == "throughput"


def test_check_writes_nothing_and_shows_what_would_change(rest):
    told = push(rest, check=True)
    assert told.outcome is Outcome.WOULD_CHANGE
    assert "p5" in told.as_json()["diff"]
    assert rest.server.writes() == []


def test_others_are_left_alone(rest):
    rest.server.profiles["theirs"] = {"name": "theirs", "mode": "lossless"}
    push(rest)
    assert "theirs" in rest.server.profiles


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        (None, "bind by klish: p5 to Ethernet0, Ethernet4"),
        (["Ethernet4:4"], "bind by klish: p5 to Ethernet0"),
        (["Ethernet0:3", "Ethernet4:4"], ""),
    ],
)
def test_ports_that_are_not_bound_are_named(rest, bound, said):
    rest.server.profiles["p5"] = {**P5, **({"bind-interfaces": bound} if bound else {})}
    ports = {"p5": ("Ethernet0", "Ethernet4")}
    told = push_profiles(rest.reach(), "leaf01", {"p5": P5}, check=False, ports=ports)
    assert told.outcome is Outcome.UNCHANGED
    assert told.message.endswith(said)
    assert bool(told.message) is bool(said)
    assert rest.server.writes() == []


def test_bound_ports_stay_bound_when_a_field_changes(rest):
    rest.server.profiles["p5"] = {**P5, "incast-level": "low", "bind-interfaces": ["Ethernet0:3"]}
    assert push(rest, {"p5": P5}).outcome is Outcome.CHANGED
    assert rest.server.profiles["p5"]["bind-interfaces"] == ["Ethernet0:3"]


MIDWAY = {
    "the second is refused": (Fault("POST", "fail", status=400), Outcome.ROLLED_BACK),
    "done and said no": (Fault("POST", "status", status=500), Outcome.ROLLED_BACK),
    "done and cut": (Fault("POST", "drop_after"), Outcome.ROLLED_BACK),
    "cut before": (Fault("POST", "drop"), Outcome.ROLLED_BACK),
    "said yes and did nothing": (Fault("POST", "reply", stdout="{}"), Outcome.ROLLED_BACK),
}


@pytest.mark.parametrize(("fault", "outcome"), MIDWAY.values(), ids=MIDWAY)
def test_what_goes_wrong_midway_is_taken_back(rest, fault, outcome):
    rest.server.inject(Fault("POST", "delay", seconds=0.01))  # the first one goes well
    rest.server.inject(fault)
    told = push(rest)
    assert told.outcome is outcome
    assert rest.server.profiles == {}
    assert push(rest).outcome is Outcome.CHANGED


def test_a_first_request_that_is_refused_changes_nothing(rest):
    rest.server.inject(Fault("POST", "fail", status=400, stderr="no"))
    told = push(rest)
    assert told.outcome is Outcome.FAILED
    assert '400, \'{"error": "no"}\'' in told.message
    assert rest.server.profiles == {}


def test_a_way_back_that_fails_is_told(rest):
    rest.server.inject(Fault("POST", "delay", seconds=0.01))
    rest.server.inject(Fault("POST", "fail", status=500))
    rest.server.inject(Fault("DELETE", "fail", status=500, times=None))
    told = push(rest)
    assert told.outcome is Outcome.ROLLBACK_FAILED
    assert "then p5 is not as it was" in told.message
    assert set(rest.server.profiles) == {"p5"}


def test_lost_for_good_is_unknown(rest):
    rest.server.inject(Fault("POST", "drop_after"))
    rest.server.inject(Fault("GET|DELETE", "delay", seconds=0.01, times=2))
    rest.server.inject(Fault(".", "drop", times=None))
    assert push(rest).outcome is Outcome.UNKNOWN


BEFORE = {
    "unreachable": (Fault("GET", "drop"), Outcome.UNREACHABLE),
    "not let in": (Fault("GET", "auth"), Outcome.UNREACHABLE),
    "500": (Fault("GET", "fail", status=500), Outcome.FAILED),
    "garbage": (Fault("GET", "garbage"), Outcome.FAILED),
    "another object": (Fault("GET", "reply", stdout='{"name": "x"}'), Outcome.FAILED),
}


@pytest.mark.parametrize(("fault", "outcome"), BEFORE.values(), ids=BEFORE)
def test_what_cannot_be_read_is_not_written(rest, fault, outcome):
    rest.server.inject(fault)
    told = push(rest)
    assert told.outcome is outcome
    assert told.message.endswith("nothing was written")
    assert rest.server.writes() == []
    assert "CANARY" not in json.dumps(told.as_json())


def test_a_rendered_file_gives_its_profiles():
    document = {
        "requests": [{"method": "POST", "body": P5, "trust": "published"}],
        "bindings": [{"profile": "p5", "ports": ["Ethernet0"]}],
    }
    assert wanted_profiles(document) == {"p5": P5}
    assert wanted_ports(document) == {"p5": ("Ethernet0",)}
