"""From a fabric rendered for AsterNOS to mock switches, through Ansible, netmiko and klish."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from nettool.cli.main import main
from nettool.config.diff.asternos import same_lines
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.core.errors import RefusedError
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.deploy.push import Consent, backup, confirm, diff_live, push, rollback
from nettool.fleet.deploy.reach import Reach, Settings
from nettool.fleet.deploy.runner import environment
from nettool.fleet.deploy.verifying import verify
from nettool.fleet.mock.factory import fabric_cables, factory_specs
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import where
from nettool.fleet.mock.spec import Cable
from nettool.pipeline import plan_fabric, render_build

ROOT = Path(__file__).parents[2]
SCALE = 0.02
STARTUP = "etc/sonic/startup.cfg"
CONSENT = Consent(reload=True)
OLD, NEW = "ip address 10.1.0.1/24", "ip address 10.1.0.254/24"

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")


class Site:
    """rail-only-128 rendered for AsterNOS."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.build = folder, folder / "build"
        source = folder / "rail-only-128"
        shutil.copytree(ROOT / "inventories" / "rail-only-128", source)
        self.inventory = source / "nettool.yml"
        self.inventory.write_text("plugin: nettool\nnos: asternos\n")
        self.plan = plan_fabric(source / "fabric.yaml", nos="asternos")
        render_build(self.plan, self.build)

    def text(self, device: str) -> str:
        return (self.build / "devices" / device / "asternos.cfg").read_text()

    def changed(self, device: str, old: str, new: str) -> Path:
        """Another build with one line of one device changed."""
        build = self.folder / "changed"
        shutil.rmtree(build, ignore_errors=True)
        shutil.copytree(self.build, build)
        path = build / "devices" / device / "asternos.cfg"
        assert path.read_text().count(old) == 1
        path.write_text(path.read_text().replace(old, new))
        return build

    def fleet(self, *, installed: bool, extra: str = "") -> MockFleet:
        """Switches as they leave the box, or with the rendered lines and more running and saved."""
        fabric, user = self.plan.fabric, self.plan.intent.management.user
        specs = list(factory_specs(fabric, user, nos="asternos"))
        if installed:
            texts = {each.name: as_saved(read_lines(self.text(each.name))) for each in specs}
            specs = [replace(s, files={f"/{STARTUP}": texts[s.name] + extra}) for s in specs]
        return MockFleet(specs, fabric_cables(fabric), scale=SCALE)

    def reach(self, fleet: MockFleet, limit: str | None = None) -> Reach:
        overlay = mock_overlay(where(fleet), self.folder / "overlay")
        settings = Settings(runs=self.folder / "runs", settle=10.0, contact=4.0)
        return Reach([self.inventory, overlay], limit, settings=settings)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return Site(tmp_path_factory.mktemp("asternos"))


@pytest.fixture
def fleet(site):
    """The fleet as a first push leaves it."""
    with site.fleet(installed=True) as fleet:
        yield fleet


def as_saved(views) -> str:
    """The text a switch keeps: views with their lines."""
    tops = views["global"]
    return "".join(
        f"{top}\n" + "".join(f" {line}\n" for line in views.get(top, {})) for top in tops
    )


def outcomes(report):
    return {each.device: each.outcome for each in report.hosts}


def saved(fleet, name):
    return read_lines((fleet[name].folder / STARTUP).read_text())


def writes(fleet):
    return [each for switch in fleet for each in switch.writes()]


@pytest.mark.slow
def test_a_first_push_needs_consent_and_a_second_changes_nothing(site):
    with site.fleet(installed=False) as fleet:
        reach = site.reach(fleet)
        refused = push(site.build, reach)
        assert (refused.exit_code, writes(fleet)) == (7, [])
        assert "--consent reload" in refused.hosts[0].message
        checked = push(site.build, reach, check=True)
        assert set(outcomes(checked).values()) == {Outcome.WOULD_REFUSE}
        assert "--consent reload" in checked.hosts[0].message
        agreed = push(site.build, reach, check=True, consent=CONSENT)
        assert set(outcomes(agreed).values()) == {Outcome.WOULD_CHANGE}
        assert writes(fleet) == []
        first = push(site.build, reach, consent=CONSENT)
        assert set(outcomes(first).values()) == {Outcome.CHANGED}
        assert (first.hosts[0].way, first.hosts[0].impact) == ("lines", "link flap")
        for switch in fleet:
            assert switch.timers() == []
            switch.forget()
        assert set(outcomes(push(site.build, reach)).values()) == {Outcome.UNCHANGED}
        assert writes(fleet) == []


def test_one_line_is_shown_pushed_verified_and_undone(site, fleet):
    reach = site.reach(fleet, "leaf01:leaf02")
    before, build = saved(fleet, "leaf02"), site.changed("leaf02", "10.1.1.1/24", "10.1.1.254/24")
    live = diff_live(build, reach)
    assert [each.device for each in live.hosts if each.changes] == ["leaf02"]
    line = "    ~ ip address line ip address 10.1.1.1/24 -> ip address 10.1.1.254/24\n"
    assert live.hosts[1].diff == f"leaf02: 1 change\n  interface vlan 102\n{line}"
    assert {each.rule for each in verify(build, reach).findings} >= {"VER001"}
    pushed = push(build, reach, consent=CONSENT)
    assert outcomes(pushed) == {"leaf01": Outcome.UNCHANGED, "leaf02": Outcome.CHANGED}
    assert [w.what for w in fleet["leaf02"].writes() if w.kind == "running"] == [
        "ip address 10.1.1.254/24"
    ]
    assert "ip address 10.1.1.254/24" in saved(fleet, "leaf02")["interface vlan 102"]
    assert {each.rule for each in verify(build, reach).findings} == {"VER020", "VER022"}
    undone = rollback(site.reach(fleet, "leaf02"), consent=CONSENT)
    assert outcomes(undone) == {"leaf02": Outcome.CHANGED}
    assert saved(fleet, "leaf02") == before


@pytest.mark.slow
def test_a_cable_in_another_port_is_found(site, fleet):
    reach = site.reach(fleet, "leaf01")
    seen = verify(site.build, reach).findings
    assert {each.rule for each in seen} == {"VER020", "VER022"}
    assert any("values that no line can write: not held against" in e.message for e in seen)
    fleet.network.plug(Cable("leaf01:Ethernet8", "node01:nic1"))
    said = [e.message for e in verify(site.build, reach).findings if e.rule == "VER006"]
    assert said == ["leaf01: Ethernet8 is planned towards node02:nic1, LLDP sees node01:nic1"]


@pytest.mark.slow
def test_confirm_and_backup(site, fleet, tmp_path):
    reach = site.reach(fleet, "leaf01")
    build = site.changed("leaf01", OLD, NEW)
    waits = push(build, reach, consent=Consent(reload=True, confirm=900))
    assert outcomes(waits) == {"leaf01": Outcome.PENDING}
    assert OLD in saved(fleet, "leaf01")["interface vlan 101"]
    assert outcomes(confirm(reach)) == {"leaf01": Outcome.CHANGED}
    assert NEW in saved(fleet, "leaf01")["interface vlan 101"]
    assert outcomes(backup(tmp_path, reach)) == {"leaf01": Outcome.CHANGED}
    kept = tmp_path / "leaf01.cfg"
    assert NEW in read_lines(kept.read_text())["interface vlan 101"]
    assert kept.stat().st_mode & 0o077 == 0
    assert outcomes(backup(tmp_path, reach)) == {"leaf01": Outcome.UNCHANGED}


def test_a_refused_line_and_a_missing_bash_leave_everything_as_it_was(site, fleet):
    build = site.changed("leaf01", OLD, NEW)
    before = saved(fleet, "leaf01")
    fleet["leaf01"].inject(Fault(f"^{NEW}", "fail", stderr="no such address"))
    report = push(build, site.reach(fleet, "leaf01"), consent=CONSENT)
    assert (outcomes(report), report.exit_code) == ({"leaf01": Outcome.FAILED}, 1)
    assert NEW in report.hosts[0].message
    fleet["leaf01"].inject(Fault("^system bash", "fail", stderr="permission denied", times=None))
    fleet["leaf01"].forget()
    refused = push(build, site.reach(fleet, "leaf01"), consent=CONSENT)
    assert (outcomes(refused), refused.exit_code) == ({"leaf01": Outcome.REFUSED}, 7)
    assert "no guard without bash" in refused.hosts[0].message
    assert fleet["leaf01"].writes() == []
    assert saved(fleet, "leaf01") == before


@pytest.mark.slow
def test_a_changed_host_key_stops_that_switch_only(site, fleet):
    reach = site.reach(fleet)
    fleet["leaf03"].new_host_key()
    report = diff_live(site.build, reach)
    assert [each.outcome for each in report.hosts] == [
        Outcome.UNCHANGED,
        Outcome.UNCHANGED,
        Outcome.UNREACHABLE,
        Outcome.UNCHANGED,
    ], report
    assert "host key" in report.hosts[2].message.lower()
    pushed = push(site.changed("leaf01", "10.1.0.1/24", "10.1.0.254/24"), reach, consent=CONSENT)
    assert [each.outcome for each in pushed.hosts] == [
        Outcome.CHANGED,
        Outcome.UNCHANGED,
        Outcome.UNREACHABLE,
        Outcome.UNCHANGED,
    ], pushed
    assert pushed.exit_code == 4
    assert not any(each.origin == "shell" for each in fleet["leaf03"].commands())


def test_what_nobody_has_proved_stays_on_this_machine(site):
    away = site.folder / "away.yml"
    away.write_text(json.dumps({"all": {"hosts": {"leaf01": {"ansible_host": "192.0.2.1"}}}}))
    settings = Settings(runs=site.folder / "runs")
    reach = Reach([site.inventory, away], "leaf01", settings=settings)
    with pytest.raises(RefusedError, match="--allow-unverified"):
        push(site.build, reach, consent=CONSENT)


@pytest.mark.slow
def test_plain_ansible_playbook_does_the_same(site, fleet):
    build = site.changed("leaf03", "10.1.2.1/24", "10.1.2.254/24")
    overlay = mock_overlay(where(fleet), site.folder / "overlay")
    command = ["ansible-playbook", "-i", str(site.inventory), "-i", str(overlay), "--diff"]
    command += ["playbooks/push.yml", "-l", "rail_03", "-e", f"nettool_build={build}"]
    command += ["-e", "nettool_consent=reload"]
    seen = []
    for check in (["--check"], [], []):
        done = subprocess.run(
            [*command, *check], cwd=ROOT, env=environment(), capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        seen.append(("10.1.2.254" in done.stdout, "changed=1" in done.stdout))
        if check:
            assert writes(fleet) == []
    assert seen == [(True, True), (True, True), (False, False)]
    assert "ip address 10.1.2.254/24" in saved(fleet, "leaf03")["interface vlan 103"]


@pytest.mark.slow
def test_a_first_push_is_rolled_back_to_the_switch_as_it_left_its_box(site):
    with site.fleet(installed=False) as fleet:
        reach, switch = site.reach(fleet, "leaf01"), fleet["leaf01"]
        assert outcomes(push(site.build, reach, consent=CONSENT)) == {"leaf01": Outcome.CHANGED}
        assert saved(fleet, "leaf01")["global"]
        undone = rollback(reach, consent=CONSENT)
        assert outcomes(undone) == {"leaf01": Outcome.CHANGED}, undone
        assert not (switch.folder / STARTUP).exists()
        assert switch.timers() == []
        switch.forget()
        again = rollback(reach, consent=CONSENT)
        assert (outcomes(again), writes(fleet)) == ({"leaf01": Outcome.UNCHANGED}, [])
        assert "was rolled back already" in again.hosts[0].message


@pytest.mark.slow
def test_a_vlan_that_is_no_longer_intended_is_shown_taken_away_and_brought_back(site):
    extra = "vlan 999\ninterface vlan 999\n ip address 10.99.0.1/24\nntp server 192.0.2.1\n"
    with site.fleet(installed=True, extra=extra) as fleet:
        reach, before = site.reach(fleet, "leaf01"), saved(fleet, "leaf01")
        (host,) = diff_live(site.build, reach).hosts
        assert {(c["op"], c["table"], c["key"]) for c in host.changes} == {
            ("remove", "global", "vlan 999"),
            ("remove", "global", "interface vlan 999"),
            ("remove", "interface vlan 999", "ip address 10.99.0.1/24"),
        }
        assert host.beyond["kept_lines"] == 1
        assert "not nettool's, stays as it is: 1 line (ntp server 192.0.2.1)" in host.notes
        assert host.beyond["unproved_lines"] == [
            "no ip address 10.99.0.1/24", "no interface vlan 999", "no vlan 999",
        ]  # fmt: skip
        refused = push(site.build, reach)
        assert (refused.exit_code, writes(fleet)) == (7, [])
        fleet["leaf01"].forget()
        assert push(site.build, reach, consent=CONSENT).exit_code == 0
        assert [w.what for w in fleet["leaf01"].writes() if w.kind == "running"] == [
            "no ip address 10.99.0.1/24", "no interface vlan 999", "no vlan 999",
        ]  # fmt: skip
        assert "vlan 999" not in saved(fleet, "leaf01")["global"]
        assert "ntp server 192.0.2.1" in saved(fleet, "leaf01")["global"]
        assert rollback(reach, consent=CONSENT).exit_code == 0
        assert same_lines(saved(fleet, "leaf01"), before)


@pytest.mark.slow
def test_what_no_line_can_write_is_told_of_a_switch_whose_lines_are_as_intended(site, fleet):
    reach, told = site.reach(fleet, "leaf01"), "values cannot be written on AsterNOS by lines"
    for report in (
        diff_live(site.build, reach),
        push(site.build, reach, check=True),
        push(site.build, reach),
    ):
        assert outcomes(report) == {"leaf01": Outcome.UNCHANGED}
        (note,) = report.hosts[0].notes
        assert told in note
        assert "playbooks/roce.yml" in note
        (device,) = report.as_json()["devices"]
        assert device["unwritten"]["count"] > 300
        assert device["unwritten"]["tables"]["BUFFER_PROFILE"] > 0
    pushed = push(site.changed("leaf01", OLD, NEW), reach, consent=CONSENT)
    assert outcomes(pushed) == {"leaf01": Outcome.CHANGED}
    build = site.changed("leaf01", OLD, NEW)
    path = build / "devices/leaf01/unwritten.json"
    given = json.loads(path.read_text())
    given["tables"]["SYSLOG_SERVER"] = {"192.0.2.5": {}}
    path.write_text(json.dumps(given))
    later = push(build, reach, check=True).hosts[0]
    assert later.outcome is Outcome.UNCHANGED
    assert "SYSLOG_SERVER|192.0.2.5 none -> there" in later.notes[1]
    assert {"path": "SYSLOG_SERVER|192.0.2.5", "before": None, "after": ""} in (
        later.beyond["unwritten"]["changed"]
    )


@pytest.mark.slow
def test_what_no_line_can_write_counts_for_the_exit_code_of_a_live_diff(site, fleet, monkeypatch):
    """As between two intents: the lines are as intended, the values are others than pushed."""
    reach = site.reach(fleet, "leaf01")
    waits = push(site.changed("leaf01", OLD, NEW), reach, consent=CONSENT)
    assert outcomes(waits) == {"leaf01": Outcome.CHANGED}
    assert outcomes(push(site.build, reach, consent=CONSENT)) == {"leaf01": Outcome.CHANGED}
    monkeypatch.chdir(site.folder)
    fabric = site.inventory.with_name("fabric.yaml")
    words = ["diff", str(fabric), "--live", "-i", "overlay", "-l", "leaf01", "--exit-code"]
    assert main(words) == 0
    before = fabric.read_text()
    fabric.write_text(before.replace("192.168.100.3", "192.168.100.9"))
    try:
        assert main(words) == 2
    finally:
        fabric.write_text(before)
