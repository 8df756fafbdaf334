"""Runs beside each other and runs that are cut: by the command line, as an engineer types it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from nettool.cli.main import main
from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import where
from nettool.fleet.mock.spec import SwitchSpec
from nettool.pipeline import plan_fabric, render_build

ROOT = Path(__file__).parents[2]
FABRIC = """\
name: small
cluster: {{nodes: 4, gpus_per_node: 2}}
networks:
  compute:
    topology: rail-only
    nic: {{model: connectx-7-400g, per_node: 2}}
    leaf: {{model: CX732Q-N}}
    cables: {{nic: {length}}}
    subnets: {{pool: 10.1.0.0/20}}
    routing: {{protocol: none}}
"""
APPLY = "^sudo config apply-patch"

pytestmark = pytest.mark.skipif(
    shutil.which("ssh") is None or shutil.which("ssh-keygen") is None,
    reason="needs an OpenSSH client",
)


class Site:
    """Two versions of one fabric, of one name, and a fleet that runs the first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, length in (("old", "3m"), ("new", "40m")):
            (folder / name).mkdir()
            (folder / name / "fabric.yaml").write_text(FABRIC.format(length=length))
        self.before, self.wanted = (self._configs(name) for name in ("old", "new"))
        specs = [
            SwitchSpec(name, config=config, hwsku="CX732Q-N")
            for name, config in self.before.items()
        ]
        self.fleet = MockFleet(specs, scale=0.02)

    def _configs(self, name: str):
        build = self.folder / f"build-{name}"
        render_build(plan_fabric(self.folder / name / "fabric.yaml"), build)
        configs = {}
        for path in sorted(build.glob("devices/*/config_db.json")):
            configs[path.parent.name] = json.loads(path.read_text())
            configs[path.parent.name]["DEVICE_METADATA"]["localhost"]["mac"] = "00:00:5e:00:53:01"
        return configs

    @property
    def overlay(self) -> str:
        return str(mock_overlay(where(self.fleet), self.folder / "overlay"))

    def cables(self, name: str):
        return self.fleet[name].running()["CABLE_LENGTH"]["AZURE"]["Ethernet0"]


@pytest.fixture
def site(tmp_path, monkeypatch):
    site = Site(tmp_path)
    monkeypatch.chdir(tmp_path)
    with site.fleet:
        yield site


@pytest.mark.slow
def test_a_colleagues_diff_of_another_version_swaps_nothing_under_a_push(site, capsys):
    names = sorted(site.before)
    first = site.fleet[names[0]]
    first.inject(Fault(APPLY, "delay", seconds=300))
    codes = []
    words = ["push", "new", "-i", site.overlay]
    pushing = threading.Thread(target=lambda: codes.append(main(words)))
    pushing.start()
    while not first.timers() and pushing.is_alive():
        pushing.join(0.05)
    codes.append(main(["diff", "old", "--live", "-l", names[1], "-i", site.overlay]))
    assert pushing.is_alive()
    pushing.join()
    assert codes == [0, 0]
    assert {name: site.cables(name) for name in names} == dict.fromkeys(names, "40m")
    said = capsys.readouterr().out
    assert "0 of 1 switches differ; 1 of 1 were looked at" in said
    kept = sorted(path.parent.name for path in Path("runs").glob("*/build"))
    assert len(kept) == 1  # the push's own; the diff has left none


def hanging_push(site, name, temp):
    """A push of its own session that hangs while the switch `name` applies, its guard armed."""
    site.fleet[name].inject(Fault(APPLY, "hang", seconds=900))
    command = [sys.executable, "-m", "nettool", "push", "new", "-i", site.overlay]
    temp.mkdir()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temp), "LC_ALL": "C"}
    push = subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    for line in push.stderr:
        if line.split()[:2] == [name, "start:"]:
            break
    while not site.fleet[name].timers():
        assert push.poll() is None
    return push


def working_in(folder):
    """The processes whose environment names the folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"{folder}/".encode() in entry.read_bytes():
                found.append(entry.parent.name)
    return found


@pytest.mark.slow
def test_a_push_that_is_killed_leaves_no_playbook_behind(site):
    name, temp = sorted(site.before)[1], site.folder / "temp"
    with hanging_push(site, name, temp) as push:
        (scratch,) = temp.iterdir()
        assert working_in(scratch)
        os.killpg(push.pid, signal.SIGKILL)
    deadline = time.monotonic() + 20
    while (working_in(scratch) or scratch.exists()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (working_in(scratch), list(temp.iterdir())) == ([], [])
    while site.fleet[name].timers() and time.monotonic() < deadline + 40:
        time.sleep(0.05)
    assert site.fleet[name].running() == site.before[name]


@pytest.mark.usefixtures("of_a_terminal")
def test_a_push_whose_terminal_is_lost_says_what_is_known_and_stays_in_history(site, capsys):
    names, temp = sorted(site.before), site.folder / "temp"
    push = hanging_push(site, names[1], temp)
    os.killpg(push.pid, signal.SIGHUP)
    out, err = push.communicate(timeout=60)
    assert push.returncode == 4, err
    assert "stopped by SIGHUP" in err
    rows = [line.split() for line in out.splitlines() if line.startswith("leaf")]
    assert [row[1] for row in rows] == ["changed", "unknown"]
    assert list(temp.iterdir()) == []
    assert main(["history"]) == 0
    assert "1 changed, 1 unknown" in capsys.readouterr().out
    assert main(["rollback", "new", "--run", "nope", "-i", site.overlay]) == 64
    assert "no push 'nope' is recorded" in capsys.readouterr().err


@pytest.mark.slow
def test_a_rule_for_a_rail_is_known_by_the_inventory_and_holds_back_the_whole_push(site, capsys):
    policy = site.folder / "policy.yaml"
    rule = "timezone: UTC\nrules:\n  - at_least: brief drop\n    switches: [{}]\n"
    words = ["push", "new", "-i", site.overlay, "--policy", str(policy)]
    policy.write_text(rule.format("rial_02"))
    assert main(words) == 1
    assert "policy.yaml:4:" in capsys.readouterr().out
    policy.write_text(rule.format("rail_02"))
    assert main([*words, "--check"]) == 7
    capsys.readouterr()
    assert main(words) == 7
    said = capsys.readouterr()
    assert "every day UTC on rail_02 (policy.yaml:3)" in said.out
    assert "in all       looked: 1 would change, 1 refused" in " ".join(said.err.splitlines())
    assert "--limit 'all:!" in said.err
    assert all(switch.writes() == [] for switch in site.fleet)
