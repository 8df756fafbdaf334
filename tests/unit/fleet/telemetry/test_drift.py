"""Whose doing a difference is, and that no secret leaves with it."""

import json

import pytest

from nettool.config.diff.adopt import diff_running
from nettool.config.diff.tables import diff_tables
from nettool.core.finding import Severity
from nettool.fleet.telemetry.drift import Cause, Compared, drift_of, drift_of_json

PORT, NAME = "PORT", "Ethernet0"


def tables(mtu=None, **more):
    """A configuration with a port of this MTU, or without one."""
    row = {} if mtu is None else {"PORT": {NAME: {"mtu": mtu, **more}}}
    return {"CRM": {"Config": {"polling_interval": "300"}}, **row}


def compared(running, intended, pushed=None, saved=None):
    """One SONiC switch with these configurations."""
    return Compared(
        device="leaf01",
        nos="sonic",
        left=diff_running("leaf01", running, intended)[0],
        since=None if pushed is None else diff_running("leaf01", running, pushed)[0],
        unsaved=None if saved is None else diff_tables("leaf01", running, saved),
        restarted=None if saved is None else diff_running("leaf01", saved, intended)[0],
    )


CAUSES = [
    # running, intended, last pushed, cause
    ("1500", "9216", "9216", Cause.SWITCH),
    ("9100", "9216", "9100", Cause.INTENT),
    ("1500", "9216", "9100", Cause.BOTH),
    ("1500", "9216", None, Cause.UNKNOWN),
]


@pytest.mark.parametrize(("running", "intended", "pushed", "cause"), CAUSES)
def test_whose_doing_a_field_is(running, intended, pushed, cause):
    last = None if pushed is None else tables(pushed)
    (found,) = drift_of(compared(tables(running), tables(intended), last)).drifts
    assert found.cause is cause
    severity = Severity.INFO if cause is Cause.INTENT else Severity.ERROR
    assert found.severity is severity


ROWS = [
    # running, intended and last pushed MTU, None: no such row
    (None, "9216", "9216", [Cause.SWITCH]),
    (None, "9216", None, [Cause.INTENT]),
    ("9216", None, None, [Cause.SWITCH]),
    ("9216", None, "9216", [Cause.INTENT]),
    ("1500", "9216", None, [Cause.BOTH]),
    (None, "9216", "9100", [Cause.BOTH]),
]


@pytest.mark.parametrize(("running", "intended", "pushed", "causes"), ROWS)
def test_whose_doing_a_row_is(running, intended, pushed, causes):
    seen = compared(*(tables(each) for each in (running, intended, pushed)))
    assert [each.cause for each in drift_of(seen).drifts] == causes


def test_what_the_intent_took_over_is_no_drift():
    assert drift_of(compared(tables("1500"), tables("1500"), tables("9216"))).drifts == ()


def test_order_types_defaults_and_rows_of_others_are_no_drift():
    running = {
        **tables("9216", index=7, lanes="1"),
        "PORT_QOS_MAP": {NAME: {"pfc_enable": "4,3"}},
        "FEATURE": {"bgp": {"state": "enabled"}},
        "TACPLUS_SERVER": {"192.0.2.1": {"passkey": "CANARY"}},
        "BUFFER_PROFILE": {"pg_lossless_100000_5m_profile": {"xoff": "1", "pool": "p"}},
        "BUFFER_POOL": {"p": {"size": "1"}},
    }
    intended = {
        "PORT": {NAME: {"lanes": "1", "mtu": "9216", "autoneg": "off"}},
        "PORT_QOS_MAP": {NAME: {"pfc_enable": "3,4"}},
        "BUFFER_POOL": {"p": {"size": "1"}},
    }
    assert drift_of(compared(running, intended)).drifts == ()


def test_the_worst_comes_first():
    running = {
        "PORT": {NAME: {"description": "x", "lanes": "1"}},
        "SCHEDULER": {"s": {"weight": "5"}},
    }
    intended = {
        "PORT": {NAME: {"lanes": "1"}},
        "SCHEDULER": {"s": {"weight": "95"}},
        "PFC_WD": {NAME: {"action": "drop"}},
    }
    found = drift_of(compared(running, intended))
    assert [each.change.table for each in found.drifts] == ["PFC_WD", "SCHEDULER", "PORT"]


def test_secrets_are_masked_and_compared_all_the_same():
    running, wanted = (
        {"TACPLUS": {"global": {"passkey": key}}} for key in ("CANARY-1", "CANARY-2")
    )
    found = drift_of(compared(running, wanted, wanted, wanted))
    assert [each.cause for each in found.drifts] == [Cause.SWITCH]
    assert len(found.passing) == 1
    assert "CANARY" not in json.dumps(found.as_json())


SAVED = [
    # what runs, is intended, is saved; what of it is unsaved, and what a restart would take back
    ("1500", "9216", "9216", [], ["paths"]),
    ("9216", "9216", "1500", ["paths"], []),
    ("1500", "9216", "9100", ["paths"], []),
    ("1500", "9216", "1500", [], []),
    (None, "9216", "9216", [], ["paths"]),
    ("1500", None, None, [], ["paths"]),
]


@pytest.mark.parametrize(("running", "intended", "saved", "unsaved", "passing"), SAVED)
def test_what_runs_unsaved_is_judged_by_what_a_restart_brings(
    running, intended, saved, unsaved, passing
):
    found = drift_of(compared(tables(running), tables(intended), saved=tables(saved)))
    assert [str(each.judgement.impact) for each in found.unsaved] == unsaved
    assert [str(each.judgement.impact) for each in found.passing] == passing


@pytest.mark.parametrize(
    ("table", "row", "impact"),
    [
        ("TACPLUS", {"global": {"passkey": "CANARY"}}, "management"),
        ("ACL_RULE", {"T|R": {"PRIORITY": "1"}}, "paths"),
    ],
)
def test_what_operators_did_not_save_is_a_warning_though_nobody_intends_it(table, row, impact):
    running = {**tables("9216"), table: row}
    found = drift_of(compared(running, tables("9216"), saved=tables("9216")))
    told = [(str(each.judgement.impact), str(each.severity)) for each in found.unsaved]
    assert told == [(impact, "warning")]
    assert (found.drifts, found.passing) == ((), ())


def test_the_json_form_comes_back_whole():
    seen = compared(tables("1500"), tables("9216"), tables("9100"), tables("9216"))
    found = drift_of(seen)
    assert drift_of_json(json.loads(json.dumps(found.as_json()))) == found
