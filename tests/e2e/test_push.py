"""From a rendered fabric to verified mock switches, through Ansible and real ssh."""

import json
import re
import shutil
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.core.errors import RefusedError
from nettool.fleet.deploy.inventory import inventory
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.deploy.push import (
    Consent,
    backup,
    confirm,
    diff_live,
    history,
    push,
    rollback,
)
from nettool.fleet.deploy.reach import Reach, Settings
from nettool.fleet.deploy.runner import environment
from nettool.fleet.deploy.verifying import exit_code, verify
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import where
from nettool.fleet.mock.spec import Cable, SwitchSpec
from nettool.intent.load import find_fabric
from nettool.pipeline import plan_fabric, render_build

ROOT = Path(__file__).parents[2]
FABRICS = ("rail-only-128", "rail-optimized-256")
SCALE = 0.02
OWN_FIELDS = ("lanes", "alias", "index", "speed", "fec")

pytestmark = pytest.mark.skipif(
    shutil.which("ssh") is None or shutil.which("ssh-keygen") is None,
    reason="needs an OpenSSH client",
)


class Site:
    """A fabric that was rendered, and the mock fleet that stands for it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder, self.build = name, folder, folder / "build"
        plan = plan_fabric(find_fabric(name))
        self.fabric, self.intent = plan.fabric, plan.intent
        render_build(plan, self.build)
        (self.build / "unverified.json").unlink()

    def fleet(self, *, installed: bool) -> MockFleet:
        """Switches with their factory ports, or with the rendered configuration already."""
        specs = [
            SwitchSpec(
                each.name,
                config=self.config(each.name, installed=installed),
                hwsku=each.sku,
                platform=self.config(each.name)["DEVICE_METADATA"]["localhost"]["platform"],
            )
            for each in self.fabric.devices
        ]
        cables = [
            Cable(f"{each.a.device}:{each.a.port}", f"{each.b.device}:{each.b.port}")
            for each in self.fabric.links
        ]
        return MockFleet(specs, cables, scale=SCALE)

    def config(self, device: str, *, installed: bool = True):
        config = json.loads((self.build / "devices" / device / "config_db.json").read_text())
        metadata = config["DEVICE_METADATA"]["localhost"]
        metadata["mac"] = "00:00:5e:00:53:01"
        if installed:
            return config
        ports = {
            name: {field: row[field] for field in OWN_FIELDS if field in row}
            for name, row in config["PORT"].items()
        }
        factory = {field: metadata[field] for field in ("mac", "platform", "hwsku")}
        return {"DEVICE_METADATA": {"localhost": factory}, "PORT": ports}

    def reach(self, fleet: MockFleet):
        """What every function of the command line gets."""
        overlay = mock_overlay(where(fleet), self.folder / "overlay")
        settings = Settings(runs=self.folder / "runs", settle=60.0, contact=4.0)
        source = ROOT / "inventories" / self.name / "nettool.yml"
        return Reach([source, overlay], settings=settings)


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    return {name: Site(name, tmp_path_factory.mktemp(name)) for name in FABRICS}


@pytest.fixture
def small(sites):
    """The smaller fabric with its configuration installed."""
    site = sites["rail-only-128"]
    with site.fleet(installed=True) as fleet:
        yield site, fleet, site.reach(fleet)


def outcomes(report):
    return {each.device: each.outcome for each in report.hosts}


def writes(fleet):
    return [each for switch in fleet for each in switch.writes()]


@pytest.mark.slow
@pytest.mark.parametrize("name", FABRICS)
def test_first_install_then_nothing_then_verified(sites, name):
    site = sites[name]
    with site.fleet(installed=False) as fleet:
        reach = site.reach(fleet)
        factory = {switch.name: switch.running() for switch in fleet}
        refused = push(site.build, reach)
        assert refused.exit_code == 7
        assert "--consent reload" in refused.hosts[0].message
        assert writes(fleet) == []
        first = push(site.build, reach, consent=Consent(reload=True))
        assert set(outcomes(first).values()) == {Outcome.CHANGED}
        assert first.exit_code == 0
        for switch in fleet:
            assert switch.running() == switch.saved()
            switch.forget()
        again = push(site.build, reach)
        assert set(outcomes(again).values()) == {Outcome.UNCHANGED}
        assert writes(fleet) == []
        report = verify(site.build, reach)
        assert report.findings == ()
        assert report.summary["devices"] == len(site.fabric.devices)
        ticket = (Path(str(report.summary["folder"])) / "verify.md").read_text()
        assert f"# {len(site.fabric.devices)} switches verified" in ticket
        back = rollback(reach, consent=Consent(reload=True))
        assert {each.message for each in back.hosts} == {""}
        assert set(outcomes(back).values()) == {Outcome.CHANGED}
        for switch in fleet:
            assert switch.running() == switch.saved() == factory[switch.name]


def test_a_change_behind_our_back_is_shown_exactly_and_pushed_back(small):
    site, fleet, reach = small
    reach = replace(reach, limit="leaf01:leaf02")
    profile = next(iter(fleet["leaf02"].running()["WRED_PROFILE"]))
    fleet["leaf02"].drift({"WRED_PROFILE": {profile: {"green_min_threshold": "4096"}}})
    wanted = site.config("leaf02")["WRED_PROFILE"][profile]["green_min_threshold"]
    live = diff_live(site.build, reach)
    assert [each.device for each in live.hosts if each.changes] == ["leaf02"]
    assert live.hosts[1].diff == (
        f"leaf02: 1 change\n  WRED_PROFILE\n    ~ {profile} green_min_threshold 4096 -> {wanted}\n"
    )
    assert {each.rule for each in verify(site.build, reach).findings} == {"VER001", "VER003"}
    checked = push(site.build, reach, check=True)
    assert outcomes(checked)["leaf02"] is Outcome.WOULD_CHANGE
    assert [each.by for each in writes(fleet)] == ["someone else"]
    pushed = push(site.build, reach)
    assert outcomes(pushed)["leaf02"] is Outcome.CHANGED
    assert (pushed.hosts[1].way, pushed.exit_code) == ("patch", 0)
    path = f"/WRED_PROFILE/{profile}/green_min_threshold"
    assert pushed.hosts[1].patch == ({"op": "replace", "path": path, "value": wanted},)
    assert fleet["leaf02"].running() == site.config("leaf02")


def drift(fleet, *names):
    for name in names:
        fleet[name].drift({"PORT": {"Ethernet0": {"mtu": "1500"}}})


def test_a_refused_patch_stops_the_rollout(small):
    site, fleet, reach = small
    drift(fleet, "leaf01", "leaf02")
    fleet["leaf01"].inject(Fault("^sudo config apply-patch", "fail", status=2, stderr="refused"))
    report = push(site.build, reach)
    assert list(outcomes(report).values()) == [
        Outcome.FAILED,
        Outcome.NOT_STARTED,
        *[Outcome.UNCHANGED] * 2,
    ]
    assert report.exit_code == 1
    assert fleet["leaf02"].writes()[1:] == []
    assert fleet["leaf03"].writes() == []


@pytest.mark.slow
def test_a_switch_lost_while_applying_goes_back_by_its_guard(small):
    site, fleet, reach = small
    drift(fleet, "leaf01", "leaf02")
    fleet["leaf02"].inject(Fault("^sudo config apply-patch", "drop_during", back=None))
    own = Settings(runs=reach.settings.runs, contact=reach.settings.contact, guard=300)
    report = push(site.build, replace(reach, settings=own))
    assert list(outcomes(report).values()) == [
        Outcome.CHANGED,
        Outcome.UNKNOWN,
        Outcome.UNCHANGED,
        Outcome.UNCHANGED,
    ]
    assert report.exit_code == 4
    assert report.hosts[1].steps[-1].name == "apply"
    deadline = time.monotonic() + 30
    while fleet["leaf02"].timers() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert fleet["leaf02"].running()["PORT"]["Ethernet0"]["mtu"] == "1500"
    fleet["leaf02"].heal()
    assert outcomes(push(site.build, reach))["leaf02"] is Outcome.CHANGED
    assert fleet["leaf02"].running() == fleet["leaf02"].saved() == site.config("leaf02")


@pytest.mark.slow
def test_two_operators(small):
    site, fleet, reach = small
    drift(fleet, "leaf01")
    fleet["leaf01"].inject(Fault("^sudo config apply-patch", "delay", seconds=700))
    patient = replace(reach, settings=replace(reach.settings, guard=2000))
    first = threading.Thread(target=push, args=(site.build, patient))
    first.start()
    while not fleet["leaf01"].timers() and first.is_alive():
        time.sleep(0.05)
    with pytest.raises(RefusedError, match="is being pushed by"):
        push(site.build, reach)
    elsewhere = Settings(runs=site.folder / "elsewhere", contact=4.0)
    other = push(site.build, replace(reach, limit="leaf01", settings=elsewhere))
    first.join()
    assert (other.hosts[0].outcome, other.exit_code) == (Outcome.REFUSED, 7)
    assert "holds it" in other.hosts[0].message
    assert fleet["leaf01"].running() == site.config("leaf01")


@pytest.mark.slow
def test_confirm_rollback_backup_history(small):
    site, fleet, reach = small
    drift(fleet, "leaf01")
    one = replace(reach, limit="leaf01")
    waits = push(site.build, one, consent=Consent(confirm=900))
    assert outcomes(waits) == {"leaf01": Outcome.PENDING}
    assert outcomes(confirm(one)) == {"leaf01": Outcome.CHANGED}
    assert fleet["leaf01"].saved() == site.config("leaf01")
    back = rollback(one)
    assert outcomes(back) == {"leaf01": Outcome.CHANGED}
    assert fleet["leaf01"].running()["PORT"]["Ethernet0"]["mtu"] == "1500"
    kept = site.folder / "backup"
    assert backup(kept, reach).exit_code == 0
    assert json.loads((kept / "leaf01.json").read_text()) == fleet["leaf01"].running()
    assert (kept / "leaf01.json").stat().st_mode & 0o077 == 0
    assert history(reach.settings.runs)[0]["summary"]["playbook"] == "backup"


@pytest.mark.slow
def test_a_changed_host_key_stops_that_switch_only(small):
    site, fleet, reach = small
    fleet["leaf03"].new_host_key()
    report = diff_live(site.build, reach)
    reached = dict.fromkeys(("leaf01", "leaf02", "leaf04"), Outcome.UNCHANGED)
    assert outcomes(report) == {**reached, "leaf03": Outcome.UNREACHABLE}
    assert report.exit_code == 4
    for limit, looked_at in ((None, 3), ("leaf03", 0)):
        seen = verify(site.build, replace(reach, limit=limit))
        assert [each.device for each in seen.findings if each.rule == "VER000"] == ["leaf03"]
        assert (seen.summary["looked_at"], exit_code(seen)) == (looked_at, 4)


def test_unverified_lines_go_to_loopback_only(small):
    site, _fleet, reach = small
    marker = site.build / "unverified.json"
    marker.write_text('{"devices": {"leaf01": ["interface 0/0"]}}')
    try:
        with pytest.raises(RefusedError, match="--allow-unverified"):
            push(site.build, replace(reach, inventory=reach.inventory[:1]))
        assert push(site.build, replace(reach, limit="leaf01")).exit_code == 0
    finally:
        marker.unlink()


@pytest.mark.slow
def test_no_output_holds_a_secret(small):
    site, fleet, reach = small
    secret = "CANARY-9f2"
    row = {"192.0.2.9": {"passkey": secret, "priority": "1"}}
    fleet["leaf01"].drift({"TACPLUS_SERVER": row, "SNMP_COMMUNITY": {secret: {"TYPE": "RO"}}})
    path = site.build / "devices" / "leaf01" / "config_db.json"
    before = path.read_text()
    config = json.loads(before)
    config["TACPLUS_SERVER"] = {"192.0.2.9": {"passkey": f"{secret}-new", "priority": "1"}}
    config["SNMP_COMMUNITY"] = {f"{secret}-new": {"TYPE": "RO"}}
    path.write_text(json.dumps(config))
    runs = site.folder / "secret-runs"
    own = replace(reach, settings=Settings(runs=runs, contact=4.0))
    try:
        live = diff_live(site.build, own)
        told = push(site.build, own)
        seen = verify(site.build, own)
    finally:
        path.write_text(before)
    assert told.hosts[0].outcome is Outcome.CHANGED
    assert "passkey (secret) -> (secret)" in live.hosts[0].diff
    shown = [json.dumps(each.as_json()) for each in (live, told, seen)]
    assert not any(secret in text for text in shown)
    leaks = [p for p in runs.rglob("*") if p.is_file() and secret in p.read_text()]
    kept = {p.relative_to(runs).parts[:2] for p in leaks}
    assert kept == {(told.run, "build")}  # what is pushed holds its secrets
    assert (runs / told.run).stat().st_mode & 0o077 == 0


def plain(site, reach, *more):
    """Plain `ansible-playbook` with the push playbook: its exit status and what it printed."""
    sources = [word for path in reach.inventory for word in ("-i", str(path))]
    command = ["ansible-playbook", *sources, str(ROOT / "playbooks" / "push.yml"), "--diff"]
    done = subprocess.run(
        [*command, "-e", f"nettool_build={site.build}", *more],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_plain_ansible_playbook_gives_the_same(small):
    site, fleet, reach = small
    drift(fleet, "leaf04")
    status, said = plain(site, reach)
    assert status == 0, said
    assert said.count("~ Ethernet0 mtu 1500 -> 9") == 1
    assert "changed=1" in said
    assert fleet["leaf04"].running() == site.config("leaf04")


@pytest.mark.parametrize("more", [("--tags", "look"), ("--check",), ()], ids=" ".join)
def test_plain_ansible_playbook_looks_at_all_before_it_writes_to_one(small, more):
    site, fleet, reach = small
    drift(fleet, "leaf01", "leaf04")
    fleet["leaf03"].inject(Fault("sonic-cfggen", "fail", stderr="no", times=None))
    status, said = plain(site, reach, *more)
    assert status == 2, said
    assert "exit status 1: no" in said
    assert all(f"{name} " in said.partition("PLAY RECAP")[2] for name in ("leaf01", "leaf04"))
    assert ("~ Ethernet0 mtu 1500 -> 9" in said) == ("--check" in more)
    assert {each.by for each in writes(fleet)} == {"someone else"}


def test_plain_ansible_playbook_lets_no_unproved_line_go_unasked(small):
    site, fleet, reach = small
    drift(fleet, "leaf01")
    marker = site.build / "unverified.json"
    marker.write_text('{"devices": {"leaf01": ["interface 0/0"]}}')
    away = ("-e", "ansible_host=localhost.invalid")
    try:
        status, said = plain(site, reach, "-l", "leaf01", *away)
        assert "nettool_allow_unverified" in said
        asked = plain(site, reach, "-l", "leaf01", *away, "-e", "nettool_allow_unverified=true")[1]
        assert "nettool_allow_unverified" not in asked
    finally:
        marker.unlink()
    assert status == 2
    assert {each.by for each in writes(fleet)} == {"someone else"}


@pytest.mark.slow
def test_plain_ansible_in_check_mode_shows_what_differs_and_fails_what_would_be_refused(
    small, tmp_path
):
    site, fleet, reach = small
    drift(fleet, "leaf04")
    policy = tmp_path / "policy.yaml"
    policy.write_text("timezone: UTC\nrules: [{at_least: brief drop, why: jobs run}]\n")
    status, said = plain(site, reach, "--check", "-e", f"nettool_policy={policy}")
    assert status == 2, said
    assert said.count("~ Ethernet0 mtu 1500 -> 9") == 1
    assert "leaf04 would be refused: " in said
    assert len(re.findall(r"^leaf0. +: .*failed=1", said, re.MULTILINE)) == 1
    assert {each.by for each in writes(fleet)} == {"someone else"}


def test_a_check_tells_of_every_switch_whatever_one_says(small):
    site, fleet, reach = small
    drift(fleet, "leaf04")
    fleet["leaf01"].inject(Fault(".", "refuse", times=None, back=None))
    report = push(site.build, reach, check=True)
    assert list(outcomes(report).values()) == [
        Outcome.UNREACHABLE,
        Outcome.UNCHANGED,
        Outcome.UNCHANGED,
        Outcome.WOULD_CHANGE,
    ]
    assert report.exit_code == 4


@pytest.mark.parametrize("name", FABRICS)
def test_the_plugin_and_the_static_inventory_agree(sites, tmp_path, name):
    static = tmp_path / "inventory.yaml"
    static.write_text(json.dumps(inventory(sites[name].fabric, sites[name].intent, load_catalog())))
    source = ROOT / "inventories" / name / "nettool.yml"
    listed = [
        subprocess.run(
            ["ansible-inventory", "--list", "-i", str(path)],
            cwd=ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        for path in (source, static)
    ]
    assert json.loads(listed[0].stdout) == json.loads(listed[1].stdout)
    assert [each.stderr for each in listed] == ["", ""]
