"""host.json: what a GPU host must agree on with its switches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nettool.config.device.device import HostConfig, build_hosts
from nettool.config.nos.dialect import DIALECTS
from nettool.config.render.render import render
from nettool.core.errors import UsageError

DIALECT = DIALECTS["host"]


@pytest.fixture(params=["rail-only-128", "rail-optimized-256"])
def planned(shipped_fabric: Any, request: pytest.FixtureRequest) -> Any:
    """Each shipped fabric, planned."""
    return shipped_fabric(request.param)


def _hosts(planned: Any) -> tuple[HostConfig, ...]:
    return build_hosts(planned.intent, planned.fabric, planned.qos, planned.timing)


def _said(host: HostConfig) -> Any:
    return json.loads(next(each.text for each in render([host]) if each.path == "host.json"))


def test_a_host_pauses_the_priorities_its_switches_pause(planned: Any) -> None:
    said = _said(_hosts(planned)[0])["agreement"]
    lossless = [each for each in planned.qos.classes if each.lossless]
    assert said["pfc_priorities"] == list(planned.qos.lossless_priorities)
    assert said["roce_dscp"] == {each.name: list(each.dscp) for each in lossless}
    assert said["cnp_dscp"]
    for dscp in said["cnp_dscp"]:
        assert planned.qos.dscp_to_tc[dscp] not in said["pfc_priorities"]


def test_each_nic_has_the_port_that_the_switch_has_for_it(planned: Any) -> None:
    switches = planned.fabric.by_name
    for host in _hosts(planned)[:2]:
        nics = _said(host)["nics"]
        assert len(nics) == len(host.node.nics) > 0
        for nic in nics:
            assert switches[nic["switch"]].neighbors[nic["port"]].device == host.name


def test_a_host_keeps_time_as_its_switches_do(planned: Any) -> None:
    said = _said(_hosts(planned)[0])["agreement"]
    assert ("ptp" in said) == planned.timing.enabled
    for config in planned.configs if planned.timing.enabled else ():
        switch = config.timing.as_json()
        same = ("profile", "domain", "transport", "delay", "two_step", "synce")
        assert {key: said["ptp"][key] for key in same} == {key: switch[key] for key in same}


def test_every_agreed_field_is_explained(planned: Any) -> None:
    host = _hosts(planned)[0]
    for field, value in _said(host)["agreement"].items():
        found = DIALECT.explain(host, f"host.json|{field}")
        assert found is not None
        assert (found.value, bool(found.why.source)) == (str(value), True)
    assert DIALECT.explain(host, "host.json|nothing") is None
    assert DIALECT.explain(host, "mtu") is None


def test_host_json_is_no_config_db() -> None:
    with pytest.raises(UsageError, match=r"host\.json of 2 characters is not CONFIG_DB"):
        DIALECT.parse("{}")
