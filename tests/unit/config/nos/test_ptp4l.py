"""The real ptp4l on the files that are rendered for it, in networks of their own.

No clock is ever set: `free_running 1`, software timestamps, and a user namespace that owns none.
`NETTOOL_PTP4L` names further daemons to try (a path list), beside the installed one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nettool.config.device.device import DeviceConfig, HostConfig
from nettool.config.nos.dialect import DIALECTS
from nettool.config.render.environment import TemplateSet
from nettool.core.resources import shipped
from nettool.plan.timing.timing_plan import Clock

Config = DeviceConfig | HostConfig
Timed = Callable[..., dict[str, Config]]
PROFILES = ("g8275.1", "g8275.2", "ieee1588")
NEW_NAMES = 4
OWN = ("unshare", "-rn", "--fork", "--pid", "--kill-child", "--mount-proc")
QUIET = "-m -q -S --free_running 1"


def _daemons() -> list[Any]:
    found = shutil.which("ptp4l", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    named = [each for each in os.environ.get("NETTOOL_PTP4L", "").split(os.pathsep) if each]
    paths = [*([found] if found else []), *named]
    absent = pytest.mark.skip(reason="linuxptp is not installed")
    return [pytest.param(Path(each), id=_version(each)) for each in paths] or [
        pytest.param(Path(), marks=absent, id="absent")
    ]


def _version(path: str) -> str:
    said = subprocess.run([path, "-v"], capture_output=True, text=True, check=False)
    return (said.stdout + said.stderr).strip().lstrip("v")


def _release(daemon: Path) -> str:
    """A release whose option names this daemon has."""
    return "4.0" if int(_version(str(daemon)).split(".")[0]) >= NEW_NAMES else "3.1"


@pytest.fixture(scope="module")
def allowed() -> None:
    """Skips where networks of one's own cannot be made."""
    tools = [name for name in ("unshare", "nsenter", "ip") if shutil.which(name) is None]
    if tools:
        pytest.skip(f"not installed: {', '.join(tools)}")
    tried = _run("unshare -n true && ip link add here type veth peer name there")
    if tried.returncode:
        pytest.skip(f"network namespaces are not allowed here: {tried.stderr.strip()}")


pytestmark = [pytest.mark.parametrize("daemon", _daemons()), pytest.mark.usefixtures("allowed")]


def _run(script: str) -> subprocess.CompletedProcess[str]:
    command = [*OWN, "bash", "-c", script]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def _files(config: Config) -> dict[str, str]:
    made = DIALECTS["linuxptp"].artifacts(config, TemplateSet([shipped("templates")], None))
    return {each.path: each.text for each in made if each.path.startswith("ptp4l")}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", ["leaf01", "spine01", "spine02", "node01"])
def test_starts_on_every_rendered_file(
    timed: Timed, tmp_path: Path, daemon: Path, profile: str, name: str
) -> None:
    """Every port of the file exists, and each gets as far as listening."""
    for path, text in _files(timed(profile=profile, linuxptp=_release(daemon))[name]).items():
        (tmp_path / path).write_text(text)
        ports = [each for each in _sections(text) if each.startswith(("Ethernet", "nic"))]
        links = [f"link add {each} type veth peer name peer{n}" for n, each in enumerate(ports)]
        links += [f"link set {each} up" for each in ports]
        links += [f"addr add 10.{n}.0.1/24 dev {each}" for n, each in enumerate(ports)]
        (tmp_path / "links").write_text("\n".join(links) + "\n")
        log = tmp_path / f"{path}.log"
        script = (
            f"ip -batch {tmp_path}/links; exec {daemon} -f {tmp_path / path} {QUIET} "
            f"--uds_address {tmp_path}/uds > {log} 2>&1"
        )
        assert _reached(script, partial(_are_up, log, len(ports)), 10), _said(log)[-2000:]


def _are_up(log: Path, ports: int) -> bool:
    started = re.findall(r"port (\d+)[^:]*: INITIALIZING to (?:LISTENING|MASTER)", _said(log))
    return {str(number) for number in range(1, ports + 1)} <= set(started)


def test_refuses_a_misspelt_option(timed: Timed, tmp_path: Path, daemon: Path) -> None:
    text = _files(timed(linuxptp=_release(daemon))["leaf01"])["ptp4l.conf"]
    (tmp_path / "broken.conf").write_text(text.replace("priority2", "priorty2"))
    said = _run(f"{daemon} -f {tmp_path}/broken.conf {QUIET}")
    assert "unknown option priorty2" in said.stdout + said.stderr


def test_refuses_a_boundary_clock_with_one_port(timed: Timed, tmp_path: Path, daemon: Path) -> None:
    (tmp_path / "one.conf").write_text("[global]\nclock_type BC\n[Ethernet0]\n")
    said = _run(f"{daemon} -f {tmp_path}/one.conf {QUIET}")
    assert "BC needs at least two interfaces" in said.stdout + said.stderr


FOLLOWS = {"UNCALIBRATED", "SLAVE"}
GRANDMASTER = """[global]
domainNumber {domain}
network_transport L2
dataset_comparison {comparison}
clockClass 6
clockAccuracy 0x21
priority1 {one}
priority2 {two}
logAnnounceInterval -3
logSyncInterval -4
ptp_dst_mac {mac}
[out]
"""
Cables = tuple[tuple[str, str, str, str], ...]
CABLES: Cables = (
    ("gm1", "out", "spine01", "Ethernet512"),
    ("gm2", "out", "spine02", "Ethernet512"),
    ("spine01", "Ethernet0", "leaf01", "Ethernet256"),
    ("leaf01", "Ethernet0", "node01", "nic1"),
)


@pytest.mark.parametrize("profile", ["g8275.1", "ieee1588"])
def test_clocks_select_the_parents_of_the_plan(
    timed: Timed, tmp_path: Path, daemon: Path, profile: str
) -> None:
    """Two grandmasters, two spines, a leaf and a NIC: each follows whom the plan says."""
    faster = {"log_announce": 0} if profile == "ieee1588" else {}
    made = timed(profile=profile, transport="L2", linuxptp=_release(daemon), **faster)
    leaf = made["leaf01"]
    other = next(p.port for p in _clock(leaf).ports if p.peer == "spine02")
    cables = (*CABLES, ("spine02", "Ethernet0", "leaf01", other))
    files = {
        **{name: _files(made[name])["ptp4l.conf"] for name in ("spine01", "spine02", "leaf01")},
        "node01": _files(made["node01"])["ptp4l-nic1.conf"],
        **_grandmasters(leaf, profile),
    }
    planned = {
        (name, port.port): {"slave": FOLLOWS}.get(port.role, {port.role.upper()})
        for name in ("spine01", "spine02", "leaf01")
        for port in _clock(made[name]).ports
        if port.port in _cabled(name, files[name], cables)
    }
    planned["node01", "nic1"] = FOLLOWS

    def is_as_planned() -> bool:
        states = _states(tmp_path, files, cables)
        return all(states.get(end) in wanted for end, wanted in planned.items())

    script = _script(daemon, tmp_path, files, cables)
    assert _reached(script, is_as_planned, 40), _states(tmp_path, files, cables)


def _clock(config: Config) -> Clock:
    assert isinstance(config, DeviceConfig)
    assert config.timing is not None
    return config.timing.clock


def _grandmasters(switch: Config, profile: str) -> dict[str, str]:
    """A grandmaster's file as the plan wants it set."""
    assert isinstance(switch, DeviceConfig)
    assert switch.timing is not None
    plan = switch.timing.plan
    return {
        each.name: GRANDMASTER.format(
            domain=int(plan.domain),
            comparison="G.8275.x" if profile == "g8275.1" else "ieee1588",
            one=int(each.priority1),
            two=int(each.priority2),
            mac="01:80:C2:00:00:0E" if profile == "g8275.1" else "01:1B:19:00:00:00",
        )
        for each in plan.references
    }


def _script(daemon: Path, folder: Path, files: Mapping[str, str], cables: Cables) -> str:
    """Each device in its own network, cabled, with its daemon on the sections cabled here."""
    script = ["set -e", *(f"unshare -n sleep 60 & declare {name}=$!" for name in files)]
    script.append("sleep 0.3")
    script += [
        f"ip link add {port} netns ${one} type veth peer name {peer} netns ${other}"
        for one, port, other, peer in cables
    ]
    for name, text in files.items():
        ports = _cabled(name, text, cables)
        (folder / f"{name}.conf").write_text(_only(text, ports))
        script += [f"nsenter -t ${name} -n ip link set {port} up" for port in ports]
        script.append(
            f"nsenter -t ${name} -n {daemon} -f {folder}/{name}.conf {QUIET} "
            f"--uds_address {folder}/{name}.uds > {folder}/{name}.log 2>&1 &"
        )
    return "\n".join([*script, "wait"])


def _states(folder: Path, files: Mapping[str, str], cables: Cables) -> dict[tuple[str, str], str]:
    """The latest state of every cabled port."""
    found = {}
    for name, text in files.items():
        ports = _cabled(name, text, cables)
        moves = re.findall(r"port (\d+)[^:]*: \w+ to (\w+)", _said(folder / f"{name}.log"))
        found.update({(name, ports[int(n) - 1]): state for n, state in moves if n != "0"})
    return found


def _cabled(name: str, text: str, cables: Cables) -> list[str]:
    """The cabled ports of a device in the order of its file, which numbers them."""
    ends = {(row[at], row[at + 1]) for row in cables for at in (0, 2)}
    return [port for port in _sections(text) if (name, port) in ends]


def _reached(script: str, is_done: Callable[[], bool], seconds: float) -> bool:
    """Runs a script in a network of its own until something is seen, or for so long."""
    with subprocess.Popen([*OWN, "bash", "-c", script], stderr=subprocess.DEVNULL) as running:
        end = time.monotonic() + seconds
        while not (done := is_done()) and time.monotonic() < end and running.poll() is None:
            time.sleep(0.1)
        running.kill()
    return done or is_done()


def _said(log: Path) -> str:
    return log.read_text() if log.exists() else ""


def _only(text: str, ports: list[str]) -> str:
    """A rendered file with the sections of the ports that are cabled here."""
    head, *sections = re.split(r"^(?=\[)", text, flags=re.MULTILINE)[1:]
    kept = [each for each in sections if each[1 : each.index("]")] in ports]
    return head + "".join(kept)


def _sections(text: str) -> list[str]:
    return re.findall(r"^\[(.+)\]$", text, re.MULTILINE)
