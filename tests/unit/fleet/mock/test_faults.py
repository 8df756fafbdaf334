"""Faults by script: each does to its command what its name says, as often as it was told."""

import pytest

from nettool.core.errors import UsageError
from nettool.fleet.mock.fault import ACTS, Fault, fault_from_json

SAVE = "sudo config save -y"
LOST, HANGS = None, -1


PLAYED = [
    ({"do": "fail", "status": 9, "stderr": "no"}, 9, "", 0),
    ({"do": "reply", "stdout": "all is well\n"}, 0, "all is well\n", 0),
    ({"do": "status", "status": 5}, 5, "Running command", 1),
    ({"do": "garbage"}, 0, "error?", 1),
    ({"do": "delay", "seconds": 5}, 0, "Running command", 1),
    ({"do": "drop"}, LOST, "", 0),
    ({"do": "drop_during"}, 0, "Running command", 1),
    ({"do": "drop_after"}, 0, "Running command", 1),
    ({"do": "hang", "stdout": "wait"}, HANGS, "wait", 0),
    ({"do": "stuck"}, HANGS, "", 1),
    ({"do": "reboot"}, LOST, "", 0),
    ({"do": "reboot_after"}, LOST, "", 1),
    ({"do": "full"}, 1, "", 1),
]


@pytest.mark.parametrize(
    ("fault", "status", "stdout", "saves"), PLAYED, ids=[row[0]["do"] for row in PLAYED]
)
def test_what_a_fault_does(box, fault, status, stdout, saves):
    box.handle.inject(Fault("config save", **fault))
    got, out, _ = box.run(SAVE, within=0.3)
    assert got == status
    assert stdout in out
    assert sum(each.kind == "saved" for each in box.handle.writes()) == saves


ELSEWHERE = {
    "partial": "test_updater.py, test_interface.py",
    "stuck_during": "deploy/test_transaction.py",
    "reboot_during": "below",
    "drift": "below",
    "refuse": "e2e/test_mock_tools.py",
    "auth": "e2e/test_mock_tools.py",
    "unprogrammed": "test_databases.py",
    "forgotten": "test_databases.py",
    "late": "test_interface.py",
}


def test_every_fault_is_played_somewhere():
    assert {row[0]["do"] for row in PLAYED} | set(ELSEWHERE) == ACTS


@pytest.mark.parametrize("line", [SAVE, f"true && {SAVE}", f"sh -c '{SAVE}'"])
def test_a_fault_falls_on_a_command_of_a_script_too(box, line):
    box.handle.inject(Fault("config save", "fail", status=9))
    assert box.run(line)[0] == 9
    assert box.run(line)[0] == 0


@pytest.mark.parametrize(("times", "failures"), [(1, 1), (2, 2), (None, 3)])
def test_how_often(box, times, failures):
    box.handle.inject(Fault("hostname", "fail", times=times))
    assert sum(box.run("hostname")[0] for _ in range(3)) == failures
    box.handle.heal()
    assert box.run("hostname")[0] == 0


def test_drift_comes_before_the_command(box):
    box.handle.inject(Fault("show run", "drift", config={"CRM": {"Config": None}}))
    assert "polling_interval" not in box.run("show runningconfiguration all")[1]


def test_a_restart_in_the_middle_of_an_apply(box):
    box.handle.inject(Fault("apply-patch", "reboot_during", changes=1))
    mtu = ("replace", "/PORT/Ethernet0/mtu", "9216")
    status, _, _ = box.patch(mtu, ("replace", "/CRM/Config/polling_interval", "60"))
    assert status is LOST
    assert box.handle.running() == box.handle.saved()
    assert [each.what for each in box.handle.writes()] == ["change 1/2"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"match": ".", "do": "drop", "tims": 2}, "unknown field 'tims'"),
        ({"match": ".", "do": "explode"}, "'explode' is not one of"),
        ({"match": "(", "do": "drop"}, "is no regular expression"),
        ({"do": "drop"}, "'match' is missing"),
    ],
)
def test_a_wrong_fault_is_refused(box, data, message):
    with pytest.raises(UsageError, match=message):
        box.handle.inject(fault_from_json(data))
