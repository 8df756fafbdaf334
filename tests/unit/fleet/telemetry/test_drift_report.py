"""Drift of a fleet in words: what is alike is said once, the worst first, always the same."""

import json

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.config.validate.reports import render_report
from nettool.fleet.telemetry.drift import Compared, drift_of
from nettool.fleet.telemetry.drift_report import FleetDrift, in_order, said_alike

EDIT = ChangeKind.REPLACE
PORTS = [f"Ethernet{n}" for n in range(0, 32, 8)]
PAUSE = [Change(EDIT, "PORT_QOS_MAP", port, "pfc_enable", "3,4", "3") for port in PORTS]
MARKS = Change(EDIT, "WRED_PROFILE", "ROCE", "green_min_threshold", "1", "400000")
NAME = Change(ChangeKind.REMOVE, "PORT", "Ethernet8", "description", "spare", None)
SHUT = Change(EDIT, "PORT", "Ethernet0", "admin_status", "down", "up")
TEXT = """\
+ missing on the switch, - not intended there, ~ what runs -> what is intended

error DRF001 breaks losslessness: changed on the switch
  leaf01-04 (4 switches): 4 changes each
    PORT_QOS_MAP
      ~ Ethernet0-24 (4 rows) pfc_enable 3,4 -> 3
  why: the port pauses other priorities than its neighbour and its NICs expect (IEEE 802.1Qbb-2011 \
(priority-based flow control); published)
  → push to bring it back, or take the change into the fabric's file

error DRF002 cuts or moves paths: changed on the switch
  leaf02: 1 change
    PORT
      ~ Ethernet0 admin_status down -> up
  why: a port that is shut carries nothing (sonic-swss orchagent/portsorch.cpp; published)
  → push to bring it back, or take the change into the fabric's file

info DRF010 changes congestion marking: the intent is ahead
  leaf01-04 (4 switches): 1 change each
    WRED_PROFILE
      ~ ROCE green_min_threshold 1 -> 400000
  why: marking begins at another fill (RFC 3168; Zhu et al., SIGCOMM 2015 (DCQCN); \
published)
  → push: the fabric's file has changed since the last one
"""


def switch(name, own=(), unsaved=(), **more):
    """A switch with the drift of all, and its own."""
    sets = [
        ChangeSet(name, tuple(each)) for each in ([*PAUSE, MARKS, *own], [*PAUSE, *own], unsaved)
    ]
    return drift_of(Compared(name, "sonic", *sets, **more))


def fleet(**more):
    """Four switches that drifted alike, one of them more."""
    others = [switch(f"leaf{n:02}") for n in (1, 3, 4)]
    return FleetDrift(in_order([*others, switch("leaf02", [SHUT])]), **more)


def test_what_is_alike_is_said_once_and_the_worst_first():
    assert fleet().as_text() == TEXT


def test_every_line_is_there_where_asked():
    text = fleet().as_text(every=True)
    assert text.count("pfc_enable 3,4 -> 3") == len(PORTS)
    assert "leaf01-04: 4 changes each" in text


def test_no_drift_is_no_text():
    assert (
        FleetDrift((drift_of(Compared("leaf01", "sonic", ChangeSet("leaf01", ()))),)).as_text()
        == ""
    )


def test_each_difference_is_a_finding_with_its_place():
    report = fleet().report()
    rules = [each.rule for each in report.findings if each.device == "leaf02"]
    assert rules == ["DRF002", *["DRF001"] * 4, "DRF010"]
    (shut,) = [each for each in report.findings if each.rule == "DRF002"]
    assert (shut.table, shut.key, shut.field) == ("PORT", "Ethernet0", "admin_status")
    assert shut.message == (
        "PORT|Ethernet0 admin_status is down, intended is up; changed on the switch; "
        "cuts or moves paths: a port that is shut carries nothing"
    )
    assert shut.hint == "push to bring it back, or take the change into the fabric's file"
    assert report.summary == {
        "devices": 4, "looked_at": 4, "drifted": 4, "behind": 4, "unsaved": 0
    }  # fmt: skip


def test_rows_and_values_that_are_not_there_are_told_in_words():
    gone = Change(ChangeKind.ADD, "PFC_WD", "Ethernet0", None, None, {"action": "drop"})
    extra = Change(ChangeKind.REMOVE, "PFC_WD", "Ethernet8", None, {"action": "drop"}, None)
    found = FleetDrift((switch("leaf01", [gone, extra, NAME]),)).report()
    told = {(each.table, each.key): each.message.partition(";")[0] for each in found.findings}
    assert told["PFC_WD", "Ethernet0"] == "PFC_WD|Ethernet0 is missing"
    assert told["PFC_WD", "Ethernet8"] == "PFC_WD|Ethernet8 is not intended"
    assert told["PORT", "Ethernet8"] == "PORT|Ethernet8 description is spare, intended is not set"


def test_what_is_no_single_difference_is_told_as_well():
    held = "anna (run r9, since then, at most until now)"
    names = ("leaf01", "leaf02")
    unread = {"saved": "the saved file is missing or broken"}
    switches = tuple(switch(each, unsaved=PAUSE, guard=held, unread=unread) for each in names)
    report = FleetDrift(switches, unseen={"leaf03": "unreachable: no route to host"}).report()
    assert "".join(said_alike(report)) == (
        "leaf01, leaf02: error DRF011 what runs in 4 places (PORT_QOS_MAP|Ethernet0, "
        "PORT_QOS_MAP|Ethernet8, PORT_QOS_MAP|Ethernet16 and 1 more row) is not saved: a restart "
        "breaks losslessness\n"
        "    → push: it saves; or save the configuration there\n"
        "leaf01, leaf02: warning DRF012 held by the push of anna (run r9, since then, at most "
        "until now): what runs may still go back\n"
        "    → look again when that push has ended, or was confirmed\n"
        "leaf01, leaf02: warning DRF013 saved: the saved file is missing or broken, so it was not "
        "compared\n"
        "    → see why; silence is no proof\n"
        "leaf03: error DRF000 not looked at: unreachable: no route to host\n"
        "    → what was not seen may have drifted\n"
    )


def test_a_push_that_holds_many_switches_is_told_once():
    held = {n: f"anna (run r9, since {n}, at most until {n + 60})" for n in (1, 2)}
    switches = tuple(switch(f"leaf0{n}", guard=each) for n, each in held.items())
    (said,) = said_alike(FleetDrift(switches).report())
    assert said.startswith("leaf01, leaf02: warning DRF012 held by the push of anna (run r9): what")


def test_drift_that_a_restart_would_take_back_is_a_note():
    none = ChangeSet("leaf01", ())
    left = ChangeSet("leaf01", (SHUT,))
    seen = Compared("leaf01", "sonic", left, left, unsaved=left, restarted=none)
    found = [e for e in FleetDrift((drift_of(seen),)).report().findings if e.rule == "DRF011"]
    assert [(each.severity, each.message) for each in found] == [
        (
            "info",
            "what runs in 1 place (PORT|Ethernet0) is not saved: a restart would bring back what "
            "is intended",
        )
    ]


def test_a_restart_that_only_loses_a_name_is_no_error():
    (found,) = FleetDrift((drift_of(_unsaved([NAME])),)).report().findings
    assert (found.rule, found.severity) == ("DRF011", "info")


def _unsaved(changes):
    none = ChangeSet("leaf01", ())
    return Compared("leaf01", "sonic", none, none, ChangeSet("leaf01", tuple(changes)))


def test_the_data_names_the_last_push():
    (told,) = FleetDrift((switch("leaf01"),), runs={"leaf01": "r7"}).as_json()
    assert told["last_push"] == "r7"
    assert [each["impact"] for each in told["changes"]] == [*["lossless"] * 4, "marking"]
    assert told["changes"][0]["trust"] == "published"


def test_a_scanner_is_told_what_a_code_means():
    rules = json.loads(render_report(fleet().report(), "sarif"))["runs"][0]["tool"]["driver"][
        "rules"
    ]
    told = {each["id"]: each["shortDescription"]["text"] for each in rules}
    assert told["DRF001"] == "drift that breaks losslessness"
    assert set(told) == {"DRF001", "DRF002", "DRF010"}
