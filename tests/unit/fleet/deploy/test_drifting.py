"""A look at a fleet for drift: what an ended playbook comes to, its exit code, what is kept."""

import json

import pytest

from nettool.core.written import aside_of
from nettool.fleet.deploy.drifting import judged, kept
from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.pushed import Pushed
from nettool.fleet.deploy.runner import Played
from nettool.fleet.deploy.task import told

CLEAN = {
    "device": "leaf01", "looked_at": True, "changes": [], "unsaved": [], "passing": [],
    "guard": None, "unread": {}, "notes": [],
}  # fmt: skip
CHANGE = {
    "op": "replace", "table": "PORT", "key": "Ethernet0", "field": "mtu", "before": "1500",
    "after": "9216", "cause": "changed on the switch", "impact": "paths", "severity": "error",
    "why": "frames are dropped", "source": "a page", "trust": "published",
}  # fmt: skip
BROKEN = {**CLEAN, "changes": [CHANGE]}
NAMED = {**CLEAN, "changes": [{**CHANGE, "impact": "cosmetic", "severity": "info"}]}
SHARED = {**CLEAN, "changes": [{**CHANGE, "impact": "shares", "severity": "warning"}]}
AHEAD = {**CLEAN, "changes": [{**CHANGE, "cause": "the intent is ahead", "severity": "info"}]}
UNSAVED = {**CLEAN, "unsaved": [CHANGE]}
DEAD = told(Result("leaf01", Outcome.UNREACHABLE, "leaf01: connection refused"))["nettool"]
BARE = {"outcome": "failed, nothing changed", "message": "module crashed"}
CODES = [
    # what the task told; exit code plain, with --strict, with --exit-code
    (CLEAN, (0, 0, 0)),
    (AHEAD, (0, 0, 2)),
    (NAMED, (0, 0, 2)),
    (SHARED, (0, 3, 2)),
    (BROKEN, (1, 1, 2)),
    (UNSAVED, (1, 1, 2)),
    (DEAD, (4, 4, 4)),
    (BARE, (4, 4, 4)),
    ({**BROKEN, "looked_at": False}, (4, 4, 4)),
    (None, (4, 4, 4)),
]


def ended(result):
    return Played("failed", 2, {} if result is None else {"leaf01": result}, "")


def look(tmp_path, result):
    found = judged({"leaf01": Pushed("r7", tmp_path)}, ended(result))
    (tmp_path / "r9").mkdir(exist_ok=True)
    return kept(tmp_path / "r9", found, "r9")


@pytest.mark.parametrize(("result", "codes"), CODES)
def test_an_exit_code_for_every_end(tmp_path, result, codes):
    found = look(tmp_path, result)
    ways = ({}, {"strict": True}, {"strict": True, "differences": True})
    assert tuple(found.exit_code(**each) for each in ways) == codes


def test_a_switch_that_was_not_looked_at_is_named_with_the_reason(tmp_path):
    (found,) = look(tmp_path, DEAD).report.findings
    assert (found.rule, found.device) == ("DRF000", "leaf01")
    assert found.message == "not looked at: unreachable: connection refused"


def test_what_was_found_is_kept(tmp_path):
    found = look(tmp_path, BROKEN)
    told = json.loads((tmp_path / "r9" / "drift.json").read_text())
    assert told == json.loads(json.dumps(found.as_json()))
    assert told["devices"][0]["last_push"] == "r7"
    assert told["summary"]["folder"] == str(tmp_path / "r9")
    assert told["summary"]["drifted"] == 1


def test_a_look_that_found_nothing_leaves_nothing(tmp_path):
    assert look(tmp_path, CLEAN).report.summary["folder"] is None
    assert not (tmp_path / "r9").exists()


def test_a_full_disk_hides_nothing(tmp_path):
    (tmp_path / "r9").mkdir()
    aside_of(tmp_path / "r9" / "drift.json", "new").symlink_to("/dev/full")
    found = look(tmp_path, BROKEN)
    assert [each.rule for each in found.report.findings] == ["DRF002"]
    assert found.report.summary["not_kept"].endswith("No space left on device")
    assert found.exit_code() == 1


def test_why_nobody_knows_the_last_push_is_told(tmp_path):
    found = judged({"leaf01": Pushed("", None, "no push of it is recorded here")}, ended(CLEAN))
    assert found.unpushed == {"leaf01": "no push of it is recorded here"}
    assert found.runs == {}
