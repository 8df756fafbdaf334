"""The NOS-neutral state of a switch."""

from __future__ import annotations

from typing import Any

import orjson

from nettool.config.device.device import DeviceConfig, dump
from nettool.config.render.render import device_json
from nettool.core.provenance import Trust


def by_name(configs: tuple[DeviceConfig, ...], name: str) -> DeviceConfig:
    return next(each for each in configs if each.name == name)


def test_equal_switches_hold_the_same_parts(configured: Any) -> None:
    configs = configured()
    one, two = by_name(configs, "spine01"), by_name(configs, "spine02")
    assert one.ports is two.ports
    assert one.qos is two.qos
    assert one.services is two.services
    assert one.interfaces.neighbors is not two.interfaces.neighbors


def test_a_port_without_a_cable_is_not_enabled(configured: Any) -> None:
    leaf = by_name(configured(), "leaf01")
    assert leaf.ports.cabled == {"Ethernet0", "Ethernet8", "Ethernet16"}


def test_a_network_that_does_not_route_has_no_speaker(configured: Any) -> None:
    configs = configured(routed=False)
    assert [each.routing for each in configs] == [None, None]


def test_sessions_are_one_a_link_to_a_switch(configured: Any) -> None:
    leaf = by_name(configured(), "leaf01")
    assert leaf.routing is not None
    assert [port for port, _ in leaf.routing.sessions] == ["Ethernet8", "Ethernet16"]
    assert int(leaf.routing.paths) == 2


def test_servers_know_where_they_were_given(configured: Any) -> None:
    why = configured()[0].services.ntp[0].why
    assert why.trust is Trust.GIVEN
    assert why.inputs[0].origin is not None
    assert why.inputs[0].origin.path == ("management", "ntp", 0)


def test_the_text_is_the_dump(configured: Any) -> None:
    for config in configured():
        assert orjson.loads(device_json(config, {})) == dump(config)


def test_a_node_knows_what_it_must_agree_on(configured_hosts: Any) -> None:
    (host,) = configured_hosts()
    assert host.name == "gpu01"
    assert host.mtu == 9216
    assert host.qos.lossless_priorities == (3,)
