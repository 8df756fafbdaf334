"""What a push of lines leaves alone, cannot prove, or cannot write: it is told each time."""

from nettool.config.diff.unwritten import Unwritten
from nettool.fleet.deploy.outcome import Outcome

XOFF, MTU = "BUFFER_PROFILE|pg_lossless_400000_5m_profile|xoff", "PORT|Ethernet0|mtu"
INTENDED = Unwritten({XOFF: "129920", MTU: "9216"}, preset=("BUFFER_PROFILE",))
LATER = Unwritten({XOFF: "130000", MTU: "9216"}, preset=("BUFFER_PROFILE",))
GONE = "vlan 103\n"


def test_lines_of_others_stay_and_are_counted(switch):
    switch.write("ntp server 192.0.2.1", "snmp-server community CANARY-9")
    told = switch.push()
    assert told.outcome is Outcome.CHANGED
    assert "ntp server 192.0.2.1" in switch.running()
    assert told.as_json()["kept_lines"] == 2
    assert any(
        note.startswith("not nettool's, stays as it is: 2 lines (ntp server 192.0.2.1;")
        for note in told.notes
    )
    assert "CANARY" not in str(told.as_json())


def test_what_takes_away_in_unproved_words_is_refused_unless_allowed(switch, old):
    told = switch.push(intended=GONE, allow_unproved=False)
    assert told.outcome is Outcome.REFUSED
    assert "--allow-unverified (by a playbook: nettool_allow_unverified)" in told.message
    assert "no router bgp 65001" in told.as_json()["unproved_lines"]
    assert any(each.startswith("unverified on hardware, takes something") for each in told.notes)
    assert switch.is_(old)
    assert switch.handle.writes() == []
    only_more = switch.push(intended=f"{old}vlan 103\n", allow_unproved=False)
    assert (only_more.outcome, only_more.as_json()["unproved_lines"]) == (Outcome.CHANGED, [])


def test_a_way_back_needs_no_proof(blank):
    assert blank.push().outcome is Outcome.CHANGED
    assert blank.rollback().outcome is Outcome.CHANGED


def test_values_that_no_line_can_write_are_told_of_a_switch_that_is_as_intended(switch):
    assert switch.push(unwritten=INTENDED).outcome is Outcome.CHANGED
    told = switch.push("r2", unwritten=INTENDED)
    assert told.outcome is Outcome.UNCHANGED
    (note,) = told.notes
    assert note.startswith("2 values cannot be written on AsterNOS by lines")
    assert "playbooks/roce.yml" in note
    assert told.as_json()["unwritten"] == {
        "count": 2,
        "tables": {"BUFFER_PROFILE": 1, "PORT": 1},
        "preset": ["BUFFER_PROFILE"],
        "changed": [],
    }


def test_a_value_that_differs_from_the_last_push_is_named(switch, new):
    assert switch.push(unwritten=INTENDED).outcome is Outcome.CHANGED
    for check in (True, False):
        told = switch.push("r2", unwritten=LATER, check=check)
        assert told.outcome is Outcome.UNCHANGED
        assert told.notes[1] == f"of these 1 is not as intended before: {XOFF} 129920 -> 130000"
        assert told.as_json()["unwritten"]["changed"] == [
            {"path": XOFF, "before": "129920", "after": "130000"}
        ]
    assert switch.is_(new)


def test_a_confirmed_push_is_what_was_intended_before(switch):
    waits = switch.push(unwritten=INTENDED, confirm_seconds=900)
    assert waits.outcome is Outcome.PENDING
    assert switch.confirm().outcome is Outcome.CHANGED
    told = switch.push("r2", unwritten=LATER)
    assert "of these 1 is not as intended before" in told.notes[1]
