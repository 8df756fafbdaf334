"""What was last pushed to a switch and stayed, by the records of runs: a row a history."""

import json

import pytest

from nettool.fleet.deploy.pushed import last_pushed

FILE = "config_db.json"


@pytest.fixture
def runs(tmp_path):
    return tmp_path / "runs"


def keep(runs, run, outcome, playbook="push", of="", *, state="", **order):
    """One run of the fabric `small` on leaf01, as it is recorded."""
    folder = runs / run
    (folder / "build" / "devices" / "leaf01").mkdir(parents=True)
    asked = {
        "playbook": playbook,
        "check": False,
        "name": "small",
        "hosts": ["leaf01"],
        "of": of,
        **order,
    }
    (folder / "order.json").write_text(json.dumps(asked))
    told = {"devices": [{"device": "leaf01", "outcome": outcome}] if outcome else []}
    (folder / "report.json").write_text(json.dumps({**told, "state": state} if state else told))
    (folder / "build" / "devices" / "leaf01" / FILE).write_text("{}")


BACK, KEPT = "rollback", "confirm"
HISTORIES = [
    # runs in order: outcome, playbook, what it undoes; then the run that holds, or why none does
    ([], "no push of it is recorded here"),
    ([("changed",)], "r1"),
    ([("changed",), ("unchanged",)], "r2"),
    ([("changed",), ("changed, far end worse",)], "r2"),
    ([("changed",), ("failed, nothing changed",)], "r1"),
    ([("changed",), ("refused",)], "r1"),
    ([("changed",), ("rolled back",)], "r1"),
    ([("changed",), ("unreachable",)], "r1"),
    ([("changed",), ("not started",)], "r1"),
    ([("changed",), ("unknown",)], "how run r2 ended on it is not known here"),
    ([("changed",), ("ROLLBACK FAILED",)], "how run r2 ended on it is not known here"),
    ([("changed",), ("waits for confirm",)], "how run r2 ended on it is not known here"),
    ([("changed",), ("waits for confirm",), ("changed", KEPT)], "r2"),
    ([("changed",), ("waits for confirm",), ("rolled back", KEPT)], "r1"),
    ([("changed",), ("changed",), ("changed", BACK, "r2")], "r1"),
    ([("changed",), ("changed",), ("changed", BACK, "r1")], "no push of it is recorded here"),
    ([("changed",), ("changed", BACK, "r1"), ("changed",)], "r3"),
    ([("changed",), ("refused", BACK, "r1")], "r1"),
    ([("changed",), ("ROLLBACK FAILED", BACK, "r1")], "how run r1 ended on it is not known here"),
    ([("changed",), ("", BACK, "r1")], "r1"),
]


@pytest.mark.parametrize(("history", "holds"), HISTORIES)
def test_the_push_that_holds(runs, history, holds):
    for number, each in enumerate(history, 1):
        keep(runs, f"r{number}", *each)
    found = last_pushed(runs, "small", {"leaf01": FILE})["leaf01"]
    assert (found.run if found.path else found.why) == holds
    if found.path:
        assert found.path == runs / holds / "build" / "devices" / "leaf01" / FILE


def test_a_push_that_was_cut_before_anything_was_noted_is_not_known(runs):
    keep(runs, "r1", "changed")
    keep(runs, "r2", "", state="running")
    found = last_pushed(runs, "small", {"leaf01": FILE})["leaf01"]
    assert (found.path, found.why) == (None, "how run r2 ended on it is not known here")


def test_other_fabrics_switches_checks_and_dialects_do_not_count(runs):
    keep(runs, "r1", "changed", name="other")
    keep(runs, "r2", "would change", check=True)
    found = last_pushed(runs, "small", {"leaf01": FILE, "leaf02": FILE})
    assert {each.why for each in found.values()} == {"no push of it is recorded here"}
    keep(runs, "r3", "changed")
    found = last_pushed(runs, "small", {"leaf01": "asternos.cfg"})["leaf01"]
    assert (found.path, found.why) == (None, "the build of run r3 is not kept here")
