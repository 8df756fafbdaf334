"""One transaction on a mock switch: every way it can end, and what the switch runs then."""

import copy
import re
from datetime import UTC

import pytest

from nettool.config.diff.plan import UpdatePlan
from nettool.config.diff.policy import Policy, Window
from nettool.fleet.deploy.later import confirm_device, rollback_device
from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.outcome import Outcome, Step
from nettool.fleet.deploy.refusals import reload_wanted
from nettool.fleet.deploy.switch import CommandError, Switch
from nettool.fleet.deploy.transaction import push_device
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import SwitchSpec
from tests.unit.fleet.deploy.conftest import OLD, SCALE, OneSwitch

APPLY, SAVE, BACK = "^sudo config apply-patch", "^sudo config save", "^sudo config rollback"


def half_applied():
    return Fault(APPLY, "partial", changes=1, stderr="change could not be applied")


ENDINGS = {
    "refused patch": ([Fault(APPLY, "fail", status=2, stderr="no")], Outcome.FAILED, "old"),
    "half-applied patch": ([half_applied()], Outcome.ROLLED_BACK, "old"),
    "success that did nothing": (
        [Fault(APPLY, "reply", stdout="Patch applied successfully.")],
        Outcome.FAILED,
        "old",
    ),
    "failure that did everything": (
        [Fault(APPLY, "status", status=1)],
        Outcome.ROLLED_BACK,
        "old",
    ),
    "cut while applying, back soon": (
        [Fault(APPLY, "drop_during", back=10.0)],
        Outcome.CHANGED,
        "new",
    ),
    "cut after applying": ([Fault(APPLY, "drop_after")], Outcome.CHANGED, "new"),
    "restart while applying": (
        [Fault(APPLY, "reboot_during", changes=1, back=5.0)],
        Outcome.FAILED,
        "old",
    ),
    "restart after applying": ([Fault(APPLY, "reboot_after", back=5.0)], Outcome.FAILED, "old"),
    "full disk at save": ([Fault(SAVE, "full")], Outcome.ROLLED_BACK, "old"),
    "full disk at checkpoint": (
        [Fault("^sudo -n config checkpoint|^sudo config checkpoint", "full")],
        Outcome.FAILED,
        "old",
    ),
    "noise for a configuration": (
        [Fault("sonic-cfggen", "garbage")],
        Outcome.FAILED,
        "old",
    ),
    "changed since it was read": (
        [Fault("systemd-run", "drift", config={"PORT": {"Ethernet3": {"mtu": "1500"}}})],
        Outcome.REFUSED,
        None,
    ),
}


@pytest.mark.parametrize(("faults", "outcome", "runs"), ENDINGS.values(), ids=ENDINGS)
def test_ending(switch, faults, outcome, runs):
    for fault in faults:
        switch.handle.inject(fault)
    result = switch.push()
    assert result.outcome is outcome, result
    if runs is not None:
        assert switch.is_new() if runs == "new" else switch.is_old()
    assert switch.handle.timers() == []
    switch.handle.heal()
    assert switch.push("r2").outcome is Outcome.CHANGED or runs == "new"
    assert runs is None or switch.is_new()


def test_a_second_push_writes_nothing(switch):
    assert switch.push().outcome is Outcome.CHANGED
    assert switch.is_new()
    switch.handle.forget()
    again = switch.push("r2")
    assert (again.outcome, again.steps[0].detail) == (Outcome.UNCHANGED, "0 changes")
    assert switch.handle.writes() == []


def test_check_mode_writes_nothing(switch):
    result = switch.push(check=True)
    assert result.outcome is Outcome.WOULD_CHANGE
    assert [c.key for c in result.changes.changes] == ["Ethernet1", "R"]
    assert switch.handle.writes() == []


def test_order_of_writes(switch):
    switch.push()
    writes = [
        (w.kind, "" if w.kind == "running" else w.what.rpartition("/")[2])
        for w in switch.handle.writes()
    ]
    places = [
        writes.index(each)
        for each in (
            ("timer", "nettool-guard"),
            ("checkpoint", "nettool-r1"),
            ("file", "r1.saved.json"),
            ("file", "r1.armed"),
            ("running", ""),
            ("saved", "config_db.json"),
            ("file", "r1.confirmed"),
            ("timer", "-nettool-guard"),
        )
    ]
    assert places == sorted(places)


def test_lost_for_good_goes_back_by_itself(switch):
    switch.handle.inject(Fault(APPLY, "drop_during", back=None))
    result = switch.push(guard_seconds=150, contact_seconds=20.0)
    assert result.outcome is Outcome.UNKNOWN
    assert "its guard goes back by itself at" in result.message
    switch.wait_for_guard()
    assert switch.is_old()
    switch.handle.heal()
    assert switch.push("r2").outcome is Outcome.CHANGED
    assert switch.is_new()


def test_failed_rollback_is_its_own_class_and_offers_a_way(switch):
    switch.handle.inject(half_applied())
    switch.handle.inject(Fault(BACK, "fail", status=2, stderr="refused"))
    result = switch.push()
    assert result.outcome is Outcome.ROLLBACK_FAILED
    assert "rolled back" not in result.message
    assert "Still different: " in result.message
    assert "sudo config reload -y -f" in result.message
    assert not any(
        "config reload" in c.text for c in switch.handle.commands() if c.origin == "script"
    )


def test_two_operators(switch):
    assert switch.push("r1", operator="anna", confirm_seconds=600).outcome is Outcome.PENDING
    other = switch.push("r2", operator="berta", intended=switch.old)
    assert other.outcome is Outcome.REFUSED
    assert "anna (run r1" in other.message


def test_confirm_keeps_what_waits(switch):
    assert switch.push(confirm_seconds=600).outcome is Outcome.PENDING
    assert switch.handle.saved() == switch.old
    order = Order("leaf01", "c1", "anna", {})
    assert confirm_device(Switch(switch.transport), order).outcome is Outcome.CHANGED
    assert switch.is_new()
    assert confirm_device(Switch(switch.transport), order).outcome is Outcome.UNCHANGED


def test_unconfirmed_goes_back(switch):
    result = switch.push(confirm_seconds=1, guard_seconds=120)
    assert result.outcome is Outcome.PENDING
    switch.wait_for_guard()
    assert switch.is_old()
    order = Order("leaf01", "later", "anna", {})
    late = confirm_device(Switch(switch.transport), order)
    assert late.outcome is Outcome.ROLLED_BACK
    assert re.fullmatch(
        r"run r1 was not confirmed in time and went back at \d{4}-\d\d-\d\dT[\d:]+Z", late.message
    )


def test_the_time_to_confirm_is_the_time_that_was_asked_for(switch):
    result = switch.push(confirm_seconds=90)
    began = switch.clock.now()
    assert switch.handle.timers() == ["nettool-guard"]
    assert "in 90 s, unless confirmed" in result.message
    assert result.steps[-1] == Step("wait", "the guard fires in 90 s")
    guard = next(each.detail for each in result.steps if each.name == "guard")
    assert guard == "fires in 600 s"
    switch.wait_for_guard(400)
    assert switch.clock.now() - began < 400
    assert switch.is_old()


def test_a_guard_that_cannot_be_set_anew_goes_back_at_once(switch):
    switch.handle.inject(Fault("AccuracySec", "fail", status=1, times=1))
    result = switch.push(confirm_seconds=90)
    assert result.outcome is Outcome.ROLLED_BACK
    assert result.message == "its guard could not be set to the time to confirm in"
    assert switch.is_old()
    assert switch.handle.timers() == []


def test_an_apply_that_never_ends_is_stopped(switch):
    switch.handle.inject(Fault(APPLY, "stuck_during", changes=1))
    result = switch.push(guard_seconds=1000)
    assert result.outcome is Outcome.ROLLED_BACK, result
    assert switch.is_old()


class Worse:
    """A change that takes a link down."""

    def before(self, switch, running, *, restarts=False):
        """Nothing to note."""

    def after(self, switch, running):
        return ("Ethernet2 was up and is down",)


def test_worse_health_goes_back(switch):
    result = switch.push(health=Worse())
    assert (result.outcome, result.message) == (
        Outcome.ROLLED_BACK,
        "Ethernet2 was up and is down",
    )
    assert switch.is_old()


def test_undo_of_a_kept_push(switch):
    assert switch.push().outcome is Outcome.CHANGED
    order = Order("leaf01", "back", "anna", {}, settle_seconds=4.0)

    def push(wanted):
        return push_device(switch.transport, wanted, clock=switch.clock)

    result = rollback_device(Switch(switch.transport), order, push)
    assert result.outcome is Outcome.CHANGED
    assert switch.is_old()


def with_buffers(config):
    pool = {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "1000000"}}
    return {**config, "BUFFER_POOL": pool}


def test_what_the_updater_refuses_needs_consent(switch):
    intended = with_buffers(switch.new)
    refused = switch.push(intended=intended)
    assert refused.outcome is Outcome.REFUSED
    assert "BUFFER_POOL cannot be created live" in refused.message
    assert switch.handle.writes() == []
    result = switch.push("r2", intended=intended, consent=frozenset({"reload"}))
    assert (result.outcome, result.way) == (Outcome.CHANGED, "install"), result
    assert switch.handle.running() == switch.handle.saved() == intended


def test_install_that_is_cut_for_good_goes_back_by_reload(switch):
    switch.handle.inject(Fault("^sudo config reload", "drop_during", back=None))
    result = switch.push(
        intended=with_buffers(switch.new),
        consent=frozenset({"reload"}),
        guard_seconds=200,
        contact_seconds=20.0,
    )
    assert result.outcome is Outcome.UNKNOWN
    switch.wait_for_guard()
    assert switch.is_old()


def test_lanes_of_another_box_are_refused(switch):
    switch.new["PORT"]["Ethernet9"] = {"lanes": "40,41", "speed": "25000"}
    result = switch.push()
    assert result.outcome is Outcome.FAILED
    assert "Ethernet9 needs 2 lanes and the switch has no such port" in result.message


def test_a_policy_holds_back_what_disturbs_too_much_at_this_hour(switch):
    forbidden = Policy(UTC, (Window(at_least="brief drop", why="jobs run"),))
    told = switch.push(policy=forbidden)
    assert told.outcome is Outcome.REFUSED
    assert told.message.startswith("brief drop is forbidden every day UTC (jobs run)")
    assert switch.handle.writes() == []
    assert switch.push(policy=Policy(UTC, (Window(at_least="link flap"),))).outcome is (
        Outcome.CHANGED
    )


def test_a_policy_is_told_in_check_mode_too(switch):
    told = switch.push(check=True, policy=Policy(UTC, (Window(forbid=("brief drop",)),)))
    assert told.outcome is Outcome.REFUSED
    assert "brief drop is forbidden" in told.message
    assert switch.handle.writes() == []


FORBIDDEN = Policy(UTC, (Window(forbid=("brief drop",)),))


@pytest.mark.parametrize(
    ("fields", "outcome", "said"),
    [
        ({}, Outcome.WOULD_CHANGE, ""),
        ({"policy": FORBIDDEN}, Outcome.REFUSED, "brief drop is forbidden"),
        ({"policy": FORBIDDEN, "check": True}, Outcome.REFUSED, "brief drop is forbidden"),
    ],
)
def test_a_look_refuses_what_a_push_would_refuse_and_writes_nothing(switch, fields, outcome, said):
    told = switch.push(look=True, **fields)
    assert (told.outcome, told.message[: len(said)]) == (outcome, said)
    assert switch.handle.writes() == []


def test_a_look_and_a_check_see_who_holds_the_switch(switch):
    assert switch.push(confirm_seconds=900).outcome is Outcome.PENDING
    switch.handle.drift({"PORT": {"Ethernet3": {"mtu": "1500"}}})
    switch.handle.forget()
    for field in ("look", "check"):
        told = switch.push("r2", **{field: True}, policy=FORBIDDEN)
        assert told.outcome is Outcome.REFUSED
        assert "brief drop is forbidden" in told.message
        assert "(run r1, since" in told.message
    assert switch.handle.writes() == []


def test_of_many_reasons_a_few_are_given_and_the_rest_is_counted():
    offers = tuple(f"Ethernet{8 * n} offers 1x800G, 2x400G, not 8x100G" for n in range(64))
    said = reload_wanted(UpdatePlan("install", (), offers, (), 1.0))
    assert "Ethernet16 offers" in said
    assert "Ethernet24 offers" not in said
    assert "; and 61 more, which `nettool diff --live --plan` shows)" in said


def test_the_plan_is_told_step_by_step(switch):
    told = switch.push(check=True).as_json()
    assert [(each["title"], each["impact"]) for each in told["plan"]] == [
        ("change mtu of PORT|Ethernet1", "brief drop"),
        ("change green_max_threshold of WRED_PROFILE|R", "none"),
    ]
    assert {each["undo"] for each in told["plan"]} == {"rollback to the checkpoint"}


def with_session(switch):
    """Give the switch a BGP session; an intent that needs a reload keeps it."""
    session = {"192.0.2.1": {"asn": "65001", "local_addr": "192.0.2.0", "admin_status": "up"}}
    switch.handle.drift({"BGP_NEIGHBOR": session})
    switch.transport.run("sudo config save -y")
    return {**with_buffers(switch.new), "BGP_NEIGHBOR": session}


def ran(switch):
    return [each.text for each in switch.handle.commands() if each.origin == "script"]


def test_a_reload_is_drained_first(switch):
    intended = with_session(switch)
    told = switch.push(intended=intended, consent=frozenset({"reload"}))
    assert (told.outcome, told.way) == (Outcome.CHANGED, "install")
    done = [each for each in ran(switch) if "bgp" in each or "sudo config reload" in each]
    assert [each.split(" -y")[0] for each in done] == [
        "sudo config bgp shutdown all",
        "sudo config reload",
    ]
    assert switch.handle.running()["BGP_NEIGHBOR"]["192.0.2.1"]["admin_status"] == "up"


def test_a_reload_that_cannot_be_drained_is_not_begun(switch):
    intended = with_session(switch)
    old = switch.handle.running()
    switch.handle.inject(Fault("config bgp shutdown", "fail", stderr="bgp is not running"))
    told = switch.push(intended=intended, consent=frozenset({"reload"}))
    assert told.outcome is Outcome.FAILED
    assert "bgp is not running" in told.message
    assert not [each for each in ran(switch) if each.startswith("sudo config reload")]
    assert switch.handle.running() == old


@pytest.mark.slow
def test_a_guard_that_fires_while_it_drains_brings_the_sessions_back(switch):
    intended = with_session(switch)
    old = switch.handle.running()
    switch.handle.inject(Fault("config bgp shutdown", "stuck"))
    switch.push(intended=intended, consent=frozenset({"reload"}), guard_seconds=300)
    switch.wait_for_guard()
    assert switch.handle.running() == old == switch.handle.saved()


@pytest.mark.slow
def test_a_guard_that_fires_while_it_is_saved_never_leaves_half_of_each(switch):
    switch.handle.inject(Fault("^sudo config save", "delay", seconds=600))
    switch.handle.inject(Fault(BACK, "delay", seconds=60))
    told = switch.push(guard_seconds=200)
    switch.wait_for_guard()
    assert told.outcome in {Outcome.ROLLED_BACK, Outcome.UNKNOWN}
    assert switch.is_old()


def test_nothing_is_saved_once_the_guard_is_at_work(switch):
    switch.handle.inject(Fault(BACK, "delay", seconds=200))
    waits = switch.push(confirm_seconds=1, guard_seconds=60)
    assert waits.outcome is Outcome.PENDING
    while not (switch.handle.folder / "var/lib/nettool/r1.undoing").exists():
        switch.clock.sleep(2)
    with pytest.raises(CommandError, match="the guard has fired"):
        Switch(switch.transport).save("r1")
    switch.wait_for_guard()
    assert switch.is_old()


def test_a_way_back_that_would_be_refused_needs_consent_before_anything_is_sent(switch):
    switch.handle.drift({"LOOPBACK_INTERFACE": {"Loopback1": {}}})
    switch.handle.forget()
    intended = {**switch.new, "LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback1": {}}}
    told = switch.push(intended=intended)
    assert told.outcome is Outcome.REFUSED
    assert told.message == (
        "the way back would need a config reload (LOOPBACK_INTERFACE|Loopback0 cannot be "
        "removed live): --consent reload"
    )
    assert switch.handle.writes() == []


@pytest.mark.parametrize(
    ("image", "outcome", "said"),
    [
        ("202511.0-mock", Outcome.CHANGED, ""),
        ("202505.7-abc", Outcome.REFUSED, "on marvell-teralynx with 202505"),
    ],
)
def test_the_switchs_own_image_decides_and_not_the_release_that_was_rendered(image, outcome, said):
    spec = SwitchSpec("leaf01", config=copy.deepcopy(OLD), version=image)
    with MockFleet([spec], scale=SCALE) as fleet:
        switch = OneSwitch(fleet)
        switch.new["WRED_PROFILE"]["R"]["green_min_threshold"] = "1500"
        result = switch.push(chip="marvell-teralynx", release="202405")
    assert result.outcome is outcome
    assert said in result.message
