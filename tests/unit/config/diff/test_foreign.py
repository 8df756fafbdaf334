"""Tables that SONiC has no model of: left alone where only a switch has them, else by reload."""

import copy

import pytest

from nettool.config.diff.adopt import diff_running
from nettool.config.diff.foreign import (
    left_alone,
    left_alone_text,
    operators_own,
    operators_own_text,
)
from nettool.config.diff.plan import plan_update
from nettool.config.diff.tables import diff_tables
from tests.unit.fleet.deploy.test_breakout import OLD, halved

ROW, OTHER = {"f": "1"}, {"f": "2"}
LEFT = {
    "none": ({"VLAN": {"Vlan2": {}}}, {}, {}, ""),
    "an empty table": ({"MY_TABLE": {}}, {}, {}, ""),
    "one row": (
        {"MY_TABLE": {"a": ROW}},
        {},
        {"MY_TABLE": 1},
        "left alone: MY_TABLE (1 row), SONiC has no model of it",
    ),
    "beside rows of the intent": (
        {"MY_TABLE": {"a": ROW, "b": ROW, "c": ROW}},
        {"MY_TABLE": {"a": OTHER}},
        {"MY_TABLE": 2},
        "left alone: MY_TABLE (2 rows), SONiC has no model of it",
    ),
    "two tables": (
        {"Z_TABLE": {"a": ROW}, "MY_TABLE": {"a": ROW, "b": ROW}},
        {},
        {"MY_TABLE": 2, "Z_TABLE": 1},
        "left alone: MY_TABLE (2 rows), Z_TABLE (1 row), SONiC has no model of them",
    ),
}


@pytest.mark.parametrize(("running", "intended", "rows", "text"), LEFT.values(), ids=LEFT)
def test_rows_of_others_are_counted_and_named(running, intended, rows, text):
    assert left_alone(running, intended) == rows
    assert left_alone_text(rows) == text


@pytest.mark.parametrize(("running", "intended", "rows", "text"), LEFT.values(), ids=LEFT)
def test_they_are_no_difference_of_a_switch(running, intended, rows, text):
    changes, _ = diff_running("leaf01", running, intended)
    removed = {each.table for each in changes.changes if each.after is None}
    assert removed.isdisjoint(rows)


def test_between_two_intents_they_are_one():
    assert not diff_tables("leaf01", {"MY_TABLE": {"a": ROW}}, {}).is_empty


@pytest.mark.parametrize(
    ("running", "intended", "version", "reason"),
    [
        ({}, {"MY_TABLE": {"a": ROW}}, "", "MY_TABLE cannot be changed live: SONiC"),
        ({"MY_TABLE": {"a": ROW}}, {"MY_TABLE": {"a": OTHER}}, "", "MY_TABLE cannot be"),
        ({}, {"SAG": {"a": ROW}}, "202411.1", "SAG cannot be changed live: SONiC 202411"),
        ({}, {"MY_TABLE": {"a": ROW, "b": OTHER}}, "202211", "MY_TABLE cannot be"),
    ],
)
def test_what_the_intent_has_there_needs_a_reload(running, intended, version, reason):
    changes, _ = diff_running("leaf01", running, intended)
    found = plan_update(changes, running, version=version)
    assert found.way == "install"
    assert len(found.reasons) == 1
    assert found.reasons[0].startswith(reason)
    assert found.reasons[0].endswith("has no model of it")
    assert {each.label for each in found.changes} == {"refused"}


def test_a_table_of_this_release_is_patched():
    changes, _ = diff_running("leaf01", {}, {"SAG": {"a": ROW}})
    assert plan_update(changes, {}, version="master").way == "patch"


def test_cages_are_not_broken_out_beside_them():
    running = {**copy.deepcopy(OLD), "MY_TABLE": {"a": ROW}}
    changes, _ = diff_running("leaf01", running, halved())
    found = plan_update(changes, running, chip="marvell-teralynx")
    assert (found.way, found.reasons) == (
        "install",
        ("config interface breakout stops where MY_TABLE has rows (no SONiC model)",),
    )


OPERATORS = [
    ({"VLAN": {"Vlan2": {}}}, {}, ""),
    ({"ACL_RULE": {"T|R": ROW}}, {"ACL_RULE": {}}, ""),
    (
        {"USER": {"anna": ROW}, "ACL_RULE": {"T|1": ROW, "T|2": ROW}},
        {},
        "left to whoever runs it, not judged: ACL_RULE (2 rows), USER (1 row)",
    ),
]


@pytest.mark.parametrize(("running", "intended", "text"), OPERATORS)
def test_rows_of_operators_are_counted_and_named(running, intended, text):
    assert operators_own_text(operators_own(running, intended)) == text
