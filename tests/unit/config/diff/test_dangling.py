"""Rows that are left alone are never left naming what goes."""

import pytest

from nettool.config.diff.dangling import dangling
from nettool.config.diff.meaning import meaning_of
from nettool.config.diff.plan import plan_update
from nettool.config.diff.plan_text import plans_as_json, plans_as_text
from nettool.config.diff.tables import diff_tables
from nettool.fleet.deploy.refusals import by_hand

PORTS = {"PORT": {name: {"lanes": "1"} for name in ("Ethernet0", "Ethernet4", "Ethernet8")}}
FEWER = {"PORT": {"Ethernet0": {"lanes": "1"}}}

KEPT = {
    "a list": (
        {"ACL_TABLE": {"OPS": {"ports": ["Ethernet0", "Ethernet4", "Ethernet8"]}}},
        ("ACL_TABLE|OPS ports names Ethernet4, Ethernet8, which go: take it out there first",),
    ),
    "a list in one text": (
        {"MIRROR_SESSION": {"M": {"src_port": "Ethernet0,Ethernet4", "dst_port": "CPU"}}},
        ("MIRROR_SESSION|M src_port names Ethernet4, which goes: take it out there first",),
    ),
    "what a rule matches": (
        {"ACL_RULE": {"OPS|R": {"IN_PORTS": "Ethernet0,Ethernet8", "PRIORITY": "9"}}},
        ("ACL_RULE|OPS|R IN_PORTS names Ethernet8, which goes: take it out there first",),
    ),
    "a key": (
        {"SFLOW_SESSION": {"Ethernet4": {"sample_rate": "1"}, "Ethernet0": {}}},
        ("SFLOW_SESSION|Ethernet4 is of Ethernet4, which goes: remove that row first",),
    ),
    "any field of a table without a model": (
        {"UNKNOWN_T": {"r": {"port": "Ethernet8"}}},
        ("UNKNOWN_T|r port names Ethernet8, which goes: take it out there first",),
    ),
    "a far end's port is no reference": (
        {"DEVICE_NEIGHBOR": {"Ethernet0": {"name": "spine01", "port": "Ethernet4"}}},
        (),
    ),
    "what stays": ({"ACL_TABLE": {"OPS": {"ports": ["Ethernet0"]}}}, ()),
}


@pytest.mark.parametrize(("rows", "told"), KEPT.values(), ids=KEPT)
def test_what_would_dangle(rows, told):
    assert dangling({**PORTS, **rows}, {**FEWER, **rows}) == told


def test_a_row_that_comes_with_the_intent_is_not_somebodys():
    acl = {"ACL_TABLE": {"NEW": {"ports": ["Ethernet4"]}}}
    assert dangling(PORTS, {**FEWER, **acl}) == ()


@pytest.fixture
def plan():
    """What a push plans where operators bound an ACL to ports that go."""
    running = {**PORTS, "ACL_TABLE": {"OPS": {"ports": ["Ethernet4"]}}}
    changes = diff_tables("leaf01", running, FEWER, owned=meaning_of(on_switch=True))
    return plan_update(changes, running)


SAID = "ACL_TABLE|OPS ports names Ethernet4, which goes: take it out there first"


def test_a_plan_is_blocked_by_it(plan):
    assert plan.blocked == (SAID,)
    assert by_hand(plan) == SAID


def test_it_is_the_first_step_of_the_plan(plan):
    first = plan.steps[0]
    assert (first.do, first.title, first.why) == ("hand", SAID, "by hand, before the push")
    assert [each.do for each in plan.steps[1:]] == ["patch"]


def test_a_blocked_plan_says_so_before_all_else(plan):
    assert plans_as_text({"leaf01": plan}).splitlines()[1] == f"  blocked: {SAID}"
    assert plans_as_json({"leaf01": plan})[0]["blocked"] == [SAID]
