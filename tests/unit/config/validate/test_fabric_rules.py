"""Device and fabric rules: one row that fails and one that passes for each."""

import pytest

from nettool.config.validate.declared import links_from
from nettool.config.validate.engine import validate_tables

LEAF = {"localhost": {"hostname": "a", "bgp_asn": "65001", "type": "ToRRouter"}}
THIRD = {"localhost": {"hostname": "c", "bgp_asn": "65001", "type": "ToRRouter"}}
SPINE = {"localhost": {"hostname": "b", "bgp_asn": "65002", "type": "LeafRouter"}}
UNIFIED = {"localhost": {"docker_routing_config_mode": "unified"}}
PORT = {"lanes": "1", "speed": "100000", "mtu": "9100", "fec": "rs", "admin_status": "up"}


def port(**changes):
    return {"Ethernet0": {**PORT, **changes}}


def neighbor(peer="10.0.0.1", local="10.0.0.0", asn="65002"):
    return {peer: {"asn": asn, "local_addr": local}}


def interface(*prefixes):
    return {"Ethernet0": {}, **{f"Ethernet0|{each}": {} for each in prefixes}}


DEVICE = [
    ("TYP001", {"PORT": port(mtu="10")}, {"PORT": port(mtu="9216")}),
    ("TYP001", {"MGMT_INTERFACE": {"eth0|10.0.0.1/24": {"gwaddr": "x"}}}, {"PORT": port()}),
    ("TYP002", {"PORT": {"Ethernet0": {"lanes": "1"}}}, {"PORT": port()}),
    ("TYP003", {"PORT": port(admin_statu="up")}, {"PORT": port(admin_status="up")}),
    ("TYP004", {"VENDOR_THING": {"x": {}}}, {"VRF": {"VrfA": {}}}),
    ("TYP005", {"VLAN": {"Vlan10": {"vlanid": "11"}}}, {"VLAN": {"Vlan10": {"vlanid": "10"}}}),
    ("REF001", {"PORT": port(), "PFC_WD": {"Ethernet4": {}}},
     {"PORT": port(), "PFC_WD": {"Ethernet0": {}, "GLOBAL": {}}}),
    ("REF001", {"PORT": port(), "ACL_TABLE": {"A": {"ports": ["Ethernet0", "Ethernet4"]}}},
     {"PORT": port(), "ACL_TABLE": {"A": {"ports": ["Ethernet0"]}, "B": {"ports": [""]}}}),
    ("REF002", {"QUEUE": {"Ethernet0|3": {"scheduler": "[SCHEDULER|a]"}}},
     {"QUEUE": {"Ethernet0|3": {"scheduler": "a"}}}),
    ("ADR001", {"INTERFACE": {"Ethernet0|10.0.0.1/31": {}}},
     {"INTERFACE": interface("10.0.0.1/31")}),
    ("ADR002", {"INTERFACE": interface("10.0.0.0/24")}, {"INTERFACE": interface("10.0.0.0/31")}),
    ("ADR002", {"INTERFACE": interface("10.0.0.300/24")}, {"INTERFACE": interface("fd00::/127")}),
    ("ADR003", {"INTERFACE": {**interface("10.0.0.1/24"), "Ethernet4": {},
                              "Ethernet4|10.0.0.9/31": {}}},
     {"INTERFACE": {**interface("10.0.0.1/31"), "Ethernet4": {}, "Ethernet4|10.0.0.9/31": {}}}),
    ("MBR001", {"VLAN_MEMBER": {"Vlan2|Ethernet0": {}}, "INTERFACE": interface()},
     {"VLAN_MEMBER": {"Vlan2|Ethernet4": {}}, "INTERFACE": interface()}),
    ("MBR002", {"PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}, "PortChannel2|Ethernet0": {}}},
     {"PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}, "PortChannel2|Ethernet4": {}}}),
    ("MBR003", {"VLAN_MEMBER": {"Vlan2|Ethernet0": {"tagging_mode": "untagged"},
                                "Vlan3|Ethernet0": {"tagging_mode": "untagged"}}},
     {"VLAN_MEMBER": {"Vlan2|Ethernet0": {"tagging_mode": "untagged"},
                      "Vlan3|Ethernet0": {"tagging_mode": "tagged"}}}),
    *(("MBR004", {"PORT": port(), "PORTCHANNEL": {"PortChannel1": {"mtu": mtu}},
                  "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}}},
       {"PORT": port(), "PORTCHANNEL": {"PortChannel1": {"mtu": "9100"}},
        "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}}}) for mtu in ("9216", "1500")),
    ("BGP001", {"DEVICE_METADATA": LEAF, "BGP_NEIGHBOR": neighbor("Ethernet8")},
     {"DEVICE_METADATA": LEAF, "BGP_NEIGHBOR": neighbor()}),
    ("BGP001", {"DEVICE_METADATA": UNIFIED, "BGP_NEIGHBOR": neighbor()},
     {"DEVICE_METADATA": UNIFIED, "BGP_NEIGHBOR": neighbor("default|Ethernet8")}),
    ("BGP002", {"DEVICE_METADATA": UNIFIED, "BGP_NEIGHBOR": neighbor("default|Ethernet8")},
     {"DEVICE_METADATA": UNIFIED, "BGP_NEIGHBOR": neighbor("default|Ethernet8"),
      "BGP_GLOBALS": {"default": {"local_asn": "65001"}}}),
    ("BGP003", {"DEVICE_METADATA": UNIFIED, "BGP_NEIGHBOR": {
        **neighbor("default|10.0.0.1"), **neighbor("default|10.0.0.3")}},
     {"DEVICE_METADATA": UNIFIED, "BGP_NEIGHBOR": {
         **neighbor("default|10.0.0.1"), **neighbor("default|10.0.0.3")},
      "BGP_GLOBALS_AF": {"default|ipv4_unicast": {"max_ebgp_paths": "2"}}}),
    ("BGP004", {"DEVICE_METADATA": LEAF, "BGP_NEIGHBOR": neighbor(local="10.0.0.8"),
                "INTERFACE": interface("10.0.0.0/31")},
     {"DEVICE_METADATA": LEAF, "BGP_NEIGHBOR": neighbor(), "INTERFACE": interface("10.0.0.0/31")}),
    ("BGP005", {"DEVICE_METADATA": LEAF, "BGP_DEVICE_GLOBAL": {"STATE": {"tsa_enabled": "false"}}},
     {"DEVICE_METADATA": LEAF, "BGP_DEVICE_GLOBAL": {
         "STATE": {"tsa_enabled": "false", "idf_isolation_state": "unisolated"}}}),
    ("BGP006", {"DEVICE_METADATA": LEAF, "BGP_GLOBALS": {"default": {}}},
     {"DEVICE_METADATA": UNIFIED, "BGP_GLOBALS": {"default": {}}}),
    ("BGP007", {"DEVICE_METADATA": {"localhost": {"type": "ASIC"}}, "BGP_NEIGHBOR": neighbor()},
     {"DEVICE_METADATA": LEAF, "BGP_NEIGHBOR": neighbor()}),
    ("SEC001", {"TACPLUS": {"global": {"passkey": "CANARY"}}}, {"TACPLUS": {"global": {}}}),
    ("SEC002", {"SNMP_COMMUNITY": {"public": {}}}, {"SNMP_COMMUNITY": {"orchard": {}}}),
]  # fmt: skip


def fired(devices, links=None):
    return list(validate_tables(devices, links).findings)


@pytest.mark.parametrize(("rule", "bad", "good"), DEVICE)
def test_device_rule(rule, bad, good):
    assert rule in {each.rule for each in fired({"a": bad})}
    assert rule not in {each.rule for each in fired({"a": good})}


@pytest.mark.parametrize(
    ("table", "version", "told"),
    [
        ("SAG", "version_202405_01", "SONiC 202405 has no model of table SAG; master has"),
        ("SAG", None, None),
        ("STP_MST", "version_202511_01", None),
        ("VRRP", None, "SONiC has no model of table VRRP, which its own programs use"),
        ("DHCPV6_RELAY", None, "SONiC has no model of table DHCPV6_RELAY; DHCPV4_RELAY was meant?"),
        ("DHCPV4_RELAY", "version_202405_01",
         "SONiC 202405 has no model of table DHCPV4_RELAY; 202511 has"),
    ],
)  # fmt: skip
def test_a_model_is_asked_for_on_the_release_of_the_file(table, version, told):
    tables = {table: {"x": {}}}
    if version:
        tables["VERSIONS"] = {"DATABASE": {"VERSION": version}}
    found = [each.message for each in fired({"a": tables}) if each.rule == "TYP004"]
    assert found == ([told] if told else [])


def test_secrets_stay_secret():
    found = fired({"a": {"TACPLUS": {"global": {"passkey": "CANARY-1"}},
                         "SNMP_COMMUNITY": {"CANARY-2": {}}}})  # fmt: skip
    assert len(found) == 2
    assert "CANARY" not in str(found)


def sound(
    own=LEAF, address="10.0.0.0", peer="10.0.0.1", asn="65002", loopback="10.9.0.1", **tables
):
    return {
        "DEVICE_METADATA": own,
        "PORT": port(),
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
        "INTERFACE": interface(f"{address}/31"),
        "LOOPBACK_INTERFACE": {"Loopback0": {}, f"Loopback0|{loopback}/32": {}},
        "BGP_NEIGHBOR": neighbor(peer, address, asn),
        **tables,
    }


def other(**tables):
    return sound(SPINE, "10.0.0.1", "10.0.0.0", "65001", "10.9.0.2", **tables)


LINKS = links_from([{"a": "a:Ethernet0", "b": "b:Ethernet0"}], "links.yaml")
FABRIC = [
    ("LNK001", {"PORT": port(speed="400000")}),
    ("LNK002", {"PORT": port(fec="none")}),
    ("LNK003", {"PORT": port(mtu="1500")}),
    ("LNK004", {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}}}),
    ("LNK005", {"PORT": {"Ethernet4": PORT}}),
    ("LNK006", {"DEVICE_METADATA": {"localhost": {**SPINE["localhost"], "type": "ToRRouter"}}}),
    ("ADR004", {"LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback0|10.9.0.1/32": {}}}),
    ("BGP010", {"DEVICE_METADATA": {"localhost": {**SPINE["localhost"], "bgp_asn": "65009"}}}),
    ("BGP011", {"BGP_NEIGHBOR": neighbor("10.0.0.7", "10.0.0.1", "65001")}),
]


def test_a_sound_fabric_has_nothing():
    assert fired({"a": sound(), "b": other()}, LINKS) == []


@pytest.mark.parametrize(("rule", "change"), FABRIC)
def test_fabric_rule(rule, change):
    found = fired({"a": sound(), "b": other(**change)}, LINKS)
    assert rule in {each.rule for each in found}


def test_a_loopback_out_of_reach():
    shut = {"10.0.0.1": {**neighbor()["10.0.0.1"], "admin_status": "down"}}
    third = sound(THIRD, address="10.0.0.4", peer="10.0.0.5", loopback="10.9.0.3")
    back = {
        **neighbor("10.0.0.0", "10.0.0.1", "65001"),
        **neighbor("10.0.0.4", "10.0.0.5", "65001"),
    }
    pair = {"a": sound(BGP_NEIGHBOR=shut), "b": other(BGP_NEIGHBOR=back, INTERFACE=interface(
        "10.0.0.1/31", "10.0.0.5/31"))}  # fmt: skip
    found = fired({**pair, "c": third}, LINKS)
    assert ("BGP012", "a") in [(each.rule, each.device) for each in found]


def test_fabrics_that_never_meet_reach_nothing_of_each_other():
    alone = sound(THIRD, address="10.0.0.4", peer="10.0.0.5", asn="65005", loopback="10.9.0.3")
    assert fired({"a": sound(), "b": other(), "c": alone}, LINKS) == []
