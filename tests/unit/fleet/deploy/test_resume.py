"""Going on with a broken-off push: only on the same build, only where it is not done."""

import json

import pytest

from nettool.core.errors import RefusedError, UsageError
from nettool.fleet.deploy.outcome import HostResult, Outcome, PushReport
from nettool.fleet.deploy.record import begun_run, build_hash, keep_report
from nettool.fleet.deploy.resume import begun
from nettool.fleet.deploy.runner import Play

HOSTS = ("leaf01", "leaf02", "leaf03", "leaf04")


@pytest.fixture
def build(made_build):
    return made_build(HOSTS)


def begin(tmp_path, build, run, ended=(), *, check=False, done=(), playbook="push"):
    play = Play(playbook, (), run, tmp_path / "runs" / run, check=check)
    report = PushReport(run, tuple(HostResult(each, Outcome.NOT_STARTED) for each in HOSTS))
    order = {"name": "small", "hash": build_hash(build), "done": list(done)}
    with begun_run(play, report, order):
        pass
    lines = [{"device": device, "event": event} for device, event in ended]
    (play.folder / "state.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    return play.folder


def test_what_is_done_is_done_and_the_rest_is_left(tmp_path, build):
    ended = [
        ("leaf01", "start"), ("leaf01", "changed"), ("leaf02", "start"), ("leaf02", "unknown"),
        ("leaf03", "start"),
    ]  # fmt: skip
    begin(tmp_path, build, "r1", ended)
    found = begun(tmp_path / "runs", "small", build)
    assert (found.run, found.done) == ("r1", ("leaf01",))
    assert found.left == ("leaf02", "leaf03", "leaf04")


def test_a_resumed_push_can_be_resumed(tmp_path, build):
    begin(tmp_path, build, "r1", [("leaf01", "changed")])
    begin(tmp_path, build, "r2", [("leaf02", "changed")], done=["leaf01"])
    assert begun(tmp_path / "runs", "small", build).left == ("leaf03", "leaf04")


def test_a_rolled_back_switch_is_left(tmp_path, build):
    begin(tmp_path, build, "r1", [("leaf01", "changed"), ("leaf01", "rolled back")])
    assert "leaf01" in begun(tmp_path / "runs", "small", build).left


def test_what_was_rolled_back_since_is_left(tmp_path, build):
    begin(tmp_path, build, "r1", [("leaf01", "changed"), ("leaf02", "changed")])
    folder = begin(tmp_path, build, "r2", [("leaf01", "changed")], playbook="rollback")
    # a rollback that was cut may have come further than its log
    assert begun(tmp_path / "runs", "small", build).done == ()
    keep_report(folder, PushReport("r2", (HostResult("leaf01", Outcome.CHANGED),)))
    found = begun(tmp_path / "runs", "small", build)
    assert (found.run, found.done) == ("r1", ("leaf02",))


def test_the_last_line_may_be_cut(tmp_path, build):
    folder = begin(tmp_path, build, "r1", [("leaf01", "changed")])
    with (folder / "state.jsonl").open("a") as file:
        file.write('{"device": "leaf0')
    assert begun(tmp_path / "runs", "small", build).done == ("leaf01",)


def test_a_killed_controller_left_no_log_at_all(tmp_path, build):
    (begin(tmp_path, build, "r1") / "state.jsonl").unlink()
    assert begun(tmp_path / "runs", "small", build).left == HOSTS


def test_another_build_is_refused(tmp_path, build):
    begin(tmp_path, build, "r1", [("leaf01", "changed")])
    before = build_hash(build)
    (build / "devices" / "leaf04" / "config_db.json").write_text("{}")
    with pytest.raises(RefusedError, match=rf"run r1 pushed \(was {before[:12]}, is "):
        begun(tmp_path / "runs", "small", build)


def test_only_what_is_written_to_switches_is_hashed(tmp_path, build):
    before = build_hash(build)
    (build / "plan.json").write_text("{}")
    (build / "devices" / "leaf01" / "device.json").write_text("{}")
    assert build_hash(build) == before


def test_a_check_is_no_push_and_another_build_is_not_ours(tmp_path, build):
    begin(tmp_path, build, "r1", check=True)
    with pytest.raises(UsageError, match="there is nothing to resume"):
        begun(tmp_path / "runs", "small", build)
    begin(tmp_path, build, "r2")
    with pytest.raises(UsageError, match="there is nothing to resume"):
        begun(tmp_path / "runs", "other", build)
    with pytest.raises(UsageError, match="there is nothing to resume"):
        begun(tmp_path / "nowhere", "small", build)


def test_a_switch_that_was_not_asked_for_is_still_to_do(tmp_path, build):
    begin(tmp_path, build, "r1", [("leaf01", "changed")])
    found = begun(tmp_path / "runs", "small", build)
    assert found.to_do(["leaf01", "leaf02", "spine01"]) == ["leaf02", "spine01"]


def test_what_waited_to_be_confirmed_is_looked_at_again(tmp_path, build):
    begin(tmp_path, build, "r1", [("leaf01", "waits for confirm")])
    assert begun(tmp_path / "runs", "small", build).left == HOSTS
