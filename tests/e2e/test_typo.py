"""A typo in the fabric after a push: what was pushed can be kept or undone all the same."""

import json
import shutil
from pathlib import Path

import pytest

from nettool.cli.main import main
from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import where
from nettool.fleet.mock.spec import SwitchSpec
from nettool.pipeline import plan_fabric, render_build

FABRIC = """\
name: small
cluster: {nodes: 4, gpus_per_node: 2}
networks:
  compute:
    topology: rail-only
    nic: {model: connectx-7-400g, per_node: 2}
    leaf: {model: CX732Q-N}
    cables: {nic: 3m}
    subnets: {pool: 10.1.0.0/20}
    routing: {protocol: none}
"""

pytestmark = pytest.mark.skipif(
    shutil.which("ssh") is None or shutil.which("ssh-keygen") is None,
    reason="needs an OpenSSH client",
)


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A fabric of two switches that run it with 3 m cables; its file asks for 40 m now."""
    fabric = tmp_path / "fabric" / "fabric.yaml"
    fabric.parent.mkdir()
    fabric.write_text(FABRIC)
    render_build(plan_fabric(fabric), tmp_path / "old")
    specs = []
    for path in sorted(tmp_path.glob("old/devices/*/config_db.json")):
        config = json.loads(path.read_text())
        config["DEVICE_METADATA"]["localhost"]["mac"] = "00:00:5e:00:53:01"
        specs.append(SwitchSpec(path.parent.name, config=config, hwsku="CX732Q-N"))
    fabric.write_text(FABRIC.replace("nic: 3m", "nic: 40m"))
    monkeypatch.chdir(tmp_path)
    with MockFleet(specs, scale=0.02) as fleet:
        yield fleet, fabric, ["-i", str(mock_overlay(where(fleet), tmp_path / "overlay"))]


def lengths(fleet):
    return {switch.running()["CABLE_LENGTH"]["AZURE"]["Ethernet0"] for switch in fleet}


def waiting(fleet):
    return [switch.name for switch in fleet if switch.timers()]


@pytest.mark.slow
def test_confirm_goes_by_the_record_of_the_push(site, capsys):
    fleet, fabric, where_they_are = site
    (fabric.parent / "nettool.yml").write_text("plugin: nettool\n")
    assert main(["push", "fabric", "--confirm", "60m", *where_they_are]) == 0
    assert len(waiting(fleet)) == 2
    fabric.write_text(fabric.read_text().replace("routing:", "ruoting:"))
    capsys.readouterr()
    assert main(["push", "fabric", *where_they_are]) == 1
    assert main(["diff", "fabric", "--live", *where_they_are]) == 1
    capsys.readouterr()
    assert main(["confirm", "fabric", *where_they_are]) == 0
    said = capsys.readouterr().err
    run = next(Path("runs").glob("*/build")).parent.name
    assert "warning: fabric/fabric.yaml does not plan (line 10: " in said
    assert f"going by run {run}'s own record" in said
    assert (waiting(fleet), lengths(fleet)) == ([], {"40m"})
    assert len(list(Path("runs").glob("*/build"))) == 1  # the push's own alone


@pytest.mark.slow
def test_rollback_goes_by_the_record_of_the_push(site, capsys):
    fleet, fabric, where_they_are = site
    before = lengths(fleet)
    assert main(["push", "fabric", *where_they_are]) == 0
    assert lengths(fleet) == {"40m"} != before
    fabric.write_text("name: [small\n")
    assert main(["rollback", "fabric", *where_they_are]) == 0
    assert "fabric.yaml does not plan (line " in capsys.readouterr().err
    assert lengths(fleet) == before
