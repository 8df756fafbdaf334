"""What a playbook may ask for, what it is told, and Ansible's connection as a transport."""

import json
import time

import pytest

from nettool.core.errors import DeviceError
from nettool.fleet.deploy.task import run_task
from nettool.fleet.deploy.ways import SonicWays
from nettool.fleet.transport.ansible import AnsibleTransport
from nettool.fleet.transport.transport import Reply

WRONG = [
    (
        {"do": "pusch"},
        "do: 'pusch' is not one of push, diff, verify, drift, backup, rollback, confirm, hold",
    ),
    ({"do": "push"}, "do: push needs the argument 'config'"),
    ({"do": "push", "config": "/nowhere/x.json"}, "/nowhere/x.json: No such file or directory"),
    ({"do": "confirm", "run": "a;b"}, "run 'a;b': letters, digits, _ and - only, at most 64"),
    ({"do": "confirm", "colour": "red"}, "unknown argument 'colour'"),
    ({"do": "confirm", "confirm": "soon"}, "confirm is a time such as 600"),
]


class Unused:
    """A transport that must not be touched."""

    def run(self, command, *, stdin=None, timeout=60.0):
        raise AssertionError(command)

    def reconnect(self):
        raise AssertionError("reconnect")


@pytest.mark.parametrize(("args", "message"), WRONG)
def test_a_wrong_task_fails_with_a_sentence(args, message):
    told = run_task(args, "leaf01", SonicWays(Unused()), check=False)
    assert (told["failed"], told["changed"]) == (True, False)
    assert message in told["msg"]


class Gone(Unused):
    """A switch that cannot be reached."""

    def run(self, command, *, stdin=None, timeout=60.0):
        raise DeviceError("leaf01: no route to host")


def test_unreachable_is_a_failure_that_ansible_counts(tmp_path):
    config = tmp_path / "config_db.json"
    config.write_text('{"PORT": {}}')
    told = run_task({"do": "push", "config": str(config)}, "leaf01", SonicWays(Gone()), check=False)
    assert told["failed"] is True
    assert "unreachable" not in told
    assert told["nettool"]["outcome"] == "unreachable"
    assert "nothing was written" in told["msg"]


class Fixed(Unused):
    """A switch that answers every read with the same configuration."""

    def run(self, command, *, stdin=None, timeout=60.0):
        if "is-active" in command:
            return Reply(3, "inactive\ninactive\n")
        return Reply(0, json.dumps({"PORT": {"E": {"mtu": "1500", "lanes": "1"}}}))


def test_check_mode_shows_a_diff(tmp_path):
    config = tmp_path / "config_db.json"
    config.write_text('{"PORT": {"E": {"mtu": "9216", "lanes": "1"}}}')
    told = run_task({"do": "push", "config": str(config)}, "leaf01", SonicWays(Fixed()), check=True)
    assert (told["changed"], told["failed"]) == (True, False)
    assert told["diff"] == [{"prepared": "leaf01: 1 change\n  PORT\n    ~ E mtu 1500 -> 9216\n"}]


REFUSALS = [
    # why a push would be refused, the task's arguments, what the switch answers, the words
    ("its guard is held", {}, {"is-active": Reply(0, "active\nactive\n")}, "holds it"),
    ("policy", {"policy": "p.yaml"}, {}, "is forbidden"),
    ("unproved lines", {}, {}, "nobody has proved on hardware"),
]


class Held(Fixed):
    """As `Fixed`; some commands have answers of their own."""

    def __init__(self, answers):
        self._answers = answers

    def run(self, command, *, stdin=None, timeout=60.0):
        found = (each for part, each in self._answers.items() if part in command)
        return next(found, None) or super().run(command, stdin=stdin, timeout=timeout)


@pytest.mark.parametrize(
    ("why", "args", "answers", "words"), REFUSALS, ids=[r[0] for r in REFUSALS]
)
def test_a_check_says_what_would_be_refused_and_shows_the_difference(
    tmp_path, why, args, answers, words
):
    config = tmp_path / "devices/leaf01/config_db.json"
    config.parent.mkdir(parents=True)
    config.write_text('{"PORT": {"E": {"mtu": "9216", "lanes": "1"}}}')
    (tmp_path / "p.yaml").write_text("timezone: UTC\nrules: [{at_least: brief drop}]\n")
    if why == "unproved lines":
        (tmp_path / "unverified.json").write_text('{"devices": {"leaf01": ["a line"]}}')
    given = {"do": "push", "config": str(config), "address": "192.0.2.1", **args}
    if "policy" in given:
        given["policy"] = str(tmp_path / given["policy"])
    told = run_task(given, "leaf01", SonicWays(Held(answers)), check=True)
    assert (told["changed"], told["failed"]) == (True, False)
    assert told["nettool"]["outcome"] == "would be refused"
    assert words in told["warnings"][0]
    assert told["diff"]


DRIFT = [
    # what is intended, what was last pushed (None: not known), cause, whether the task fails
    ("9216", "9216", "changed on the switch", True),
    ("9216", None, "changed on the switch or in the intent", True),
    ("9216", "1500", "the intent is ahead", False),
    ("1500", "9216", None, False),
]


@pytest.mark.parametrize(("mtu", "last", "cause", "failed"), DRIFT)
def test_drift_is_judged_by_what_was_pushed(tmp_path, mtu, last, cause, failed):
    paths = [tmp_path / name for name in ("config_db.json", "pushed.json")]
    for path, each in zip(paths, (mtu, last), strict=True):
        path.write_text(json.dumps({"PORT": {"E": {"mtu": each, "lanes": "1"}}}))
    args = {"do": "drift", "config": str(paths[0]), "pushed": str(paths[1]) if last else ""}
    told = run_task(args, "leaf01", SonicWays(Fixed()), check=False)
    assert (told["changed"], told["failed"]) == (False, failed)
    changes = told["nettool"]["changes"]
    assert [each["cause"] for each in changes] == ([cause] if cause else [])
    assert told["nettool"]["looked_at"] is True
    count = "drifted: 1, of level error: 1; PORT|E cuts or moves paths"
    assert told["msg"] == (count if failed else "drifted: 0, of level error: 0")


@pytest.mark.parametrize(("mtu", "outcome"), [("9216", "would change"), ("1500", "unchanged")])
def test_a_look_is_no_change_and_is_short(tmp_path, mtu, outcome):
    config = tmp_path / "config_db.json"
    config.write_text(json.dumps({"PORT": {"E": {"mtu": mtu, "lanes": "1"}}}))
    args = {"do": "push", "config": str(config), "look": True}
    told = run_task(args, "leaf01", SonicWays(Fixed()), check=False)
    assert (told["changed"], told["failed"]) == (False, False)
    assert told["nettool"]["outcome"] == outcome
    assert told["nettool"]["looked"] is True
    assert "diff" not in told
    assert len(json.dumps(told)) < 300


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({}, "refused"),
        ({"address": "192.0.2.1"}, "refused"),
        ({"address": "192.0.2.1", "allow_unverified": "false"}, "refused"),
        ({"address": "192.0.2.1", "allow_unverified": True}, "would change"),
        ({"address": "127.0.1.1"}, "would change"),
    ],
)
def test_what_nobody_has_proved_leaves_this_machine_only_when_asked(tmp_path, more, outcome):
    config = tmp_path / "devices" / "leaf01" / "config_db.json"
    config.parent.mkdir(parents=True)
    config.write_text('{"PORT": {"E": {"mtu": "9216", "lanes": "1"}}}')
    (tmp_path / "unverified.json").write_text('{"devices": {"leaf01": ["roce on"]}}')
    args = {"do": "push", "config": str(config), "look": True, **more}
    told = run_task(args, "leaf01", SonicWays(Fixed()), check=False)
    assert (told["nettool"]["outcome"], told["failed"]) == (outcome, outcome == "refused")


class GoneError(Exception):
    """Ansible's word for unreachable."""


class Connection:
    """What an Ansible connection does."""

    def __init__(self, answer=(0, b"out", b"err"), seconds=0.0, error=None):
        self.answer, self.seconds, self.error, self.given = answer, seconds, error, []

    def exec_command(self, cmd, in_data=None, sudoable=True):
        self.given.append((cmd, in_data, sudoable))
        time.sleep(self.seconds)
        if self.error:
            raise self.error
        return self.answer

    def reset(self):
        self.given.append("reset")


def test_a_command_goes_through_ansibles_connection():
    connection = Connection()
    transport = AnsibleTransport(connection, "leaf01", (GoneError,))
    assert transport.run("show version", stdin="x") == Reply(0, "out", "err")
    transport.reconnect()
    assert connection.given == [("show version", b"x", False), "reset"]


@pytest.mark.parametrize(
    ("connection", "message"),
    [
        (Connection(seconds=5), "leaf01: no answer to 'show version' in 0 s"),
        (Connection(error=GoneError("Warning: x\nno route to host\n")), "leaf01: no route to host"),
    ],
)
def test_what_cannot_be_had_is_named(connection, message):
    with pytest.raises(DeviceError, match=message):
        AnsibleTransport(connection, "leaf01", (GoneError,)).run("show version", timeout=0.1)
