"""Whatever several files hold, the rules across devices answer: no exception."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nettool.config.validate.declared import links_from
from nettool.config.validate.engine import validate_tables
from nettool.config.validate.reading import parse

WORDS = st.sampled_from(
    ["Ethernet0", "Ethernet4", "Ethernet0|3", "Ethernet0|10.0.0.1/31", "10.0.0.0", "10.0.0.1",
     "default|10.0.0.1", "default|Ethernet0", "PortChannel1|Ethernet0", "localhost", "default",
     "", "|", "a", "b", "AZURE", "-1", "9" * 30, "fd00::1", "fd00::1/64", "Vlan2|Ethernet0"]
)  # fmt: skip
FIELDS = st.sampled_from(
    ["lanes", "speed", "mtu", "fec", "autoneg", "admin_status", "asn", "local_addr", "peer_type",
     "peer_group_name", "bgp_asn", "local_asn", "type", "docker_routing_config_mode", "name",
     "port", "local_port", "pfc_enable", "dscp_to_tc_map", "tc_to_queue_map", "wred_profile",
     "profile", "pool", "xoff", "ecn", "wred_green_enable", "max_ebgp_paths", "26", "3",
     "default_ipv4_unicast", "Ethernet0"]
)  # fmt: skip
VALUES = (
    WORDS
    | st.sampled_from(
        ["3", "3,4", "3-4", "5m", "40m", "up", "down", "65001", "external", "unified"]
    )
    | st.lists(WORDS, max_size=2)
    | st.none()
    | st.booleans()
    | st.integers(-1, 70_000)
)
TABLES = st.dictionaries(
    st.sampled_from(
        ["PORT", "DEVICE_METADATA", "BGP_NEIGHBOR", "BGP_GLOBALS", "BGP_GLOBALS_AF", "INTERFACE",
         "LOOPBACK_INTERFACE", "BGP_PEER_GROUP", "PORTCHANNEL", "PORTCHANNEL_MEMBER",
         "VLAN_MEMBER", "VLAN_INTERFACE", "DEVICE_NEIGHBOR", "PORT_QOS_MAP", "DSCP_TO_TC_MAP",
         "TC_TO_QUEUE_MAP", "QUEUE", "WRED_PROFILE", "BUFFER_PG", "BUFFER_PROFILE",
         "CABLE_LENGTH", "BGP_NEIGHBOR_AF", "BGP_GLOBALS_AF_NETWORK", "BGP_BBR"]
    ),
    st.dictionaries(WORDS, st.dictionaries(FIELDS, VALUES, max_size=6), max_size=4),
    min_size=4,
    max_size=14,
)  # fmt: skip
ENDS = st.sampled_from(["a:Ethernet0", "a:Ethernet4", "b:Ethernet0", "b:Ethernet4", "c:nic1"])
CABLES = st.lists(st.fixed_dictionaries({"a": ENDS, "b": ENDS}), max_size=4)


def _read(tables: dict[str, Any]) -> dict[str, Any]:
    return parse(json.dumps(tables).encode(), "x.json").tables or {}


@given(TABLES, TABLES, CABLES)
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
def test_rules_across_devices_never_raise(
    a: dict[str, Any], b: dict[str, Any], cables: list[dict[str, str]]
) -> None:
    links = links_from({"links": cables, "rails": {"a": 1}}, "links.yaml") if cables else None
    report = validate_tables({"a": _read(a), "b": _read(b)}, links)
    assert all(each.message for each in report.findings)
