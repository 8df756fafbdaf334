"""A rollback undoes one run, on the switches it changed, once."""

import json

import pytest

from nettool.core.errors import UsageError
from nettool.fleet.deploy.later import rollback_device
from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.switch import Switch
from nettool.fleet.deploy.undoing import undo_of


class Site:
    """One switch, and the rollback of it as the playbook calls it."""

    def __init__(self, switch):
        self.switch = switch

    def back(self, run="", *, name="b1", last=False, check=False):
        times = {"settle_seconds": 4.0, "contact_seconds": 60.0}
        order = Order("leaf01", name, "anna", {}, check=check, **times)
        reached = Switch(self.switch.transport, 60.0)
        return rollback_device(reached, order, self._push, run, last=last)

    def _push(self, order):
        fields = {"whole": order.whole, "undoes": order.undoes, "check": order.check}
        return self.switch.push(order.run, intended=order.intended, **fields)

    @property
    def mtu(self):
        return self.switch.handle.running()["PORT"]["Ethernet1"]["mtu"]


@pytest.fixture
def site(switch):
    return Site(switch)


@pytest.mark.parametrize("run", ["", "r1"])
def test_undoing_twice_is_no_redo(site, run):
    assert site.switch.push("r1").outcome is Outcome.CHANGED
    assert site.back(run).outcome is Outcome.CHANGED
    assert site.mtu == "9100"
    again = site.back("r1", name="b2")
    assert (again.outcome, site.mtu) == (Outcome.UNCHANGED, "9100")
    assert again.message == "run r1 was rolled back already, by run b1: nothing to do"
    assert site.back("", name="b3").outcome is Outcome.UNCHANGED


def test_a_run_the_switch_had_no_part_in(site):
    site.switch.push("r1")
    told = site.back("r9")
    assert (told.outcome, site.mtu) == (Outcome.UNCHANGED, "9216")
    assert told.message == "no push r9 is remembered: nothing to go back to"


def test_a_later_push_of_somebody_else_is_not_undone_unasked(site):
    site.switch.push("r1")
    second = json.loads(json.dumps(site.switch.new))
    second["PORT"]["Ethernet2"]["mtu"] = "9216"
    assert site.switch.push("r2", intended=second, operator="berta").outcome is Outcome.CHANGED
    told = site.back("r1", last=True)
    assert (told.outcome, site.mtu) == (Outcome.REFUSED, "9216")
    assert told.message == "run r2 was here since: undo that one, or name this one (--run r1)"
    told = site.back("r1")
    assert (told.outcome, told.message) == (
        Outcome.CHANGED,
        "what came later goes with it: run r2",
    )
    assert site.mtu == "9100"


def with_mtu(site, mtu):
    wanted = json.loads(json.dumps(site.switch.new))
    wanted["PORT"]["Ethernet1"]["mtu"] = mtu
    return wanted


def test_what_went_with_an_older_push_is_undone_as_well(site):
    site.switch.push("r1")
    site.switch.push("r2", intended=with_mtu(site, "1500"))
    assert site.back("r1").outcome is Outcome.CHANGED
    site.switch.handle.forget()
    for last in (True, False):
        again = site.back("r2", name="b2", last=last)
        said = "run r2 was rolled back already, with run r1, by run b1: nothing to do"
        assert (again.outcome, again.message) == (Outcome.UNCHANGED, said)
    assert (site.switch.handle.writes(), site.mtu) == ([], "9100")
    site.switch.push("r3")
    assert (site.back("r3", name="b3", last=True).outcome, site.mtu) == (Outcome.CHANGED, "9100")
    assert site.back("r3", name="b4", last=True).outcome is Outcome.UNCHANGED


def kept(site, pattern):
    return sorted(path.name for path in site.switch.handle.folder.glob(pattern))


def test_a_push_that_is_too_old_is_refused_and_what_can_be_undone_is_said(site):
    site.switch.push("r1")
    for run, mtu in (("r2", "1500"), ("r3", "1600"), ("x1", "1700")):
        site.switch.push(run, intended=with_mtu(site, mtu))
    assert site.back("x1").outcome is Outcome.CHANGED
    site.switch.push("r4", intended=with_mtu(site, "1800"))
    told = site.back("r1", name="b2")
    assert (told.outcome, site.mtu) == (Outcome.REFUSED, "1800")
    said = "run r1 is too old: the last 3 pushes can be undone, here r4, r3, r2"
    assert told.message == said
    assert kept(site, "var/lib/nettool/*.saved.json") == [f"r{n}.saved.json" for n in (2, 3, 4)]
    assert len(kept(site, "etc/sonic/checkpoints/*")) == 3
    assert (site.back("r2", name="b3").outcome, site.mtu) == (Outcome.CHANGED, "9216")


def test_what_waits_for_confirm_goes_back_by_itself(site):
    assert site.switch.push("r1", confirm_seconds=900).outcome is Outcome.PENDING
    told = site.back("r1")
    assert (told.outcome, site.mtu) == (Outcome.REFUSED, "9216")
    assert "goes back by itself unless it is confirmed" in told.message


def record(runs, run, outcomes, *, playbook="push", name="small", check=False):
    folder = runs / run
    folder.mkdir(parents=True)
    order = {"playbook": playbook, "check": check, "name": name, "hosts": list(outcomes)}
    (folder / "order.json").write_text(json.dumps(order))
    lines = [{"device": device, "event": event} for device, event in outcomes.items()]
    (folder / "state.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))


CUT = {"leaf01": "changed", "leaf02": "start", "leaf03": "waits for confirm"}
REFUSED = {"leaf01": "refused"}
DONE = {"leaf01": "unchanged", "leaf02": "unchanged"}
RUNS = [
    # what is recorded, oldest first; the run to undo, and where
    ([CUT], "r1", ("leaf01", "leaf02", "leaf03")),
    ([{"leaf09": "changed"}, CUT], "r2", ("leaf01", "leaf02", "leaf03")),
    ([{"leaf09": "changed"}, DONE], "r1", ("leaf09",)),
    ([{"leaf09": "changed"}, REFUSED], "r2", ()),
    ([{"leaf01": "rolled back", "leaf02": "changed"}], "r1", ("leaf02",)),
]


@pytest.mark.parametrize(("recorded", "run", "devices"), RUNS)
def test_the_last_push_on_the_switches_it_changed(tmp_path, recorded, run, devices):
    for number, outcomes in enumerate(recorded, 1):
        record(tmp_path, f"r{number}", outcomes)
    record(tmp_path, "r7", {"leaf01": "changed"}, playbook="rollback")
    record(tmp_path, "r8", {"leaf01": "would change"}, check=True)
    record(tmp_path, "r9", {"leaf01": "changed"}, name="other")
    undo = undo_of(tmp_path, "small")
    assert (undo.run, undo.devices) == (run, devices)


def test_a_push_that_changed_nothing_is_said_with_the_one_before(tmp_path):
    record(tmp_path, "r1", {"leaf01": "changed"})
    record(tmp_path, "r2", REFUSED)
    said = "run r2 changed no switch: nothing to undo (the one before it that did: --run r1)"
    assert undo_of(tmp_path, "small").message == said
    assert undo_of(tmp_path, "small", "r1").devices == ("leaf01",)


@pytest.mark.parametrize("of", ["nope", "../../etc", "r2"])
def test_a_run_that_is_no_push_of_this_fabric(tmp_path, of):
    record(tmp_path, "r1", {"leaf01": "changed"})
    record(tmp_path, "r2", {"leaf01": "changed"}, playbook="rollback")
    said = f"no push '{of}' is recorded in .*: the last ones are r1; undo it in .* -i INVENTORY "
    with pytest.raises(UsageError, match=f"{said}.*rollback.yml -e nettool_of={of} --check --diff"):
        undo_of(tmp_path, "small", of)


def test_nothing_was_pushed_from_here(tmp_path):
    said = "no push of small that changed a switch is recorded in .*rollback.yml --check --diff"
    with pytest.raises(UsageError, match=said):
        undo_of(tmp_path, "small")


ALONG = "changed by other hands since, goes along: 1 row (VLAN|Vlan779)"


def by_hand(site):
    running = site.switch.handle.running()
    site.switch.handle.drift({**running, "VLAN": {"Vlan779": {"vlanid": "779"}}})


@pytest.mark.parametrize("check", [True, False])
def test_what_other_hands_made_since_is_named_before_and_after(site, check):
    site.switch.push("r1")
    by_hand(site)
    told = site.back("r1", check=check)
    outcome = Outcome.WOULD_CHANGE if check else Outcome.CHANGED
    assert (told.outcome, told.message) == (outcome, ALONG)
    assert {each.key for each in told.changes.changes} >= {"Vlan779", "Ethernet1"}
    assert ("VLAN" in site.switch.handle.running()) is check


def test_where_the_switch_kept_no_copy_it_is_said_that_nobody_knows(site):
    site.switch.push("r1")
    (site.switch.handle.folder / "var/lib/nettool/r1.after.json").unlink()
    said = "what other hands changed since is not known, and goes along"
    assert site.back("r1", check=True).message == said
