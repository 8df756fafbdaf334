"""The guarded transaction on AsterNOS: by klish, with its guard in bash, against a mock switch."""

import json
from datetime import UTC

import pytest

from nettool.config.diff.asternos import asternos_blocks, diff_asternos
from nettool.config.diff.masking import MASK
from nettool.config.diff.policy import Policy, Window
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.mock.fault import Fault


def test_changed_saved_unlocked_and_then_nothing(switch, new):
    told = switch.push()
    assert (told.outcome, told.message) == (Outcome.CHANGED, "")
    assert [step.name for step in told.steps] == [
        "read", "guard", "checkpoint", "arm", "apply", "verify", "save", "confirm",
    ]  # fmt: skip
    assert switch.is_(new)
    assert switch.handle.timers() == []
    switch.handle.forget()
    assert switch.push("r2").outcome is Outcome.UNCHANGED
    assert switch.handle.writes() == []


def refused(line, times=1):
    return Fault(line, "fail", stderr="Invalid value", times=times)


ASKED = "nettool-begin\nsudo: a password is required\n\nnettool-rc=1\n"
ENDINGS = {
    "the first line refused": ([refused("^no priority")], Outcome.FAILED),
    "a line in the middle refused": ([refused("^switchport access vlan 102")], Outcome.ROLLED_BACK),
    "taken back by reload where the inverse is refused": (
        [refused("^switchport access vlan 102"), refused("^no vlan 102", times=None)],
        Outcome.ROLLED_BACK,
    ),
    "a line that does nothing": (
        [Fault("^maximum-paths 64", "reply")], Outcome.ROLLED_BACK,
    ),
    "a save that is refused": ([refused("^write")], Outcome.ROLLED_BACK),
    "a guard that cannot start": ([Fault("^sudo systemd-run", "fail")], Outcome.FAILED),
    "somebody else's line meanwhile": (
        [Fault("^maximum-paths 64", "delay", seconds=1)], Outcome.CHANGED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDINGS)
def test_every_ending_leaves_old_or_new_and_says_which(switch, old, new, name):
    faults, outcome = ENDINGS[name]
    for each in faults:
        switch.handle.inject(each)
    told = switch.push()
    assert told.outcome is outcome, told
    assert switch.is_(new if outcome is Outcome.CHANGED else old)
    assert switch.handle.timers() == []


def test_a_reload_that_fails_is_told_with_what_is_left(switch):
    switch.handle.inject(refused("^switchport access vlan 102"))
    switch.handle.inject(refused("^no vlan 102", times=None))
    switch.handle.inject(Fault("^sudo config reload", "fail", stderr="no disk", times=None))
    told = switch.push()
    assert told.outcome is Outcome.ROLLBACK_FAILED
    assert "Still different: global|vlan 102" in told.message
    assert "sudo cp /var/lib/nettool/r1.saved.cfg /etc/sonic/startup.cfg" in told.message


@pytest.mark.parametrize(
    ("faults", "why"),
    [
        ([Fault("^system bash", "fail", stderr="denied", times=None)], "no guard without bash"),
        (
            [Fault("sudo -n true", "reply", stdout=ASKED, on="line")],
            "no guard without sudo in bash: sudo: a password is required",
        ),
    ],
)
def test_no_push_where_no_guard_can_be_set(switch, old, faults, why):
    for each in faults:
        switch.handle.inject(each)
    told = switch.push()
    assert told.outcome is Outcome.REFUSED
    assert why in told.message
    assert switch.handle.writes() == []
    assert switch.is_(old)


def test_lines_that_run_unsaved_are_not_lost_on_the_way_back(switch, new):
    switch.klish().configure(["snmp-server host 192.0.2.9"])
    told = switch.push()
    assert told.outcome is Outcome.REFUSED
    assert "1 lines run there that are not saved" in told.message
    assert "snmp-server host 192.0.2.9" in told.message
    switch.klish().save()
    assert switch.push().outcome is Outcome.CHANGED
    assert "snmp-server host 192.0.2.9" in switch.running()


def test_what_runs_as_intended_and_is_not_saved_is_saved(switch, new):
    switch.startup.unlink()
    switch.fleet.call(reboot(switch))
    klish = switch.klish()
    klish.configure_blocks(asternos_blocks(diff_asternos("leaf01", {}, read_lines(new))))
    told = switch.push(consent=frozenset())
    assert (told.outcome, told.way) == (Outcome.CHANGED, "")
    assert switch.is_(new)


async def reboot(switch):
    await switch.fleet.network.switches["leaf01"].reboot()


def test_two_operators_at_once(switch, new):
    assert switch.push(confirm_seconds=900).outcome is Outcome.PENDING
    other = switch.push("r2")
    assert other.outcome is Outcome.REFUSED
    assert "a push of anna (run r1" in other.message
    assert switch.confirm().outcome is Outcome.CHANGED
    assert switch.is_(new)


STARTUP_READ = "cat /etc/sonic/startup.cfg"
HELD = "a push of anna (run r1"


@pytest.mark.parametrize("fields", [{}, {"check": True}, {"look": True}], ids=str)
@pytest.mark.parametrize("intended", ["vlan 103\n", ""], ids=["other lines", "all away"])
def test_whose_lines_wait_is_told_and_never_to_save_them(switch, fields, intended):
    """What runs unconfirmed is unsaved: `write` would keep what nobody has confirmed."""
    assert switch.push(confirm_seconds=900).outcome is Outcome.PENDING
    told = switch.push("r2", intended=intended, whole=True, **fields)
    assert told.outcome is Outcome.REFUSED
    assert told.message.startswith(HELD)
    assert "write" not in told.message


@pytest.mark.parametrize("line", ["maximum-paths 64", "write"])
def test_whose_killed_push_holds_it_is_told(switch, new, line):
    def killed(_driver, sent, go):
        if sent == line:
            raise KeyboardInterrupt
        return go()

    with pytest.raises(KeyboardInterrupt):
        switch.push(on_line=killed, guard_seconds=600)
    for fields in ({}, {"check": True}, {"look": True}):
        told = switch.push("r2", intended=new.replace("102", "103"), **fields)
        assert told.message.startswith(HELD)
        assert "write" not in told.message


def test_a_push_that_ends_while_another_reads_is_no_unsaved_line(switch, new):
    """Read before the other's lines, and its saved file after them."""
    others = iter([lambda: switch.push("r2")])

    def overtaken(_driver, line, go):
        if STARTUP_READ in line and (other := next(others, None)):
            assert other().outcome is Outcome.CHANGED
        return go()

    told = switch.push(intended=new.replace("102", "103"), on_line=overtaken)
    assert told.outcome is Outcome.REFUSED
    assert told.message == "somebody changed it since it was read: push again"


def test_not_confirmed_goes_back(switch, old):
    assert switch.push(confirm_seconds=60, guard_seconds=120).outcome is Outcome.PENDING
    switch.wait_for_guard()
    assert switch.is_(old)


@pytest.mark.slow
def test_the_time_to_confirm_begins_with_the_end_of_the_push(switch, old):
    waits = switch.push(confirm_seconds=60, rest_seconds=5000)
    assert (waits.outcome, bool(waits.beyond["due"])) == (Outcome.PENDING, True)
    assert switch.hold(8).outcome is Outcome.PENDING
    switch.wait_for_guard(2000)
    assert switch.is_(old)
    assert [switch.hold(8).outcome, switch.confirm().outcome] == [Outcome.ROLLED_BACK] * 2


def test_check_and_refusals_write_nothing(switch, old):
    assert switch.push(check=True).outcome is Outcome.WOULD_CHANGE
    told = switch.push(consent=frozenset())
    assert (told.outcome, "--consent reload" in told.message) == (Outcome.REFUSED, True)
    assert switch.push(intended="").outcome is Outcome.FAILED
    assert switch.handle.writes() == []
    assert switch.is_(old)


def test_a_controller_that_sleeps_through_its_guard_enters_no_more_lines(switch, old):
    """The guard ends the session first, so no line comes after the old configuration is back."""

    def sleepy(_driver, line, go):
        if line == "maximum-paths 64":
            switch.wait_for_guard()
        return go()

    told = switch.push(on_line=sleepy, guard_seconds=60)
    assert told.outcome is Outcome.ROLLED_BACK
    assert switch.is_(old)
    assert not any(each.text == "maximum-paths 64" for each in switch.handle.commands())


def test_a_secret_in_a_line_is_told_nowhere(switch, new):
    line = " neighbor 10.0.0.1 password CANARY-7"
    told = switch.push(intended=new.replace(" bgp router-id", f"{line}\n bgp router-id"))
    assert told.outcome is Outcome.CHANGED
    assert "CANARY-7" in switch.running()
    assert "CANARY" not in str(told.as_json())
    assert MASK in str(told.as_json())


def test_the_switch_refuses_a_line_with_a_secret_without_telling_it(switch, new):
    line = " neighbor 10.0.0.1 password CANARY-7"
    switch.handle.inject(refused("^neighbor 10.0.0.1 password"))
    told = switch.push(intended=new.replace(" bgp router-id", f"{line}\n bgp router-id"))
    assert told.outcome is Outcome.ROLLED_BACK
    assert "neighbor 10.0.0.1 password" in told.message
    assert "CANARY" not in str(told.as_json())


@pytest.mark.parametrize("line", ["switchport access vlan 102", "write"])
def test_the_switchs_own_reason_is_told(switch, old, line):
    switch.handle.inject(Fault(f"^{line}", "fail", stderr="resource exhausted"))
    told = switch.push()
    assert told.outcome is Outcome.ROLLED_BACK
    assert f"`{line}` was refused: % Error: resource exhausted" in told.message
    assert switch.is_(old)


def test_a_policy_forbids_lines_by_their_label(switch, old):
    told = switch.push(policy=Policy(UTC, (Window(forbid=("link flap",)),)))
    assert told.outcome is Outcome.REFUSED
    assert "link flap" in told.message
    assert switch.handle.writes() == []
    assert switch.is_(old)


def test_the_journal_stands_on_the_switch_and_old_ones_go(switch, old, new):
    for number in range(1, 6):
        assert switch.push(
            f"r{number}", intended=new if number % 2 else old, whole=True
        ).outcome is (Outcome.CHANGED)
    kept = sorted(path.name for path in (switch.handle.folder / "var/lib/nettool").glob("r*.json"))
    assert kept == ["r3.json", "r4.json", "r5.json"]
    assert json.loads((switch.handle.folder / "var/lib/nettool/r5.json").read_text())["state"] == (
        "saved"
    )
    assert (switch.handle.folder / "var/lib/nettool/r5.saved.cfg").stat().st_mode & 0o077 == 0
