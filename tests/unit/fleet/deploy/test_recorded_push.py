"""The push that is kept or undone, found by the fabric's file where that cannot be read."""

import json

import pytest

from nettool.core.errors import UsageError
from nettool.fleet.deploy.undoing import recorded_push


@pytest.fixture
def runs(tmp_path):
    return tmp_path / "runs"


def keep(runs, run, outcome="changed", *, inventory=True, **order):
    """A push as it is recorded, by default of the fabric `small` in the folder `here`."""
    folder = runs / run
    (folder / "build").mkdir(parents=True)
    source = str(runs.parent / "here" / "fabric.yaml")
    asked = {"playbook": "push", "check": False, "name": "small", "source": source, **order}
    kept = {name: value for name, value in asked.items() if value is not None}
    (folder / "order.json").write_text(json.dumps(kept))
    told = {"devices": [{"device": "leaf01", "outcome": outcome}]}
    (folder / "report.json").write_text(json.dumps(told))
    if inventory:
        (folder / "build" / "inventory.yaml").write_text("all: {}")


def found(runs, of="", folder="here"):
    push = recorded_push(runs, runs.parent / folder / "fabric.yaml", of)
    return push and push.run


def test_the_last_push_that_did_something(runs):
    keep(runs, "r1")
    keep(runs, "r2")
    keep(runs, "r3", "unchanged")
    assert (found(runs), found(runs, "r1")) == ("r2", "r1")


def test_where_none_did_anything_the_last_one_names_the_switches(runs):
    keep(runs, "r1", "unchanged")
    keep(runs, "r2", "unchanged")
    assert found(runs) == "r2"


@pytest.mark.parametrize(
    "other",
    [
        {"source": "/elsewhere/here/fabric.yaml"},
        {"check": True},
        {"playbook": "rollback"},
        {"inventory": False},
        {"source": None, "name": "small"},
    ],
    ids=lambda row: next(iter(row)),
)
def test_what_is_no_push_of_this_file(runs, other):
    keep(runs, "r1", **other)
    assert found(runs) is None
    with pytest.raises(UsageError, match="no push 'r1' is recorded"):
        found(runs, "r1")


def test_a_record_that_names_no_file_is_known_by_a_name_that_is_the_folders(runs):
    keep(runs, "r1", source=None, name="here")
    assert (found(runs), found(runs, folder="there")) == ("r1", None)
