"""The way back of a kept push on AsterNOS: first, later, and where others were since."""

import pytest

from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.mock.fault import Fault

THIRD = "vlan 103\ninterface vlan 103\n ip address 10.3.0.1/24\n"


def test_a_first_push_is_undone_to_the_blank_switch_it_found(blank, new):
    assert blank.push().outcome is Outcome.CHANGED
    assert blank.is_(new)
    told = blank.rollback()
    assert (told.outcome, told.message) == (Outcome.CHANGED, "")
    assert blank.is_("")
    assert not blank.startup.exists()
    assert blank.handle.timers() == []


def test_a_first_push_on_a_switch_that_was_set_up_is_undone(switch, old):
    assert switch.push().outcome is Outcome.CHANGED
    assert switch.rollback().outcome is Outcome.CHANGED
    assert switch.is_(old)


def test_undone_twice_is_undone_once(blank):
    assert blank.push().outcome is Outcome.CHANGED
    assert blank.rollback().outcome is Outcome.CHANGED
    blank.handle.forget()
    again = blank.rollback("again")
    assert again.outcome is Outcome.UNCHANGED
    assert "run r1 was rolled back already, by run back" in again.message
    assert blank.handle.writes() == []


def test_two_pushes_in_a_row_are_undone_one_after_the_other(blank, new):
    for run, text in (("r1", new), ("r2", THIRD)):
        assert blank.push(run, intended=text).outcome is Outcome.CHANGED
    assert blank.is_(THIRD)
    assert blank.rollback("b2", of="r2").outcome is Outcome.CHANGED
    assert blank.is_(new)
    assert blank.rollback("b1", of="r1").outcome is Outcome.CHANGED
    assert blank.is_("")
    assert not blank.startup.exists()


def test_an_older_push_takes_the_later_one_along_and_says_so(blank, new):
    for run, text in (("r1", new), ("r2", THIRD)):
        assert blank.push(run, intended=text).outcome is Outcome.CHANGED
    told = blank.rollback(of="r1")
    assert told.outcome is Outcome.CHANGED
    assert told.message == "what came later goes with it: run r2"
    assert blank.is_("")


def test_what_went_with_an_older_push_is_undone_as_well(blank, new):
    for run, text in (("r1", new), ("r2", THIRD)):
        assert blank.push(run, intended=text).outcome is Outcome.CHANGED
    assert blank.rollback("b1", of="r1").outcome is Outcome.CHANGED
    blank.handle.forget()
    for of in ("r2", ""):
        again = blank.rollback("b2", of=of)
        said = "run r2 was rolled back already, with run r1, by run b1: nothing to do"
        assert (again.outcome, again.message) == (Outcome.UNCHANGED, said)
    assert blank.handle.writes() == []
    assert blank.is_("")
    assert blank.push("r3", intended=THIRD).outcome is Outcome.CHANGED
    assert blank.rollback("b3").outcome is Outcome.CHANGED
    assert blank.is_("")


def test_a_push_that_is_too_old_is_refused_and_good_ones_stay(blank, new):
    vlans = [f"vlan {n}\n" for n in range(201, 205)]
    for run, text in zip(("r1", "r2", "r3", "x1"), vlans, strict=True):
        assert blank.push(run, intended=text).outcome is Outcome.CHANGED
    assert blank.rollback(of="x1").outcome is Outcome.CHANGED
    told = blank.rollback("b1", of="r1")
    said = "run r1 is too old: the last 3 pushes can be undone, here r3, r2"
    assert (told.outcome, told.message) == (Outcome.REFUSED, said)
    assert blank.push("r4", intended=new).outcome is Outcome.CHANGED
    copies = {path.name for path in blank.handle.folder.glob("var/lib/nettool/*.saved.cfg")}
    assert copies == {"r2.saved.cfg", "r3.saved.cfg", "r4.saved.cfg"}
    assert blank.rollback("b2", of="r2").outcome is Outcome.CHANGED
    assert blank.is_(vlans[0])


def test_a_vlan_that_a_push_took_away_comes_back(switch, old):
    assert switch.push(intended=THIRD).outcome is Outcome.CHANGED
    assert switch.is_(THIRD)
    assert switch.rollback().outcome is Outcome.CHANGED
    assert switch.is_(old)


@pytest.mark.parametrize(
    ("lines", "left", "said"),
    [
        (("ntp server 192.0.2.1",), "ntp server 192.0.2.1\n", "stays so: 1 line (ntp server"),
        (("interface vlan 101", "mtu 9000"), "", "goes along: 1 line (interface vlan 101 / mtu"),
    ],
)
def test_what_an_engineer_wrote_since_stays_where_it_can_and_is_told(blank, lines, left, said):
    assert blank.push().outcome is Outcome.CHANGED
    blank.write(*lines)
    told = blank.rollback()
    assert told.outcome is Outcome.CHANGED
    assert said in told.message
    assert blank.is_(left)


def test_what_an_engineer_has_not_saved_is_not_lost(blank, new):
    assert blank.push().outcome is Outcome.CHANGED
    blank.klish().configure(["ntp server 192.0.2.1"])
    told = blank.rollback()
    assert told.outcome is Outcome.REFUSED
    assert "1 lines run there that are not saved" in told.message
    assert "ntp server 192.0.2.1" in blank.running()


def test_a_push_that_only_saved_has_nothing_to_take_back(switch, old):
    switch.klish().configure(["vlan 102"])
    assert switch.push(intended=f"{old}vlan 102\n").way == ""
    told = switch.rollback()
    assert told.outcome is Outcome.UNCHANGED
    assert switch.is_(f"{old}vlan 102\n")


def test_a_copy_that_is_lost_is_never_taken_for_a_blank_switch(switch, new):
    assert switch.push().outcome is Outcome.CHANGED
    (switch.handle.folder / "var/lib/nettool/r1.saved.cfg").unlink()
    told = switch.rollback()
    assert told.outcome is Outcome.FAILED
    assert "what was saved before run r1 is not kept there any more" in told.message
    assert switch.is_(new)


def test_a_rollback_that_is_refused_half_way_leaves_the_push(blank, new):
    assert blank.push().outcome is Outcome.CHANGED
    blank.handle.inject(Fault("^no vlan 102", "fail", stderr="in use"))
    told = blank.rollback()
    assert told.outcome is Outcome.ROLLED_BACK
    assert blank.is_(new)
    assert blank.rollback("again").outcome is Outcome.CHANGED
    assert blank.is_("")


def test_a_first_push_that_is_not_confirmed_goes_back_to_nothing(blank):
    assert blank.push(confirm_seconds=60, guard_seconds=120).outcome is Outcome.PENDING
    blank.wait_for_guard()
    assert blank.is_("")
    assert not blank.startup.exists()


def test_a_confirmed_rollback_is_remembered_as_one(switch, old):
    assert switch.push().outcome is Outcome.CHANGED
    assert switch.rollback(confirm_seconds=900).outcome is Outcome.PENDING
    assert switch.confirm().outcome is Outcome.CHANGED
    assert switch.is_(old)
    assert "rolled back already, by run back" in switch.rollback("again").message


def test_where_nobody_knows_what_came_since_all_of_it_goes_and_that_is_said(switch, old):
    assert switch.push().outcome is Outcome.CHANGED
    (switch.handle.folder / "var/lib/nettool/r1.after.cfg").unlink()
    told = switch.rollback()
    assert told.outcome is Outcome.CHANGED
    assert told.message == "what other hands changed since is not known, and goes along"
    assert switch.is_(old)


def test_a_controller_that_sleeps_through_its_guard_removes_no_saved_file(blank, new):
    def sleepy(_driver, line, go):
        if "r1.blank || rm -f" in line and "systemd-run" not in line:
            blank.wait_for_guard()
        return go()

    assert blank.push().outcome is Outcome.CHANGED
    told = blank.rollback(on_line=sleepy, guard_seconds=120)
    assert told.outcome is Outcome.ROLLED_BACK
    assert "the guard has fired" in told.message
    assert blank.is_(new)


class KilledError(Exception):
    """The controller dies here."""


def test_a_push_whose_controller_died_once_it_was_kept_can_be_undone(blank, new):
    def dies(_driver, line, go):
        if "r1.after.cfg" in line:
            raise KilledError
        return go()

    with pytest.raises(KilledError):
        blank.push(on_line=dies, guard_seconds=120)
    blank.wait_for_guard()
    assert blank.is_(new)
    told = blank.rollback()
    assert told.outcome is Outcome.CHANGED
    assert "what other hands changed since is not known" in told.message
    assert blank.is_("")


def test_a_push_that_came_to_nothing_cannot_be_undone(switch, old):
    switch.handle.inject(Fault("^no priority", "fail", stderr="no"))
    assert switch.push().outcome is Outcome.FAILED
    told = switch.rollback()
    assert (told.outcome, told.message) == (
        Outcome.UNCHANGED,
        "no push is remembered: nothing to go back to",
    )
    assert switch.is_(old)
