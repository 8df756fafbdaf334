"""Hosts against a running switch, read through Ansible and ssh: a NIC is right, its port is not."""

import copy
import shutil

import pytest

from nettool.fleet.deploy.verifying import Hosts, exit_code, verify
from nettool.fleet.verify.gathered import read_hosts
from nettool.fleet.verify.planned_nics import PlannedNic
from tests.e2e.test_push_cases import Site
from tests.unit.fleet.deploy.test_collecting import LOSSLESS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client"),
]
WANTED = {"mtu": 9100, "speed": 25_000, "pfc_priorities": (3,)}
NIC = {"name": "nic1", "mtu": 9100, "speed": "25G", "pfc_mask": 8}
PLANNED = [PlannedNic("node01", "nic1", "leaf01", "Ethernet0", WANTED, {}, pauses=True)]


def test_a_nic_as_planned_on_a_switch_port_that_drifted(tmp_path):
    site = Site(tmp_path, copy.deepcopy(LOSSLESS), copy.deepcopy(LOSSLESS))
    nodes = Hosts(PLANNED, read_hosts([{"name": "node01", "nics": [NIC]}], "hosts.json"))
    with site.fleet as fleet:
        clean = verify(site.build, site.reach(), nodes=nodes)
        fleet["leaf01"].drift({"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}}})
        report = verify(site.build, site.reach(), nodes=nodes)
    assert (clean.findings, exit_code(clean)) == ((), 0)
    (met,) = [each for each in report.findings if each.device == "node01"]
    assert met.rule == "HST009"
    assert met.message == (
        "pfc_priorities is 3 as planned, its switch port leaf01:Ethernet0 runs 3, 4"
    )
    assert {each.device for each in report.findings} == {"leaf01", "node01"}
    assert exit_code(report) == 1
