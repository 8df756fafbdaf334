"""ptp4l.conf: roles, option names by version, and what the real daemon says to it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from nettool.config.device.device import DeviceConfig, HostConfig, build_hosts
from nettool.config.nos.dialect import DIALECTS
from nettool.config.render.render import render
from nettool.intent.load import find_fabric

DIALECT = DIALECTS["linuxptp"]
PTP4L = shutil.which("ptp4l", path="/usr/sbin:/usr/bin:/usr/local/sbin")
PROFILES = ("g8275.1", "g8275.2", "ieee1588")
Config = DeviceConfig | HostConfig
Timed = Callable[..., tuple[DeviceConfig, HostConfig]]


@pytest.fixture
def timed(plan_intent: Any) -> Timed:
    """A leaf and a host of the shipped fabric with other timing."""

    def plan(**timing: object) -> tuple[DeviceConfig, HostConfig]:
        data = yaml.safe_load(find_fabric("rail-optimized-256").read_text())
        data["timing"] = {**data["timing"], "domain": None, **timing}
        done = plan_intent(data)
        leaf = next(each for each in done.configs if each.name == "leaf01")
        return leaf, build_hosts(done.intent, done.fabric, done.qos, done.timing)[0]

    return plan


def _text(config: Config) -> str:
    return next(each.text for each in render([config]) if each.path == "ptp4l.conf")


def _blocks(text: str) -> dict[str, dict[str, str]]:
    blocks: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            blocks[line.strip("[]")] = {}
        elif line:
            key, _, value = line.partition(" ")
            blocks[list(blocks)[-1]][key] = value
    return blocks


def test_ports_towards_hosts_only_lead(timed: Timed) -> None:
    leaf, _ = timed()
    blocks = _blocks(_text(leaf))
    assert leaf.timing is not None
    for port in leaf.timing.clock.ports:
        only = "1" if port.role == "master" else "0"
        assert blocks[port.port]["masterOnly"] == only, port
    assert {p.peer for p in leaf.timing.clock.ports if p.role != "master"} == {"spine01", "spine02"}


def test_a_host_only_follows(timed: Timed) -> None:
    _, host = timed()
    blocks = _blocks(_text(host))
    assert (blocks["global"]["slaveOnly"], blocks["global"]["priority2"]) == ("1", "255")
    assert set(blocks) == {"global", *(nic.name for nic in host.node.nics)}


@pytest.mark.parametrize("profile", PROFILES)
def test_switch_and_host_speak_alike(timed: Timed, profile: str) -> None:
    leaf, host = (_blocks(_text(each))["global"] for each in timed(profile=profile))
    same = (
        "domainNumber", "network_transport", "delay_mechanism", "twoStepFlag",
        "logAnnounceInterval", "logSyncInterval", "logMinDelayReqInterval",
    )  # fmt: skip
    assert {key: leaf[key] for key in same} == {key: host[key] for key in same}


@pytest.mark.parametrize(
    ("version", "switch", "host"),
    [
        ("3.1", "masterOnly", "slaveOnly"),
        ("4.0", "serverOnly", "clientOnly"),
        ("4.4", "serverOnly", "clientOnly"),
    ],
)
def test_option_names_follow_the_version(
    timed: Timed, version: str, switch: str, host: str
) -> None:
    leaf, node = timed(linuxptp=version)
    names = {"masterOnly", "slaveOnly", "serverOnly", "clientOnly"}
    assert {key for block in _blocks(_text(leaf)).values() for key in block} & names == {switch}
    assert {key for block in _blocks(_text(node)).values() for key in block} & names == {host}


def test_every_option_is_explained(timed: Timed) -> None:
    for config in timed():
        for name, options in _blocks(_text(config)).items():
            for key, value in options.items():
                found = DIALECT.explain(config, f"ptp4l.conf|{name}|{key}")
                assert found is not None, (name, key)
                assert (found.value, bool(found.why.source)) == (value, True)
    assert DIALECT.explain(timed()[0], "ptp4l.conf|global|nothing") is None


def _refusal(text: str, folder: Path) -> str:
    """What ptp4l says against a file, in a network of its own where no clock can be set."""
    file = folder / "ptp4l.conf"
    file.write_text(text, encoding="utf-8")
    command = ["unshare", "-rn", str(PTP4L), "-f", str(file), "-m", "-q", "--free_running", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    said = done.stdout + done.stderr
    if "unshare" in said:
        pytest.skip(f"no network namespace here: {said.strip()}")
    return said if "failed to parse" in said or "No such device" not in said else ""


@pytest.mark.skipif(PTP4L is None, reason="linuxptp is not installed")
class TestRealDaemon:
    """The file is read whole: ptp4l gets as far as the ports, which do not exist here."""

    @pytest.mark.parametrize("profile", PROFILES)
    def test_accepts(self, timed: Timed, tmp_path: Path, profile: str) -> None:
        said = subprocess.run([str(PTP4L), "-v"], capture_output=True, text=True, check=False)
        major = int((said.stdout + said.stderr).lstrip("v").split(".")[0])
        for config in timed(profile=profile, linuxptp="4.0" if major >= 4 else "3.1"):
            assert _refusal(_text(config), tmp_path) == ""

    def test_refuses_a_misspelt_option(self, timed: Timed, tmp_path: Path) -> None:
        broken = _text(timed()[0]).replace("priority2", "priorty2")
        assert "unknown option priorty2" in _refusal(broken, tmp_path)
