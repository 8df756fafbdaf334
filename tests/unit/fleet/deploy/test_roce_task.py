"""The Easy RoCE task: variables of the inventory in, one honest result out."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from nettool.fleet.deploy.roce_task import run_roce_task
from nettool.fleet.deploy.runner import environment
from tests.unit.fleet.conftest import SECRET

ROOT = Path(__file__).parents[4]
P5 = {"name": "p5", "mode": "lossless", "cable-length": "CABLE_5m", "incast-level": "medium"}


@pytest.fixture
def config(tmp_path):
    def write(trust="published"):
        path = tmp_path / "build" / "devices" / "leaf01" / "roce.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"requests": [{"body": P5, "trust": trust}]}))
        return path

    return write


def variables(site, **fields):
    return {
        "ansible_host": "127.0.0.1", "nettool_rest_port": site.server.port,
        "nettool_rest_authorization": SECRET, "nettool_rest_ca": str(site.authority.ca), **fields,
    }  # fmt: skip


def run(site, path, *, check=False, args=(), **fields):
    given = {"config": str(path), **dict(args)}
    return run_roce_task(given, "leaf01", variables(site, **fields), check=check)


def test_changed_once_then_not(rest, config):
    path = config()
    checked = run(rest, path, check=True)
    assert (checked["changed"], checked["failed"]) == (True, False)
    assert rest.server.writes() == []
    first, second = run(rest, path), run(rest, path)
    assert (first["changed"], second["changed"]) == (True, False)
    assert "p5" in first["diff"][0]["prepared"]
    assert SECRET not in json.dumps([checked, first, second])


FAULTS = {
    "not a boolean": (
        {"nettool_rest_insecure": "perhaps"},
        "nettool_rest_insecure is true or false, not 'perhaps'",
    ),
    "no number": ({"nettool_rest_port": "https"}, "nettool_rest_port is a number, not 'https'"),
    "not trusted": ({"nettool_rest_ca": ""}, "its certificate is not trusted"),
    "not let in": ({"nettool_rest_authorization": "x"}, "does not accept the authorization"),
}


@pytest.mark.parametrize(("fields", "message"), FAULTS.values(), ids=FAULTS)
def test_a_wrong_variable_fails_with_a_sentence(rest, config, fields, message):
    told = run(rest, config(), **fields)
    assert told["failed"]
    assert not told["changed"]
    assert message in told["msg"]
    assert rest.server.writes() == []


@pytest.mark.parametrize("given", [True, "true", "Yes"])
def test_insecure_on_purpose(rest, config, given):
    told = run(rest, config(), nettool_rest_ca="", nettool_rest_insecure=given)
    assert told["changed"]


def test_what_no_page_shows_goes_to_loopback_only(rest, config):
    path = config("unverified")
    told = run(rest, path, ansible_host="192.0.2.1")
    assert told["nettool"]["outcome"] == "refused"
    assert "no public page shows the form of p5" in told["msg"]
    assert run(rest, path)["changed"]


@pytest.mark.parametrize(
    ("text", "message"), [("[", "not JSON"), ("{}", "is no roce.json of `nettool render`")]
)
def test_a_file_that_is_none(rest, config, text, message):
    path = config()
    path.write_text(text)
    assert message in run(rest, path)["msg"]


def test_an_unknown_argument(rest, config):
    assert "unknown argument 'insecure'" in run(rest, config(), args=[("insecure", True)])["msg"]


@pytest.fixture
def play(rest, config, tmp_path):
    """The playbook on leaf01, and on whom else is given: its exit status and what it said."""
    path = config()

    def run_playbook(*words, **others):
        for name in others:
            copy, text = path.parents[1] / name / path.name, path.read_text()
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(text)
        hosts = {"leaf01": variables(rest), **others}
        inventory = tmp_path / "inventory.json"
        inventory.write_text(json.dumps({"all": {"hosts": hosts}}))
        command = [
            "ansible-playbook", "-i", str(inventory), str(ROOT / "playbooks" / "roce.yml"),
            "--diff", "-vvv", "-e", f"nettool_build={path.parents[2]}", *words,
        ]  # fmt: skip
        done = subprocess.run(
            command,
            env={**os.environ, **environment()},
            capture_output=True,
            text=True,
            check=False,
        )
        assert SECRET not in done.stdout + done.stderr
        return done.returncode, done.stdout + done.stderr

    return run_playbook


def shown(said):
    """How often the difference was shown."""
    return sum(line.startswith("    + p5") for line in said.splitlines())


def test_the_playbook(rest, play):
    status, said = play("--check")
    assert (status, "changed=1" in said, shown(said)) == (0, True, 1), said
    assert rest.server.profiles == {}
    status, said = play()
    assert (status, "changed=1" in said, shown(said)) == (0, True, 1), said
    assert rest.server.profiles == {"p5": P5}
    status, said = play()
    assert (status, "changed=0" in said) == (0, True), said


def test_the_playbook_takes_the_secret_from_the_environment(rest, play, monkeypatch):
    asked = {"nettool_rest_authorization": "{{ lookup('ansible.builtin.env', 'ROCE_SECRET') }}"}
    status, said = play(leaf01={**variables(rest), **asked})
    assert (status, "does not accept the authorization" in said) == (2, True), said
    monkeypatch.setenv("ROCE_SECRET", SECRET)
    status, said = play(leaf01={**variables(rest), **asked})
    assert (status, rest.server.profiles) == (0, {"p5": P5}), said


def test_the_playbook_looks_at_all_before_it_writes_to_one(rest, play):
    stranger = {**variables(rest), "nettool_rest_ca": ""}
    status, said = play(leaf02=stranger)
    assert status == 2
    assert "its certificate is not trusted" in said
    assert rest.server.writes() == []
