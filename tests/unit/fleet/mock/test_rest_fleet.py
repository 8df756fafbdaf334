"""REST servers beside the AsterNOS switches of a fleet, and the variables that reach them."""

import json
from contextlib import ExitStack

from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.deploy.roce_task import run_roce_task
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.rest_fleet import start_rest
from nettool.fleet.mock.serve import where
from nettool.fleet.mock.spec import SwitchSpec

P5 = {"name": "p5", "mode": "lossless"}


def test_an_asternos_switch_of_a_fleet_takes_profiles(tmp_path):
    config = tmp_path / "roce.json"
    config.write_text(json.dumps({"requests": [{"body": P5, "trust": "published"}]}))
    specs = [SwitchSpec("leaf01", nos="asternos"), SwitchSpec("leaf02")]
    with MockFleet(specs, scale=0.001) as fleet, ExitStack() as until:
        rest = start_rest(where(fleet), tmp_path / "tls", until)
        overlay = mock_overlay(where(fleet), tmp_path, rest)
        hosts = json.loads(overlay.read_text())["all"]["hosts"]
        told = [
            run_roce_task({"config": str(config)}, "leaf01", hosts["leaf01"], check=False)
            for _ in range(2)
        ]
    assert set(rest) == {"leaf01"}
    assert "nettool_rest_port" not in hosts["leaf02"]
    assert [each["changed"] for each in told] == [True, False]


def test_a_sonic_fleet_has_none(tmp_path):
    with MockFleet([SwitchSpec("leaf01")], scale=0.001) as fleet, ExitStack() as until:
        assert start_rest(where(fleet), tmp_path / "tls", until) == {}
    assert not (tmp_path / "tls").exists()
