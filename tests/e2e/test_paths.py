"""The whole way in a folder whose name holds blanks, quotes, tokens of ssh's and braces."""

import json
import shutil

import pytest

from nettool.cli.main import main
from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import where
from nettool.fleet.mock.spec import SwitchSpec
from nettool.pipeline import plan_fabric, render_build
from tests.e2e.test_typo import FABRIC, lengths

ODD = 'wei rd ü\'x %h {{ y }} "q" #b\\s [1]'

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("ssh") is None or shutil.which("ssh-keygen") is None,
        reason="needs an OpenSSH client",
    ),
]


def test_push_verify_and_rollback_in_a_folder_of_any_name(tmp_path, monkeypatch, capsys):
    home = tmp_path / ODD
    fabric = home / "fabric" / "fabric.yaml"
    fabric.parent.mkdir(parents=True)
    fabric.write_text(FABRIC)
    render_build(plan_fabric(fabric), tmp_path / "old")
    specs = []
    for path in sorted(tmp_path.glob("old/devices/*/config_db.json")):
        config = json.loads(path.read_text())
        config["DEVICE_METADATA"]["localhost"]["mac"] = "00:00:5e:00:53:01"
        specs.append(SwitchSpec(path.parent.name, config=config, hwsku="CX732Q-N"))
    fabric.write_text(FABRIC.replace("nic: 3m", "nic: 40m"))
    monkeypatch.chdir(home)
    with MockFleet(specs, scale=0.02) as fleet:
        there = ["-i", str(mock_overlay(where(fleet), home / "overlay"))]
        assert main(["push", "fabric", *there]) == 0
        assert lengths(fleet) == {"40m"}
        assert main(["drift", "fabric", *there]) == 0
        capsys.readouterr()
        assert main(["rollback", "fabric", "--check", "--diff", *there]) == 0
        assert "40m -> 5m" in capsys.readouterr().out
        assert main(["rollback", "fabric", *there]) == 0
        assert lengths(fleet) == {"5m"}
