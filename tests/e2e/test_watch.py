"""`nettool drift` and `nettool verify --hosts` on the command line, on a fabric of two switches."""

import json
import shutil
from pathlib import Path

import pytest

from nettool.cli.main import main
from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.mock.factory import fabric_cables
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import where
from nettool.fleet.mock.spec import SwitchSpec
from nettool.pipeline import plan_fabric, render_build
from tests.e2e.test_typo import FABRIC

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client"),
]


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A fabric whose switches run what it wants, where nobody has pushed from here."""
    monkeypatch.chdir(tmp_path)
    Path("fabric").mkdir()
    Path("fabric/fabric.yaml").write_text(FABRIC)
    plan = plan_fabric(Path("fabric/fabric.yaml"))
    render_build(plan, Path("build"))
    specs = []
    for path in sorted(Path("build").glob("devices/*/config_db.json")):
        config = json.loads(path.read_text())
        specs.append(SwitchSpec(path.parent.name, config=config, hwsku="CX732Q-N"))
    with MockFleet(specs, fabric_cables(plan.fabric), scale=0.02) as fleet:
        yield fleet, ["fabric", "-i", str(mock_overlay(where(fleet), tmp_path / "overlay"))]


def test_drift_on_the_command_line(site, capsys):
    fleet, there = site
    assert main(["drift", *there, "--exit-code"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("0 of 2 switches drifted; the intent is ahead of 0;")
    assert not list(Path("runs").glob("*/*"))
    for switch in fleet:
        switch.drift({"PORT": {"Ethernet0": {"mtu": "1500"}}})
    assert main(["drift", *there]) == 1
    said = capsys.readouterr()
    assert "error DRF002 cuts or moves paths: changed on the switch or in the intent" in said.out
    assert "leaf01, leaf02: 1 change each\n    PORT\n      ~ Ethernet0 mtu 1500 -> 9216" in said.out
    assert "leaf01, leaf02: no push of it is recorded here\n" in said.out
    assert main(["drift", *there, "--exit-code", "--format", "json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert [each["device"] for each in told["devices"]] == ["leaf01", "leaf02"]
    assert told["summary"]["drifted"] == 2
    kept = Path(told["summary"]["folder"]) / "drift.json"
    assert json.loads(kept.read_text()) == told


def test_hosts_on_the_command_line(site, capsys):
    _fleet, there = site
    hosts = [
        json.loads(path.read_text()) for path in sorted(Path("build").glob("hosts/*/host.json"))
    ]
    Path("hosts.json").write_text(json.dumps(hosts))
    assert main(["verify", *there, "--hosts", "hosts.json"]) == 0
    assert "2 of 2 switches looked at, 4 of 4 hosts reported" in capsys.readouterr().err
    hosts[1]["agreement"]["pfc_priorities"] = []
    Path("hosts.json").write_text(json.dumps(hosts, indent=1))
    assert main(["verify", *there, "--hosts", "hosts.json", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {(each["rule"], each["device"], each["key"], each["field"]) for each in found} == {
        ("HST003", "node02", "nic1", "pfc_priorities"),
        ("HST003", "node02", "nic2", "pfc_priorities"),
    }
    assert all(each["file"] == "hosts.json" and each["line"] > 1 for each in found)
