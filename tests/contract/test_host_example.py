"""The example that gathers hosts: what it makes of documented output is what nettool reads."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nettool.fleet.deploy.runner import environment
from nettool.fleet.verify.gathered import load_hosts, read_hosts

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ADDRESS = [{"addr_info": [
    {"family": "inet", "local": "10.1.0.2", "prefixlen": 24, "scope": "global"},
    {"family": "inet6", "local": "fe80::1", "prefixlen": 64, "scope": "link"},
]}]  # fmt: skip
ROUTES = [
    {"dst": "10.1.0.0/24", "dev": "ens1", "prefsrc": "10.1.0.2"},
    {"dst": "default", "gateway": "10.1.0.1", "dev": "ens1", "table": "101"},
]
MLNX_QOS = """\
DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
\tprio:0 dscp:07,06,05,04,03,02,01,00,
\tprio:3 dscp:31,30,29,28,27,26,25,24,
\tprio:6 dscp:55,54,53,52,51,50,49,48,
Cable len: 7
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0

tc: 0 ratelimit: unlimited, tsa: vendor
\t priority:  0
"""
FEC = "FEC parameters for ens1:\nConfigured FEC encodings: Auto\nActive FEC encoding: RS\n"
SYS = {"mtu": "9216", "speed": "400000", "ecn/roce_np/cnp_dscp": "48"}
TOLD = {
    "name": "nic1", "mtu": 9216, "speed": 400_000, "fec": "rs", "address": "10.1.0.2/24",
    "gateway": "10.1.0.1", "trust": "dscp", "pfc_priorities": [3], "cnp_dscp": [48],
    "ecn_priorities": [3],
}  # fmt: skip


@pytest.fixture
def host(tmp_path):
    """A host whose tools print what their documentation shows; its environment."""
    tools = {
        "ip": f"case \"$2\" in address) echo '{json.dumps(ADDRESS)}';; "
        f"*) echo '{json.dumps(ROUTES)}';; esac",
        "mlnx_qos": f"cat <<'END'\n{MLNX_QOS}END",
        "ethtool": f"cat <<'END'\n{FEC}END",
    }
    (tmp_path / "bin").mkdir()
    for name, script in tools.items():
        path = tmp_path / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    enabled = {f"ecn/{end}/enable/{n}": "01"[n == 3] for end in ENDS for n in range(8)}
    for name, value in {**SYS, **enabled}.items():
        path = tmp_path / "sys" / "ens1" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value + "\n")
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "NIC_REPORT_SYS": str(tmp_path / "sys")}


ENDS = ("roce_np", "roce_rp")


def report(env, *words):
    command = (sys.executable, EXAMPLES / "nic_report.py", "node01", *words)
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_documented_output_is_told_as_nettool_reads_it(host):
    told = report(host, "nic1=ens1", "--roce-dscp=26")
    (nic,) = told["nics"]
    priorities = nic.pop("dscp_priority")
    assert (priorities["26"], priorities["48"], priorities["0"]) == (3, 6, 0)
    assert nic == TOLD
    assert told["agreement"] == {"roce_dscp": [26]}
    assert read_hosts(told, "x").findings == ()


def test_a_host_that_tells_nothing_is_told_as_such(host, tmp_path):
    for tool in ("ip", "mlnx_qos", "ethtool"):
        (tmp_path / "bin" / tool).write_text("#!/bin/sh\necho no such device >&2\nexit 1\n")
    told = report(host, "nic1=ens9")
    assert told == {"name": "node01", "agreement": {}, "nics": [{"name": "nic1"}]}
    assert read_hosts(told, "x").findings == ()


@pytest.mark.slow
def test_the_playbook_gathers_all_hosts_that_answer(host, tmp_path):
    hosts = {
        "node01": {"nics": {"nic1": "ens1"}, "ansible_connection": "local"},
        "node02": {"nics": {"nic1": "ens1"}, "ansible_host": "127.0.0.1", "ansible_port": 1},
    }
    inventory = tmp_path / "site.json"
    inventory.write_text(json.dumps({"gpu_hosts": {"hosts": hosts, "vars": {"roce_dscp": 26}}}))
    words = ["-i", inventory, EXAMPLES / "gather-hosts.yml", "-e", f"hosts_file={tmp_path}/h.json"]
    env = {**host, **environment(), "PATH": host["PATH"]}
    program = Path(sys.executable).parent / "ansible-playbook"
    subprocess.run([program, *words], env=env, capture_output=True, text=True, check=False)
    gathered = load_hosts(tmp_path / "h.json")
    assert gathered.findings == ()
    assert list(gathered.hosts) == ["node01"]
    assert gathered.hosts["node01"].nics[0].paused == (3,)
    assert gathered.hosts["node01"].agreement.roce_dscp == (26,)
