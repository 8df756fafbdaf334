"""What is kept of a run: its own build, and what is known of it however it ended."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from nettool.core.errors import NettoolError, RefusedError
from nettool.fleet.deploy import record
from nettool.fleet.deploy.interrupts import end_children, stop_signals
from nettool.fleet.deploy.outcome import HostResult, Outcome, PushReport, worst
from nettool.fleet.deploy.record import begun_run, forget_build, keep_report, own_build, reports
from nettool.fleet.deploy.runner import Play, Played, environment, run_play

HOSTS = ("leaf01", "leaf02", "leaf03")
EMPTY = PushReport("r1", tuple(HostResult(each, Outcome.NOT_STARTED) for each in HOSTS))


@pytest.fixture
def build(made_build):
    folder = made_build(HOSTS)
    for name in HOSTS:
        (folder / "devices" / name / "device.json").write_text("{}")
    (folder / "unverified.json").write_text('{"devices": {}}')
    return folder


def play(tmp_path, run="r1", **fields):
    return Play("push", (), run, tmp_path / "runs" / run, **fields)


def test_a_run_reads_its_own_build_whatever_is_rendered_later(tmp_path, build):
    own = own_build(build, tmp_path / "runs" / "r1")
    (build / "devices" / "leaf01" / "config_db.json").write_text("{}")
    kept = own / "devices" / "leaf01"
    assert json.loads((kept / "config_db.json").read_text()) == {"PORT": {"leaf01": {}}}
    assert sorted(each.name for each in kept.iterdir()) == ["config_db.json", "device.json"]
    assert (own / "unverified.json").is_file()
    assert own_build(own, tmp_path / "runs" / "r1") == own
    assert (tmp_path / "runs" / "r1").stat().st_mode & 0o077 == 0


def test_a_build_that_is_rendered_while_it_is_read_is_refused(tmp_path, build, monkeypatch):
    hashes = iter(("before", "after"))
    monkeypatch.setattr(record, "build_hash", lambda _build: next(hashes))
    with pytest.raises(RefusedError, match="was rendered again while it was read: push again"):
        own_build(build, tmp_path / "runs" / "r1")
    assert not (tmp_path / "runs" / "r1" / "build").exists()


def test_no_room_is_told_before_anything_is_sent(tmp_path, build):
    (tmp_path / "runs").write_text("a file in the way")
    with pytest.raises(NettoolError, match="nothing was changed"):
        own_build(build, tmp_path / "runs" / "r1")
    with (
        pytest.raises(NettoolError, match="nothing was changed"),
        begun_run(play(tmp_path), EMPTY, {}),
    ):
        pytest.fail("it began")


def test_a_run_is_known_from_its_beginning_and_after_it_was_cut(tmp_path):
    folder = play(tmp_path).folder
    with begun_run(play(tmp_path), EMPTY, {}):
        lines = (("leaf01", "start"), ("leaf01", "changed"), ("leaf02", "start"))
        text = "".join(json.dumps({"device": d, "event": e}) + "\n" for d, e in lines)
        (folder / "state.jsonl").write_text(text + '{"device": "leaf0')
        assert reports(tmp_path / "runs")[0]["state"] == "running"
    cut = reports(tmp_path / "runs")[0]
    assert (cut["state"], cut["exit_code"]) == ("interrupted", 4)
    assert [each["outcome"] for each in cut["devices"]] == ["changed", "unknown", "not started"]
    assert cut["summary"]["changed"] == 1
    keep_report(folder, EMPTY)
    assert "state" not in reports(tmp_path / "runs")[0]


@pytest.mark.parametrize(("check", "stays"), [(False, True), (True, False)])
def test_only_a_push_keeps_its_build(tmp_path, build, check, stays):
    asked = play(tmp_path, check=check)
    own = own_build(build, asked.folder)
    with begun_run(asked, EMPTY, {}):
        pass
    forget_build(asked.folder)
    assert own.exists() is stays
    assert asked.folder.exists()


def test_a_run_that_never_began_leaves_nothing(tmp_path, build):
    folder = own_build(build, tmp_path / "runs" / "r1").parent
    forget_build(folder)
    assert not folder.exists()


STOPPED = [
    ({Outcome.CHANGED, Outcome.NOT_STARTED}, 4),
    ({Outcome.UNCHANGED, Outcome.NOT_STARTED}, 4),
    ({Outcome.NOT_STARTED}, 4),
    ({Outcome.FAILED, Outcome.NOT_STARTED}, 1),
    ({Outcome.ROLLED_BACK, Outcome.NOT_STARTED}, 5),
    ({Outcome.CHANGED}, 0),
    (set(), 0),
]


@pytest.mark.parametrize(("outcomes", "code"), STOPPED)
def test_what_was_not_started_alone_makes_a_push_partial(outcomes, code):
    assert worst(outcomes) == code


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.usefixtures("of_a_terminal")
def test_a_signal_asks_to_stop_and_ends_nothing(number):
    before = signal.getsignal(number)
    with stop_signals() as stop:
        assert not stop.is_asked()
        os.kill(os.getpid(), number)
        os.kill(os.getpid(), signal.SIGTERM)
        assert (stop.is_asked(), stop.by) == (True, number.name)
    assert signal.getsignal(number) is before


def test_an_ignored_hangup_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stop_signals() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stop.is_asked()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_outside_the_main_thread_no_signal_is_taken():
    seen = []
    before = signal.getsignal(signal.SIGINT)

    def work():
        with stop_signals():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]


def test_who_works_in_a_scratch_folder_is_ended_and_nobody_else(tmp_path):
    sleep = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"]
    inside, outside = (
        subprocess.Popen(
            sleep, stdout=subprocess.PIPE, start_new_session=True,
            env={**os.environ, "SCRATCH": f"{tmp_path}/{folder}/x"},
        )
        for folder in ("mine", "mine-not")
    )  # fmt: skip
    try:
        for each in (inside, outside):
            each.stdout.readline()
        threading.Thread(target=inside.wait).start()
        end_children(f"{tmp_path}/mine")
        assert inside.wait(5) == -signal.SIGKILL
        assert outside.poll() is None
    finally:
        outside.kill()
        for each in (inside, outside):
            each.wait()
            each.stdout.close()


HELD = """
import sys, time
from nettool.fleet.deploy.interrupts import survived
with survived(sys.argv[1]):
    print(flush=True)
    {then}
"""


@pytest.mark.parametrize(
    ("then", "code", "is_left"),
    [("pass", 0, True), ("raise SystemExit(3)", 3, True), ("time.sleep(60)", -9, False)],
    ids=["ended", "failed", "killed"],
)
def test_a_scratch_folder_is_cleared_where_its_owner_is_killed_alone(tmp_path, then, code, is_left):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-c", HELD.format(then=then), str(scratch)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as owner:
        owner.stdout.readline()
        if not is_left:
            owner.kill()
        assert owner.wait(20) == code
    deadline = time.monotonic() + 10
    while scratch.exists() and time.monotonic() < deadline * (not is_left):
        time.sleep(0.02)
    assert scratch.exists() == is_left


def test_no_room_for_the_runners_own_files_is_a_run_that_failed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    asked = Play("diff", (), "r1", tmp_path / "runs" / "r1")
    ended = run_play(asked)
    assert isinstance(ended, Played)
    assert (ended.status, ended.rc, dict(ended.results)) == ("failed", 1, {})
    assert "nowhere/nt-" in ended.message
    assert ended.message.endswith(": No such file or directory")


def test_ansible_runs_in_utf_8_whatever_the_caller_speaks(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    assert environment()["LC_ALL"] == "C.UTF-8"


def _kept(runs, run, playbook, **outcomes):
    folder = runs / run
    folder.mkdir()
    rows = [{"device": name, "outcome": str(each)} for name, each in outcomes.items()]
    counts = {str(each): list(outcomes.values()).count(each) for each in outcomes.values()}
    told = {
        "run": run,
        "exit_code": 0,
        "devices": rows,
        "summary": {"playbook": playbook, **counts},
    }
    (folder / "report.json").write_text(json.dumps(told))


def test_a_push_that_waited_says_what_the_confirm_after_it_found(tmp_path):
    waits, kept, back = Outcome.PENDING, Outcome.CHANGED, Outcome.ROLLED_BACK
    _kept(tmp_path, "1", "push", leaf01=waits, leaf02=waits)
    _kept(tmp_path, "2", "confirm", leaf01=back, leaf02=back)
    _kept(tmp_path, "3", "push", leaf01=waits, leaf02=waits, leaf03=waits)
    _kept(tmp_path, "4", "confirm", leaf01=kept, leaf02=back, leaf03=Outcome.UNREACHABLE)
    _kept(tmp_path, "5", "push", leaf01=waits)
    found = {each["run"]: each["summary"] for each in reports(tmp_path)}
    assert found["5"] == {"playbook": "push", str(waits): 1}
    assert found["3"] == {"playbook": "push", str(kept): 1, str(back): 1, str(waits): 1}
    assert found["1"] == {"playbook": "push", str(back): 2}
