"""A push to a switch with tables that SONiC has no model of, a vendor's own."""

import copy

import pytest

from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import SwitchSpec
from tests.unit.fleet.deploy.conftest import OLD, SCALE, OneSwitch

TABLE = {"a": {"f": "1"}}
NAMED = "left alone: MY_TABLE (1 row), SONiC has no model of it"


@pytest.fixture
def foreign():
    """A switch with one such row, and a target that has none."""
    config = {**copy.deepcopy(OLD), "MY_TABLE": TABLE}
    with MockFleet([SwitchSpec("leaf01", config=config)], scale=SCALE) as fleet:
        switch = OneSwitch(fleet)
        switch.new.pop("MY_TABLE")
        yield switch


@pytest.mark.parametrize("fields", [{"check": True}, {"look": True}, {}])
def test_rows_that_only_the_switch_has_stay_and_are_named(foreign, fields):
    told = foreign.push(**fields)
    assert told.outcome is (Outcome.WOULD_CHANGE if fields else Outcome.CHANGED)
    assert (told.way, told.notes, told.as_json()["left_alone"]) == (
        "patch",
        (NAMED,),
        {"MY_TABLE": 1},
    )
    assert {each.table for each in told.changes.changes} == {"PORT", "WRED_PROFILE"}
    assert foreign.handle.running()["MY_TABLE"] == TABLE


def test_a_second_push_writes_nothing_and_names_them_still(foreign):
    foreign.push()
    again = foreign.push("r2")
    assert (again.outcome, again.notes) == (Outcome.UNCHANGED, (NAMED,))


@pytest.mark.parametrize("look", [True, False])
def test_rows_of_the_target_are_refused_before_anything_is_sent(foreign, look):
    wanted = {**foreign.new, "MY_TABLE": {"b": {"f": "1"}}}
    told = foreign.push(intended=wanted, look=look)
    assert told.outcome is Outcome.REFUSED
    assert told.message == (
        "this needs a config reload, which drops all traffic "
        "(MY_TABLE cannot be changed live: SONiC has no model of it): --consent reload"
    )
    assert foreign.handle.writes() == []


def test_with_consent_they_are_written_by_a_reload(foreign):
    wanted = {**foreign.new, "MY_TABLE": {"b": {"f": "1"}}}
    told = foreign.push(intended=wanted, consent=frozenset({"reload"}))
    assert (told.outcome, told.way) == (Outcome.CHANGED, "install")
    assert foreign.handle.running()["MY_TABLE"] == {**TABLE, "b": {"f": "1"}}
    assert foreign.push("r2", intended=wanted).outcome is Outcome.UNCHANGED


def test_such_a_reload_is_taken_back_to_what_ran_and_was_saved(foreign):
    foreign.handle.inject(Fault("^sudo config reload -y -f /dev/stdin", "status", status=2))
    wanted = {**foreign.new, "MY_TABLE": {"b": {"f": "1"}}}
    told = foreign.push(intended=wanted, consent=frozenset({"reload"}))
    assert told.outcome is Outcome.ROLLED_BACK, told
    assert foreign.is_old()


def test_a_switch_without_such_tables_is_told_nothing_of_them(switch):
    told = switch.push(check=True)
    assert told.notes == ()
    assert "left_alone" not in told.as_json()
