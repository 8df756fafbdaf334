"""What a running bgp container follows of CONFIG_DB, and what it takes only when it starts."""

import pytest

from nettool.config.nos.dialects.sonic.routing import routing_of, written_out
from nettool.config.nos.dialects.sonic.updater import Updater

TEMPLATES = {"DEVICE_METADATA": {"localhost": {"bgp_asn": "65001"}}}
FRAMEWORK = {"DEVICE_METADATA": {"localhost": {"bgp_asn": "65001",
                                               "frr_mgmt_framework_config": "true"}}}  # fmt: skip
MODE = "whether bgpcfgd or frrcfgd runs FRR is chosen when the bgp container starts"
PEER = "192.0.2.1"

WAITS = [
    (TEMPLATES, "replace", "DEVICE_METADATA", "localhost", "bgp_asn",
     "bgpd keeps the AS number that the bgp container started with"),
    (TEMPLATES, "add", "DEVICE_METADATA", "localhost", "bgp_asn", "bgpd keeps"),
    (FRAMEWORK, "replace", "DEVICE_METADATA", "localhost", "bgp_asn", ""),
    (FRAMEWORK, "replace", "BGP_GLOBALS", "default", "local_asn", "does not modify local_asn"),
    (FRAMEWORK, "add", "BGP_GLOBALS", "default", "local_asn", ""),
    (TEMPLATES, "replace", "DEVICE_METADATA", "localhost", "docker_routing_config_mode", MODE),
    (FRAMEWORK, "remove", "DEVICE_METADATA", "localhost", "frr_mgmt_framework_config", MODE),
    (TEMPLATES, "replace", "DEVICE_METADATA", "localhost", "timezone", ""),
    (TEMPLATES, "replace", "BGP_NEIGHBOR", PEER, "admin_status", ""),
    (TEMPLATES, "replace", "BGP_NEIGHBOR", PEER, "asn", ""),
    (TEMPLATES, "add", "BGP_NEIGHBOR", PEER, None, ""),
    (TEMPLATES, "add", "BGP_NEIGHBOR", PEER, "bfd", "only with a neighbour that is new"),
    (FRAMEWORK, "add", "BGP_NEIGHBOR", f"default|{PEER}", "bfd", ""),
    (TEMPLATES, "add", "VLAN_INTERFACE", "Vlan2|10.0.0.1/24", None, "prefixes of VLANs"),
    (TEMPLATES, "remove", "VLAN_INTERFACE", "Vlan2|10.0.0.1/24", None, ""),
    (TEMPLATES, "add", "VLAN_INTERFACE", "Vlan2", None, ""),
    (TEMPLATES, "add", "LOOPBACK_INTERFACE", "Loopback0|10.0.0.1/32", None, "router id"),
    (TEMPLATES, "add", "LOOPBACK_INTERFACE", "Loopback1|10.0.0.1/32", None, ""),
    ({}, "add", "VLAN_INTERFACE", "Vlan2|10.0.0.1/24", None, ""),
]  # fmt: skip


@pytest.mark.parametrize(("running", "op", "table", "key", "field", "why"), WAITS)
def test_what_waits_for_a_restart(running, op, table, key, field, why):
    said = routing_of(running).waits(op, table, key, field)
    assert why in said
    assert bool(said) == bool(why)


def test_the_refusal_names_the_place():
    said = routing_of(TEMPLATES).waits("replace", "DEVICE_METADATA", "localhost", "bgp_asn")
    assert said.startswith("DEVICE_METADATA|localhost bgp_asn is not followed live: ")


@pytest.mark.parametrize("field", ["bgp_asn", "docker_routing_config_mode", "bgp_router_id"])
def test_what_restarts_bgp_is_no_change_of_names(field):
    assert str(Updater().disturbs("DEVICE_METADATA", field)[0]) == "session reset"


def test_a_shut_session_that_need_not_be_said_is_written_up():
    assert written_out("BGP_NEIGHBOR", "admin_status") == "up"
    assert written_out("BGP_NEIGHBOR", "asn") is None
    assert written_out("PORT", "admin_status") is None
