"""What `nettool drift` says on the screen of a look at the fleet."""

from nettool.cli.screen import Screen
from nettool.cli.verbs.drift import tell
from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.fleet.deploy.drifting import Look
from nettool.fleet.telemetry.drift import Compared, drift_of
from nettool.fleet.telemetry.drift_report import FleetDrift

SHUT = Change(ChangeKind.REPLACE, "PORT", "Ethernet0", "admin_status", "down", "up")


def told(capsys, *switches, **more):
    found = FleetDrift(tuple(map(drift_of, switches)), **more)
    tell(Look(found, found.report()), Screen())
    return capsys.readouterr().out


def seen(name, *changes, **more):
    return Compared(name, "sonic", ChangeSet(name, changes), **more)


def test_a_fleet_without_drift_is_one_line(capsys):
    assert told(capsys, seen("leaf01"), seen("leaf02")) == (
        "0 of 2 switches drifted; the intent is ahead of 0; 0 run what is not saved; "
        "2 were looked at\n"
    )


def test_where_nobody_knows_whose_doing_it_is_the_reason_is_given(capsys):
    why = "no push of it is recorded here"
    unpushed = {"leaf01": why, "leaf02": why, "leaf03": why}
    out = told(capsys, *(seen(each, SHUT) for each in ("leaf01", "leaf02")), unpushed=unpushed)
    assert "error DRF002 cuts or moves paths: changed on the switch or in the intent\n" in out
    assert f"leaf01, leaf02: {why}\n2 of 2 switches drifted" in out


def test_what_was_not_looked_at_is_told_beside_what_was(capsys):
    out = told(capsys, seen("leaf01"), unseen={"leaf02": "unreachable: connection refused"})
    assert out.startswith("leaf02: error DRF000 not looked at: unreachable: connection refused\n")
    assert out.endswith("0 of 2 switches drifted; the intent is ahead of 0; "
                        "0 run what is not saved; 1 were looked at\n")  # fmt: skip


def test_what_is_not_judged_is_named_once_for_all(capsys):
    own = {"notes": ("left alone: ACME (1 row)",)}
    out = told(capsys, seen("leaf01", **own), seen("leaf02", **own))
    assert out.startswith("leaf01, leaf02: left alone: ACME (1 row)\n0 of 2 switches drifted")
