"""Drift of an AsterNOS switch: lines by klish, judged, and told from an intent that is ahead."""

from nettool.fleet.deploy.klish_switch import KlishSwitch
from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.ways import KlishWays
from nettool.fleet.telemetry.drift import Cause, drift_of
from tests.unit.fleet.deploy.klish.conftest import OLD, tables


def compared(switch, folder, intended, pushed=OLD):
    """What runs against these texts, as a drift task compares it."""
    last = None
    if pushed is not None:
        last = folder / "asternos.cfg"
        last.write_text(pushed)
    klish = switch.klish()
    seen = KlishWays(klish, "/etc/sonic/startup.cfg").compare(
        Order("leaf01", "r1", "anna", tables(intended)), last
    )
    klish.reconnect()
    return drift_of(seen)


def told(drifts):
    return [(each.cause, str(each.judgement.impact), each.change.table) for each in drifts]


def test_a_switch_that_runs_what_was_pushed_has_not_drifted(switch, tmp_path):
    found = compared(switch, tmp_path, OLD)
    assert (found.drifts, found.unsaved, found.guard, dict(found.unread)) == ((), (), "", {})
    assert switch.handle.writes() == []


def test_lines_that_somebody_entered_are_drift_and_unsaved(switch, tmp_path):
    KlishSwitch(switch.klish())._klish.configure(
        ("interface ethernet 0/8", "switchport access vlan 102")
    )
    found = compared(switch, tmp_path, OLD)
    assert told(found.drifts) == [(Cause.SWITCH, "paths", "interface ethernet 0/8")]
    assert found.unsaved == ()
    assert told(found.passing) == [(Cause.SWITCH, "paths", "interface ethernet 0/8")]
    assert found.drifts[0].judgement.trust == "assumed"


def test_an_intent_that_is_ahead_is_no_drift(switch, tmp_path):
    wanted = OLD.replace("maximum-paths 8", "maximum-paths 64") + "priority-flow-control enable 5\n"
    found = compared(switch, tmp_path, wanted)
    assert {(each.cause, str(each.judgement.impact)) for each in found.drifts} == {
        (Cause.INTENT, "lossless"),
        (Cause.INTENT, "paths"),
    }
    unknown = compared(switch, tmp_path, wanted, pushed=None)
    assert {each.cause for each in unknown.drifts} == {Cause.UNKNOWN}


def test_a_saved_file_that_is_no_text_is_said_to_be_uncompared(switch, tmp_path):
    switch.startup.write_text('{"PORT": {}}')
    found = compared(switch, tmp_path, OLD)
    assert (found.unsaved, list(found.unread)) == ((), ["saved"])
    assert "no command text" in found.unread["saved"]


def test_lines_that_nettool_never_writes_are_named(switch, tmp_path):
    switch.klish().configure(("interface ethernet 0/8", "shutdown"))
    found = compared(switch, tmp_path, OLD)
    assert found.drifts == ()
    assert [(str(each.severity), each.change.key) for each in found.unsaved] == [
        ("warning", "shutdown")
    ]
    (note, *_) = found.notes
    assert note.startswith("not nettool's, not judged: ")
    assert "interface ethernet 0/8 / shutdown" in note
