"""What a playbook tells: looks, beginnings and ends, whole lines or none, a sum before writing."""

import json
import resource
import subprocess
import sys

import pytest

from nettool.fleet.deploy.eventlog import EventLog

SONIC = {"task_action": "nettool_sonic", "task": "push"}
LOOKED = {"outcome": "would change", "looked": True, "impact": "link flap", "estimate_s": 12.2}
SAME = {"outcome": "unchanged", "looked": True, "impact": None}


def event(name, host="", play="Push", **told):
    data = {"host": host, "play": play, **SONIC, **({"res": {"nettool": told}} if told else {})}
    return {"event": name, "event_data": data}


def lines(folder):
    return [json.loads(line) for line in (folder / "state.jsonl").read_text().splitlines()]


@pytest.fixture
def said():
    return []


@pytest.fixture
def log(tmp_path, said):
    return EventLog(tmp_path, lambda *words: said.append(words))


def test_a_look_begins_nothing_and_is_summed_up_before_the_first_write(log, said, tmp_path):
    log.take(event("runner_on_start", "leaf01", "Look"))
    log.take(event("runner_on_ok", "leaf01", "Look", **LOOKED))
    log.take(event("runner_on_ok", "leaf02", "Look", **SAME))
    assert (log.started, log.results) == (set(), {})
    log.take({"event": "playbook_on_play_start", "event_data": {"name": "Push"}})
    log.take(event("runner_on_start", "leaf01"))
    log.take({"event": "playbook_on_stats", "event_data": {}})
    assert said == [
        ("leaf01", "looked", "would change (link flap, about 12 s)"),
        ("leaf02", "looked", "unchanged"),
        ("in all", "looked", "1 would change, 1 unchanged"),
        ("leaf01", "start", "push"),
    ]
    assert [each["event"] for each in lines(tmp_path)] == ["looked", "looked", "start"]


def test_a_switch_with_nothing_to_be_written_is_unchanged_once(log, said, tmp_path):
    log.take(event("runner_on_ok", "leaf01", "Look", **LOOKED))
    log.take(event("runner_on_ok", "leaf02", "Look", **SAME))
    for name in ("leaf01", "leaf02"):
        log.take(event("runner_on_start", name))
        log.take(event("runner_on_skipped", name))
        log.take(event("runner_on_skipped", name))
    assert list(log.results) == ["leaf02"]
    assert said[2:] == [
        ("leaf01", "start", "push"),
        ("leaf02", "start", "push"),
        ("leaf02", "unchanged", ""),
    ]
    assert lines(tmp_path)[-1]["event"] == "unchanged"


def test_a_check_begins_nothing_after_its_look(log, said):
    log.take(event("runner_on_ok", "leaf01", "Look", outcome="would change", message=""))
    log.take(event("runner_on_start", "leaf01"))
    log.take(event("runner_on_skipped", "leaf01"))
    assert (log.started, said) == (set(), [("leaf01", "would change", "")])
    assert log.results["leaf01"]["outcome"] == "would change"


def test_a_refused_look_is_a_result(log, said):
    log.take(event("runner_on_ok", "leaf01", "Look", **LOOKED))
    log.take(event("runner_on_failed", "leaf02", "Look", outcome="refused", message="held"))
    log.take({"event": "playbook_on_stats", "event_data": {}})
    assert (list(log.looked), list(log.results), log.started) == (["leaf01"], ["leaf02"], set())
    assert said[-1] == ("in all", "looked", "1 would change, 1 refused")


def test_a_log_that_cannot_be_written_loses_no_result(tmp_path):
    (tmp_path / "state.jsonl").mkdir()
    log = EventLog(tmp_path, None)
    log.take(event("runner_on_start", "leaf01"))
    log.take(event("runner_on_ok", "leaf01", outcome="changed", message=""))
    assert log.started == {"leaf01"}
    assert log.results["leaf01"]["outcome"] == "changed"
    assert log.unwritten.endswith("state.jsonl: Is a directory")


def test_a_line_that_found_no_room_comes_with_the_next_one(tmp_path):
    log = EventLog(tmp_path, None)
    (tmp_path / "state.jsonl").mkdir()
    log.take(event("runner_on_start", "leaf01"))
    assert log.unwritten
    (tmp_path / "state.jsonl").rmdir()
    log.take(event("runner_on_ok", "leaf01", outcome="changed", message=""))
    assert [each["event"] for each in lines(tmp_path)] == ["start", "changed"]
    assert log.unwritten == ""


LIMITED = """
import resource, signal, sys
from pathlib import Path
from nettool.fleet.deploy.eventlog import EventLog
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
log = EventLog(Path(sys.argv[1]), None)
for name in ("leaf01", "leaf02", "leaf03"):
    data = {"host": name, "task_action": "nettool_sonic", "task": "push", "play": "Push"}
    log.take({"event": "runner_on_start", "event_data": data})
print(log.unwritten)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="needs RLIMIT_FSIZE")
def test_no_half_a_line_is_left_where_room_ends(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip().endswith("state.jsonl: File too large")
    kept = lines(tmp_path)
    assert 0 < len(kept) < 3
    assert {each["event"] for each in kept} == {"start"}


COUNTED = [
    # how the time to confirm began, and the last word on the switch
    (
        {
            "nettool": {
                "outcome": "waits for confirm",
                "message": "goes back at noon",
                "due": "noon",
            }
        },
        {"outcome": "waits for confirm", "message": "goes back at noon", "due": "noon"},
    ),
    (
        {"nettool": {"outcome": "rolled back", "message": "went back at ten"}},
        {"outcome": "rolled back", "message": "went back at ten", "due": "ten"},
    ),
    (
        {"msg": "Traceback\nno such connection\n"},
        {"outcome": "unknown", "message": "no such connection", "due": "ten"},
    ),
]


@pytest.mark.parametrize(("result", "last"), COUNTED)
def test_the_time_to_confirm_changes_the_last_word_alone(log, said, result, last):
    pushed = {"outcome": "waits for confirm", "message": "goes back at ten", "due": "ten"}
    log.take(event("runner_on_ok", "leaf01", **pushed, diff="a line"))
    log.take(event("runner_on_start", "leaf01", "Time to confirm"))
    log.take(event("runner_on_start", "leaf02", "Time to confirm"))
    log.take(event("runner_on_skipped", "leaf02", "Time to confirm"))
    counted = event("runner_on_ok", "leaf01", "Time to confirm")
    counted["event_data"]["res"] = result
    log.take(counted)
    assert (log.results, log.started) == ({"leaf01": {**last, "diff": "a line"}}, set())
    assert said[-1] == ("leaf01", last["outcome"], last["message"])
