"""The published rollout cases, played on mock switches: refused rollback, lost switch, sudo."""

import json
import shutil
from functools import cached_property
from pathlib import Path

import pytest
import yaml

from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.deploy.push import Consent, push
from nettool.fleet.deploy.reach import Reach, Settings
from nettool.fleet.deploy.transaction import push_device
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import where
from nettool.fleet.mock.spec import SwitchSpec

CASES = Path(__file__).parents[2] / "../shared/cases/hand"
SCALE = 0.02

pytestmark = [
    pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client"),
    pytest.mark.skipif(
        not CASES.is_dir(), reason="the published cases are not beside this checkout"
    ),
]


def tables(case, name):
    return json.loads((CASES / case / f"{name}.json").read_text())


class Site:
    """Switches with given configurations, and a build with what they shall run."""

    def __init__(self, tmp_path, running, target, names=("leaf01",)):
        self.folder, self.build = tmp_path, tmp_path / "build"
        for name in names:
            folder = self.build / "devices" / name
            folder.mkdir(parents=True)
            (folder / "config_db.json").write_text(json.dumps(target))
        waves = {f"wave_{n:02}": {"hosts": {x: {}}} for n, x in enumerate(names, 1)}
        hosts = {name: {"nettool_chip": "spc4"} for name in names}
        self.inventory = tmp_path / "inventory.yaml"
        self.inventory.write_text(json.dumps({"all": {"hosts": hosts, "children": waves}}))
        self.fleet = MockFleet(
            [SwitchSpec(name, config=running, asic_type="mellanox") for name in names], scale=SCALE
        )

    @cached_property
    def overlay(self):
        """Where the fleet is, with the host keys it had when this was asked first."""
        return mock_overlay(where(self.fleet), self.folder / "overlay")

    def reach(self, answer=60.0, limit=None, progress=None):
        settings = Settings(
            runs=self.folder / "runs", contact=3.0, settle=2.0, guard=900, answer=answer
        )
        return Reach([self.inventory, self.overlay], limit, progress, settings=settings)

    def push(self, answer=60.0, limit=None, progress=None, **fields):
        return push(self.build, self.reach(answer, limit, progress), **fields)


def test_a_refused_rollback_is_told_as_such(tmp_path):
    """apl-01: the change is made, a link does not come up, and the way back is refused."""
    site = Site(tmp_path, tables("apl-01", "running"), tables("apl-01", "target"))
    with site.fleet as fleet:
        switch = fleet["leaf01"]
        up = "Interface  Oper  Admin\n---------  ----  -----\nEthernet8  {}    up\n"
        switch.inject(Fault("^show interfaces status", "reply", stdout=up.format("up  ")))
        switch.inject(
            Fault("^show interfaces status", "reply", stdout=up.format("down"), times=None)
        )
        switch.inject(Fault("^sudo config rollback", "fail", status=2, stderr="refused"))
        report = site.push()
        ran = [each.text for each in switch.commands() if each.origin == "script"]
    told = report.hosts[0]
    assert (told.outcome, report.exit_code) == (Outcome.ROLLBACK_FAILED, 6)
    for place in (
        "CABLE_LENGTH|AZURE Ethernet8",
        "BUFFER_PG|Ethernet8|3-4",
        "BUFFER_PROFILE|pg_lossless_800000_40m_profile",
        "BUFFER_PROFILE|pg_lossless_800000_5m_profile",
    ):
        assert place in told.message
    assert "restored" not in told.message
    assert "rolled back" not in told.message
    assert "config reload" in told.message
    assert sum("config rollback" in each for each in ran if "systemd-run" not in each) == 1
    assert not any(each.startswith("sudo config reload") for each in ran)


@pytest.mark.parametrize(
    "look",
    [
        pytest.param(False, id="at its turn"),
        pytest.param(True, id="all before", marks=pytest.mark.slow),
    ],
)
def test_a_switch_lost_in_the_middle_stops_the_rollout(tmp_path, look):
    """ans-01: the first is done, the second unknown, the others hear nothing.

    With a look at all of them before the first is written to, they hear nothing from then on.
    """
    names = list(yaml.safe_load((CASES / "ans-01" / "device.yaml").read_text())["order"])
    running = tables("ans-03", "running")
    target = json.loads(json.dumps(running))
    target["PORT"][next(iter(target["PORT"]))]["mtu"] = "9000"
    site = Site(tmp_path, running, target, names)
    with site.fleet as fleet:
        fleet["leaf02"].inject(Fault("^sudo config apply-patch", "drop_during", back=None))
        report = site.push(look=look)
        began = min(each.at for each in fleet["leaf01"].writes()) if look else 0
        later = [c for name in names[2:] for c in fleet[name].commands() if c.at > began]
        written = [each for name in names[2:] for each in fleet[name].writes()]
    assert [each.outcome for each in report.hosts] == [
        Outcome.CHANGED,
        Outcome.UNKNOWN,
        Outcome.NOT_STARTED,
        Outcome.NOT_STARTED,
    ]
    assert (later, written) == ([], [])
    assert report.exit_code == 4
    assert [step.name for step in report.hosts[1].steps][-2:] == ["arm", "apply"]


def test_a_second_run_sends_no_writes(tmp_path):
    """ans-03: other order, NULL rows; the plan is empty."""
    running = tables("ans-03", "running")
    site = Site(tmp_path, running, tables("ans-03", "target"))
    with site.fleet as fleet:
        report = site.push()
        assert fleet["leaf01"].writes() == []
    assert (report.hosts[0].outcome, report.exit_code) == (Outcome.UNCHANGED, 0)


def test_keys_that_change_are_said_and_never_shown(tmp_path):
    """sec-01: a passkey and a community change; neither old nor new value is told anywhere."""
    site = Site(tmp_path, tables("sec-01", "running"), tables("sec-01", "target"))
    with site.fleet as fleet:
        checked = site.push(check=True, consent=Consent(reload=True))
        refused = site.push()
        fleet["leaf01"].inject(Fault("config apply-patch", "status", status=2, stderr="no"))
        site.push(consent=Consent(reload=True))
    told = checked.hosts[0]
    assert "TACPLUS" in told.diff
    assert "~ global passkey (secret) -> (secret)" in told.diff
    assert "+ (secret)" in told.diff
    reports = [json.dumps(each.as_json()) for each in (checked, refused)]
    assert not any("CANARY" in text for text in reports)
    runs = [path for path in (tmp_path / "runs").rglob("*") if path.is_file()]
    assert len(runs) > 10
    pushed = [path for path in runs if path.name == "config_db.json"]  # what was pushed, as it is
    assert not [path for path in runs if "CANARY" in path.read_text() and path not in pushed]
    folders = list((tmp_path / "runs").glob("*/build"))
    assert all(each.stat().st_mode & 0o077 == 0 for each in folders)


def test_a_sudo_that_asks_ends_in_time(tmp_path):
    """ans-05: sudo wants a password; the push ends, says so, and changes nothing."""
    site = Site(tmp_path, tables("ans-03", "running"), tables("ans-03", "target"))
    asks = "sudo: a password is required"
    with site.fleet as fleet:
        fleet["leaf01"].inject(Fault("^sudo ", "fail", stderr=asks, times=None))
        report = site.push()
        assert fleet["leaf01"].writes() == []
    told = report.hosts[0]
    assert (told.outcome, report.exit_code) == (Outcome.FAILED, 1)
    assert asks in told.message


def test_a_command_that_never_ends_ends_in_time(tmp_path):
    """ans-05 again: nothing comes back at all."""
    site = Site(tmp_path, tables("ans-03", "running"), tables("ans-03", "target"))
    prompt = "[sudo] password for admin: "
    with site.fleet as fleet:
        fleet["leaf01"].inject(Fault("^sudo ", "hang", stdout=prompt, times=None))
        report = site.push(answer=1.0)
    told = report.hosts[0]
    assert (told.outcome, report.exit_code) == (Outcome.UNREACHABLE, 4)
    assert told.message == (
        "leaf01: no answer to 'sudo -n sonic-cfggen -d --print-data' in 1 s "
        "(does sudo ask for a password there?); nothing was written"
    )


class Untouched:
    """A transport that must not be used."""

    def run(self, command, *, stdin=None, timeout=60.0):
        raise AssertionError(command)

    def reconnect(self):
        raise AssertionError("reconnect")


def test_empty_intent_is_no_order_to_wipe():
    """A build without tables is refused before the switch is asked anything."""
    told = push_device(Untouched(), Order("leaf01", "r1", "anna", {}))
    assert told.outcome is Outcome.FAILED
    assert "holds no tables" in told.message
