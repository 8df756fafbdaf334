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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from nettool.config.device.device import DeviceConfig, HostConfig
from nettool.config.nos.dialect import DIALECTS
from nettool.config.render.environment import TemplateSet
from nettool.core.resources import shipped
from nettool.plan.timing.timing_plan import Clock, TimingPlan

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


STARTED = [
    *((name, {"profile": each}) for each in PROFILES
      for name in ("leaf01", "spine01", "spine02", "node01")),
    ("spine01", {"clocks": {"spine": "transparent"}}),
    ("leaf01", {"profile": "ieee1588", "links": [{"port": "node01:nic1", "transport": "L2"}]}),
]  # fmt: skip


Waits = Callable[[Path], Mapping[str, str]]
"""By case what its daemons said at the end where they did not get where they should."""


@pytest.fixture(scope="module")
def starts(timed: Timed, tmp_path_factory: pytest.TempPathFactory) -> Waits:
    """Every daemon of STARTED, all of them at once."""
    folder = tmp_path_factory.mktemp("starts")

    @cache
    def every(daemon: Path) -> Mapping[str, str]:
        cases = {}
        for number, (name, timing) in enumerate(STARTED):
            own = folder / f"{_version(str(daemon))}-{number}"
            own.mkdir()
            made = _files(timed(**timing, linuxptp=_release(daemon))[name])
            cases[_case(name, timing)] = [
                partial(_start, daemon, own, path, text) for path, text in made.items()
            ]
        return _at_once(cases)

    return every


def _case(name: str, timing: Mapping[str, Any]) -> str:
    return f"{name} {timing}"


@pytest.mark.parametrize(("name", "timing"), STARTED)
def test_starts_on_every_rendered_file(
    starts: Waits, daemon: Path, name: str, timing: dict[str, Any]
) -> None:
    """Every port of the file exists, and each gets as far as listening."""
    assert starts(daemon)[_case(name, timing)] == ""


def _start(daemon: Path, folder: Path, path: str, text: str) -> str:
    """Nothing, or what a daemon said of whose ports not all listen."""
    (folder / path).write_text(text)
    ports = [each for each in _sections(text) if each.startswith(("Ethernet", "nic"))]
    links = [f"link add {each} type veth peer name peer{n}" for n, each in enumerate(ports)]
    links += [f"link set {each} up" for each in ports]
    links += [f"addr add 10.{n}.0.1/24 dev {each}" for n, each in enumerate(ports)]
    (folder / f"{path}.links").write_text("\n".join(links) + "\n")
    log = folder / f"{path}.log"
    script = (
        f"ip -batch {folder / path}.links; exec {daemon} -f {folder / path} {QUIET} "
        f"--uds_address {folder / path}.uds > {log} 2>&1"
    )
    reached = _reached(script, partial(_are_up, log, len(ports)), 20)
    return "" if reached else _said(log)[-2000:] or "it said nothing"


def _at_once(cases: Mapping[str, list[Callable[[], str]]]) -> Mapping[str, str]:
    """What the calls of each case gave, all of them made beside each other."""
    with ThreadPoolExecutor(sum(map(len, cases.values()))) as pool:
        begun = {name: [pool.submit(call) for call in calls] for name, calls in cases.items()}
        return {name: "".join(each.result() for each in calls) for name, calls in begun.items()}


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
clockClass 6
clockAccuracy 0x21
priority1 {one}
priority2 {two}
logAnnounceInterval {announce}
logSyncInterval -3
"""
SPEAKS = {
    "g8275.1": "network_transport L2\ndataset_comparison G.8275.x\nptp_dst_mac 01:80:C2:00:00:0E\n",
    "g8275.2": "network_transport UDPv4\ndataset_comparison G.8275.x\nhybrid_e2e 1\n"
    "inhibit_multicast_service 1\nunicast_listen 1\n",
    "ieee1588": "network_transport L2\n",
}
SETTINGS: dict[str, dict[str, Any]] = {
    "g8275.1": {},
    "g8275.2": {"log_announce": -3},
    "ieee1588": {"transport": "L2", "log_announce": 0},
}
Cables = tuple[tuple[str, str, str, str], ...]
CABLES: Cables = (
    ("gm1", "out", "spine01", "Ethernet512"),
    ("gm2", "out", "spine02", "Ethernet512"),
    ("spine01", "Ethernet0", "leaf01", "Ethernet256"),
)
SWITCHES = ("spine01", "spine02", "leaf01")
NIC = ("leaf01", "Ethernet0", "node01", "nic1")
MASTERS = [
    {"name": "gm1", "attach": ["spine01"], "address": "192.0.2.1"},
    {"name": "gm2", "attach": ["spine02"], "address": "198.51.100.1"},
]


@dataclass(frozen=True)
class Lab:
    """Two grandmasters, two spines, a leaf and a NIC in the files that were made for them."""

    made: Mapping[str, Config]
    files: Mapping[str, str]
    cables: Cables
    addresses: Mapping[tuple[str, str], str]
    folder: Path


def _lab(timed: Timed, folder: Path, daemon: Path, profile: str) -> Lab:
    """The lab under a profile; a NIC is in it where PTP needs no address on its port."""
    asked = {"profile": profile, "grandmasters": MASTERS, "linuxptp": _release(daemon)}
    made = timed(**asked, **SETTINGS[profile])
    other = next(p.port for p in _clock(made["leaf01"]).ports if p.peer == "spine02")
    cables = (*CABLES, ("spine02", "Ethernet0", "leaf01", other))
    files = {name: _files(made[name])["ptp4l.conf"] for name in SWITCHES}
    files |= _grandmasters(_plan(made["leaf01"]))
    addresses = {}
    if profile == "g8275.2":
        addresses = _addresses(made, cables)
    else:
        cables = (*cables, NIC)
        files["node01"] = _files(made["node01"])["ptp4l-nic1.conf"]
    return Lab(made, files, cables, addresses, folder)


FAILS = "gm1 fails"


@pytest.fixture(scope="module")
def labs(timed: Timed, tmp_path_factory: pytest.TempPathFactory) -> Waits:
    """The labs of every profile and of a grandmaster that fails, all of them at once."""

    @cache
    def every(daemon: Path) -> Mapping[str, str]:
        cases = {}
        for case in (*PROFILES, FAILS):
            folder = tmp_path_factory.mktemp("lab")
            made = _lab(timed, folder, daemon, "g8275.1" if case == FAILS else case)
            if case == FAILS:
                lives, planned = {"gm1": 4.0}, _after_a_failure(made)
            else:
                lives, planned = {}, _roles(made)
            cases[case] = [partial(_settle, daemon, made, planned, lives)]
        return _at_once(cases)

    return every


def _settle(
    daemon: Path,
    lab: Lab,
    planned: Mapping[tuple[str, str], set[str]],
    lives: Mapping[str, float],
) -> str:
    """Nothing, or the states of a lab whose ports do not all get to the planned ones."""
    reached = _reached(_script(daemon, lab, lives), partial(_is, lab, planned), 40)
    return "" if reached else str(_states(lab))


@pytest.mark.parametrize("profile", PROFILES)
def test_clocks_select_the_parents_of_the_plan(labs: Waits, daemon: Path, profile: str) -> None:
    """Every port takes the role that the plan has for it."""
    assert labs(daemon)[profile] == ""


def _roles(made: Lab) -> dict[tuple[str, str], set[str]]:
    planned = {
        (name, port.port): {"slave": FOLLOWS}.get(port.role, {port.role.upper()})
        for name in SWITCHES
        for port in _clock(made.made[name]).ports
        if port.port in _cabled(name, made.files[name], made.cables)
    }
    if "node01" in made.files:
        planned["node01", "nic1"] = FOLLOWS
    return planned


def test_clocks_turn_as_planned_when_the_active_grandmaster_fails(
    labs: Waits, daemon: Path
) -> None:
    assert labs(daemon)[FAILS] == ""


def _after_a_failure(made: Lab) -> dict[tuple[str, str], set[str]]:
    (failure,) = [
        each for each in _plan(made.made["leaf01"]).failures if each.failed == "grandmaster gm1"
    ]
    planned = {
        (name, port.port): FOLLOWS
        for name in SWITCHES
        for port in _clock(made.made[name]).ports
        if port.peer == failure.parents[name]
        and port.port in _cabled(name, made.files[name], made.cables)
    }
    assert len(planned) == len(SWITCHES)
    return planned


def _clock(config: Config) -> Clock:
    assert isinstance(config, DeviceConfig)
    assert config.timing is not None
    return config.timing.clock


def _plan(config: Config) -> TimingPlan:
    assert isinstance(config, DeviceConfig)
    assert config.timing is not None
    return config.timing.plan


def _grandmasters(plan: TimingPlan) -> dict[str, str]:
    """A grandmaster's file as the plan wants it set."""
    head = GRANDMASTER + SPEAKS[plan.profile] + "[out]\n"
    return {
        each.name: head.format(
            domain=int(plan.domain),
            one=int(each.priority1),
            two=int(each.priority2),
            announce=int(plan.log_announce),
        )
        for each in plan.references
    }


def _addresses(made: Mapping[str, Config], cables: Cables) -> dict[tuple[str, str], str]:
    """The address of every end: the one that the clock at the other end asks."""
    asked = {
        (name, port.port): port.peer_address
        for name in SWITCHES
        for port in _clock(made[name]).ports
    }
    found = {}
    for one, port, other, peer in cables:
        master = asked[other, peer]
        found[one, port] = f"{master}/{24 if one.startswith('gm') else 31}"
        own = f"{master}"[:-1] + "2/24" if one.startswith("gm") else f"{asked[one, port]}/31"
        found[other, peer] = own
    return found


def _script(daemon: Path, lab: Lab, lives: Mapping[str, float]) -> str:
    """Each device in its own network, cabled, with its daemon on the sections cabled here."""
    script = ["set -e", *(f"unshare -n sleep 60 & declare {name}=$!" for name in lab.files)]
    script.append("sleep 0.3")
    script += [
        f"ip link add {port} netns ${one} type veth peer name {peer} netns ${other}"
        for one, port, other, peer in lab.cables
    ]
    for name, text in lab.files.items():
        ports = _cabled(name, text, lab.cables)
        file = lab.folder / f"{name}.conf"
        file.write_text(_only(text, ports))
        inside = f"nsenter -t ${name} -n"
        script += [f"{inside} ip link set {port} up" for port in ports]
        script += [
            f"{inside} ip addr add {lab.addresses[name, port]} dev {port}"
            for port in ports
            if (name, port) in lab.addresses
        ]
        script.append(
            f"{inside} timeout {lives.get(name, 60)} {daemon} -f {file} {QUIET} "
            f"--uds_address {lab.folder}/{name}.uds > {lab.folder}/{name}.log 2>&1 &"
        )
    return "\n".join([*script, "wait"])


def _is(lab: Lab, planned: Mapping[tuple[str, str], set[str]]) -> bool:
    states = _states(lab)
    return all(states.get(end) in wanted for end, wanted in planned.items())


def _states(lab: Lab) -> dict[tuple[str, str], str]:
    """The latest state of every cabled port."""
    found = {}
    for name, text in lab.files.items():
        ports = _cabled(name, text, lab.cables)
        moves = re.findall(r"port (\d+)[^:]*: \w+ to (\w+)", _said(lab.folder / f"{name}.log"))
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
    """A rendered file with the sections of the ports that are cabled here, and whom they ask."""
    head, *sections = re.split(r"^(?=\[)", text, flags=re.MULTILINE)[1:]
    kept = "".join(each for each in sections if each[1 : each.index("]")] in ports)
    asked = re.findall(r"^unicast_master_table (\d+)$", kept, re.MULTILINE)
    tables = [each for each in sections if re.search(r"^table_id (\d+)$", each, re.MULTILINE)]
    chosen = (each for each in tables if each.split("table_id ")[1].split("\n")[0] in asked)
    return head + "".join(chosen) + kept


def _sections(text: str) -> list[str]:
    return re.findall(r"^\[(.+)\]$", text, re.MULTILINE)
