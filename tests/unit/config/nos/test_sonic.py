"""The SONiC dialect: what each table says, by release and routing mode, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nettool.config.nos.artifact import Artifact
from nettool.config.nos.dialect import DIALECTS
from nettool.config.nos.dialects.sonic.names import ranges
from nettool.config.nos.dialects.sonic.release import releases
from nettool.config.render.render import render
from nettool.core.errors import UsageError

Rows = dict[str, dict[str, Any]]


def artifact(configs: Any, device: str = "leaf01") -> Artifact:
    return next(a for a in render(configs) if a.device == device and a.path == "config_db.json")


def table(configs: Any, name: str, device: str = "leaf01") -> Rows:
    return dict((artifact(configs, device).tables or {}).get(name, {}))  # type: ignore[arg-type] # rows


def test_metadata_leaves_the_mac_to_the_switch(configured: Any) -> None:
    row = table(configured(), "DEVICE_METADATA")["localhost"]
    assert row["hostname"] == "leaf01"
    assert row["bgp_asn"] == "4200000001"
    assert row["buffer_model"] == "traditional"
    assert "mac" not in row


@pytest.mark.parametrize(("device", "kind"), [("leaf01", "ToRRouter"), ("spine01", "LeafRouter")])
def test_each_tier_has_the_type_that_brings_its_own_hash_seed(
    configured: Any, device: str, kind: str
) -> None:
    assert table(configured(), "DEVICE_METADATA", device)["localhost"]["type"] == kind


def test_extra_ports_and_ports_without_a_cable_are_down(configured: Any) -> None:
    states = {name: row["admin_status"] for name, row in table(configured(), "PORT").items()}
    assert states == {
        "Ethernet0": "up", "Ethernet4": "down", "Ethernet8": "up", "Ethernet16": "up",
        "Ethernet104": "down", "Ethernet512": "down",
    }  # fmt: skip


def test_bgpcfgd_reads_neighbors_by_address(configured: Any) -> None:
    rows = table(configured(), "BGP_NEIGHBOR")
    assert set(rows) == {"10.128.0.1", "10.128.0.3"}
    assert rows["10.128.0.1"]["local_addr"] == "10.128.0.0"
    assert rows["10.128.0.1"]["name"] in table(configured(), "DEVICE_NEIGHBOR_METADATA")
    assert table(configured(), "BGP_DEVICE_GLOBAL")["STATE"]["tsa_enabled"] == "false"
    assert not table(configured(), "BGP_GLOBALS")


def test_frrcfgd_reads_neighbors_by_vrf_and_address(configured: Any) -> None:
    configs = configured(manager="frrcfgd", six=True)
    assert set(table(configs, "BGP_NEIGHBOR")) == {
        "default|10.128.0.1", "default|10.128.0.3", "default|fd00::1", "default|fd00::3",
    }  # fmt: skip
    assert table(configs, "BGP_GLOBALS_AF")["default|ipv4_unicast"]["max_ebgp_paths"] == "2"
    assert "default|ipv6_unicast|fd00:255::b/128" in table(configs, "BGP_GLOBALS_AF_NETWORK")
    assert "default|ipv4_unicast|10.1.0.0/24" in table(configs, "BGP_GLOBALS_AF_NETWORK")
    assert "default|fd00::1|ipv6_unicast" in table(configs, "BGP_NEIGHBOR_AF")
    metadata = table(configs, "DEVICE_METADATA")["localhost"]
    assert metadata["docker_routing_config_mode"] == "unified"
    assert metadata["frr_mgmt_framework_config"] == "true"


def test_external_sessions_of_the_unified_form_have_a_policy(configured: Any) -> None:
    configs = configured(manager="frrcfgd")
    family = table(configs, "BGP_PEER_GROUP_AF")["default|FABRIC|ipv4_unicast"]
    assert family["route_map_out"] == ["PERMIT_ALL"]
    assert table(configs, "ROUTE_MAP") == {"PERMIT_ALL|10": {"route_operation": "permit"}}


def test_unnumbered_links_peer_by_port(configured: Any) -> None:
    configs = configured(manager="frrcfgd", numbered=False)
    row = table(configs, "BGP_NEIGHBOR")["default|Ethernet8"]
    assert row["peer_type"] == "external"
    assert row["capability_ext_nexthop"] == "true"
    assert "asn" not in row
    assert table(configs, "INTERFACE") == {
        "Ethernet8": {"ipv6_use_link_local_only": "enable"},
        "Ethernet16": {"ipv6_use_link_local_only": "enable"},
    }


def test_hosts_sit_behind_a_gateway_vlan(configured: Any) -> None:
    configs = configured(routed=False)
    assert table(configs, "VLAN")["Vlan101"]["vlanid"] == "101"
    assert set(table(configs, "VLAN_INTERFACE")) == {"Vlan101", "Vlan101|10.1.0.1/24"}
    assert table(configs, "VLAN_MEMBER") == {"Vlan101|Ethernet0": {"tagging_mode": "untagged"}}
    assert not table(configs, "BGP_NEIGHBOR")
    assert "bgp_asn" not in table(configs, "DEVICE_METADATA")["localhost"]


def test_the_lossless_chain_is_closed(configured: Any) -> None:
    """DSCP 26 to TC 3, its queue marked, its priority paused, its group with headroom."""
    configs = configured()
    assert table(configs, "DSCP_TO_TC_MAP")["AZURE"]["26"] == "3"
    assert table(configs, "TC_TO_PRIORITY_GROUP_MAP")["AZURE"]["3"] == "3"
    assert table(configs, "QUEUE")["Ethernet0|3"] == {
        "scheduler": "scheduler.roce", "wred_profile": "ecn_400000",
    }  # fmt: skip
    assert table(configs, "PORT_QOS_MAP")["Ethernet0"]["pfc_enable"] == "3"
    assert table(configs, "PORT_QOS_MAP")["global"] == {"dscp_to_tc_map": "AZURE"}
    profile = table(configs, "BUFFER_PG")["Ethernet0|3"]["profile"]
    assert profile == "pg_lossless_400000_5m_profile"
    assert table(configs, "CABLE_LENGTH")["AZURE"]["Ethernet0"] == "5m"
    assert table(configs, "SCHEDULER")["scheduler.cnp"]["type"] == "STRICT"
    assert "weight" not in table(configs, "SCHEDULER")["scheduler.cnp"]


def test_the_watchdog_runs_on_lossless_ports(configured: Any) -> None:
    rows = table(configured(), "PFC_WD")
    assert rows.pop("GLOBAL") == {"POLL_INTERVAL": "200"}
    assert set(rows) == {"Ethernet0", "Ethernet8", "Ethernet16"}


def test_ecn_marked_counters_are_on(configured: Any) -> None:
    rows = table(configured(), "FLEX_COUNTER_TABLE")
    assert rows["WRED_ECN_QUEUE"]["FLEX_COUNTER_STATUS"] == "enable"
    assert rows["WRED_ECN_PORT"]["FLEX_COUNTER_STATUS"] == "enable"


@pytest.mark.parametrize(
    ("release", "emitted", "noted"),
    [
        ("202311", {"tsa_enabled"}, 2),
        ("202405", {"tsa_enabled", "idf_isolation_state"}, 2),
        ("202505", {"tsa_enabled", "idf_isolation_state", "wcmp_enabled"}, 0),
    ],
)
def test_what_a_release_lacks_is_left_out_and_said(
    configured: Any, release: str, emitted: set[str], noted: int
) -> None:
    made = artifact(configured(release=release))
    assert made.tables is not None
    assert set(made.tables["BGP_DEVICE_GLOBAL"]["STATE"]) == emitted
    assert len(made.notes) == noted
    assert all(f"{release} has no" in note for note in made.notes)


def test_an_unknown_release_is_refused(configured: Any) -> None:
    with pytest.raises(UsageError, match=r"SONiC release '201911' is not known: known are 202311"):
        artifact(configured(release="201911"))


def test_no_table_is_invented_for_time(configured: Any) -> None:
    tables = artifact(configured()).tables or {}
    assert not [name for name in tables if "PTP" in name or "SYNC" in name]


def test_assumed_lanes_are_told(configured: Any) -> None:
    said = artifact(configured()).unverified
    assert said[0] == "PORT lanes, index and alias (assumed): a push takes the switch's own"
    assert said[1] == "BUFFER_PROFILE and BUFFER_POOL sizes of teralynx10 (reference board)"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("BUFFER_PROFILE|pg_lossless_400000_5m_profile|xoff", "129920"),
        ("INTERFACE|Ethernet8|10.128.0.0/31", "Ethernet8|10.128.0.0/31"),
        ("BGP_NEIGHBOR|10.128.0.1|asn", "4200000100"),
        ("DSCP_TO_TC_MAP|AZURE|26", "3"),
        ("BUFFER_PG|Ethernet0|3", "profile=pg_lossless_400000_5m_profile"),
        ("SWITCH_HASH|GLOBAL|ecmp_hash", "DST_IP,IP_PROTOCOL,L4_DST_PORT,L4_SRC_PORT,SRC_IP"),
        ("WRED_PROFILE|ecn_400000|green_min_threshold", "400000"),
    ],
)
def test_explain_finds_a_value(configured: Any, path: str, value: str) -> None:
    found = DIALECTS["sonic"].explain(configured()[0], path)
    assert found is not None
    assert (found.device, found.path, found.value) == ("leaf01", path, value)
    assert found.why.formula


@pytest.mark.parametrize("path", ["NOPE|a|b", "PORT|Ethernet99|speed", "PORT|Ethernet0|x", "PORT"])
def test_explain_knows_when_there_is_no_such_value(configured: Any, path: str) -> None:
    assert DIALECTS["sonic"].explain(configured()[0], path) is None


@pytest.mark.parametrize(
    ("numbers", "text"),
    [((), []), ((3,), ["3"]), ((3, 4), ["3-4"]), ((4, 3, 6), ["3-4", "6"]), ((0, 2), ["0", "2"])],
)
def test_ranges_as_keys_write_them(numbers: tuple[int, ...], text: list[str]) -> None:
    assert ranges(numbers) == text


def test_releases_are_known_by_branch_and_commit() -> None:
    assert list(releases()) == ["202311", "202405", "202411", "202505", "master"]
    assert all("sonic-buildimage" in each.source for each in releases().values())


def test_chips_that_take_a_pfc_map_are_given_one(configured: Any) -> None:
    configs = configured()
    assert not table(configs, "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP")
    assert "pfc_to_pg_map" not in table(configs, "PORT_QOS_MAP")["Ethernet0"]
    told = [
        replace(each, qos=replace(each.qos, switch=replace(each.qos.switch, pfc_to_pg=True)))
        for each in configs
        if each.name == "leaf01"
    ]
    assert table(told, "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP") == {"AZURE": {"3": "3"}}
    assert table(told, "PORT_QOS_MAP")["Ethernet0"]["pfc_to_pg_map"] == "AZURE"
    assert "pfc_to_pg_map" not in table(told, "PORT_QOS_MAP")["global"]
