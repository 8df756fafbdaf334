"""Numbers of a file: the digits 0 to 9 and few of them, or no number; never an error inside."""

from __future__ import annotations

import json

import pytest

from nettool.config.validate.addresses import prefix_of
from nettool.config.validate.engine import lint
from nettool.config.validate.spelling import (
    digits,
    is_digits,
    lanes_of,
    metres_of,
    number_of,
    span_of,
)

ODD = {
    "superscript": "\u00b2",
    "circled": "\u2462",
    "arabic": "\u0663",
    "fullwidth": "\uff13",
    "after a digit": "3\u00b2",
    "long": "9" * 5_000,
    "underscore": "1_0",
    "plus": "+3",
    "newline": "3\n",
    "blank": " 3",
    "minus": "--3",
    "none": "",
}


@pytest.fixture(params=ODD.values(), ids=ODD.keys())
def odd(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_odd_digits_are_no_number(odd: str) -> None:
    assert not is_digits(odd)
    assert number_of(odd) is None
    assert digits(f"3,{odd}") == digits(odd) == ()
    assert span_of(odd) is None
    assert span_of(f"3-{odd}") is None
    assert lanes_of(f"1,{odd}") is None
    assert metres_of(f"{odd}m") is None


@pytest.mark.parametrize("text", ["\u00b2", "\u0663", "9" * 5_000, " 3", "+3"])
def test_odd_lengths_are_no_prefix(text: str) -> None:
    assert prefix_of(f"10.0.0.0/{text}") is None or len(text) > 20


def test_digits_are_numbers() -> None:
    assert number_of("-1") == -1
    assert number_of("9" * 20) == int("9" * 20)
    assert digits("3,4") == (3, 4)
    assert span_of("3-4") == range(3, 5)
    assert lanes_of("1,2") == (1, 2)
    assert metres_of("40m") == 40


def test_odd_digits_anywhere_in_a_file_are_findings(tmp_path, odd) -> None:
    port = {"lanes": f"1,{odd}", "speed": odd, "mtu": odd, "index": odd, "admin_status": "up"}
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf01", "bgp_asn": odd}},
        "PORT": {"Ethernet0": port, f"Ethernet{odd}": port},
        "BREAKOUT_CFG": {
            f"Ethernet{odd}": {"brkout_mode": f"{odd}x100G"},
            "Ethernet0": {"brkout_mode": "2x100G"},
        },
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": odd, "pfcwd_sw_enable": f"3,{odd}"}},
        "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": odd}, "Ethernet0": {"detection_time": odd}},
        "QUEUE": {f"Ethernet0|{odd}": {"scheduler": "x"}, f"Ethernet0|3-{odd}": {}},
        "BUFFER_PG": {f"Ethernet0|{odd}": {"profile": "x"}},
        "BUFFER_POOL": {"p": {"size": odd, "mode": "dynamic", "xoff": odd}},
        "BUFFER_PROFILE": {"x": {"pool": "p", "size": odd, "xon": odd, "xoff": odd}},
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": f"{odd}m"}},
        "INTERFACE": {f"Ethernet0|10.0.0.{odd}/31": {}, f"Ethernet0|10.0.0.1/{odd}": {}},
        "VLAN": {f"Vlan{odd}": {"vlanid": odd}},
        "VLAN_MEMBER": {f"Vlan{odd}|Ethernet0": {"tagging_mode": "untagged"}},
        "BGP_NEIGHBOR": {"10.0.0.2": {"asn": odd, "local_addr": f"10.0.0.{odd}"}},
        "DSCP_TO_TC_MAP": {"M": {odd: odd}},
        "WRED_PROFILE": {"W": {"green_min_threshold": odd, "green_max_threshold": odd}},
        "SCHEDULER": {"x": {"type": "DWRR", "weight": odd}},
        "DEVICE_NEIGHBOR": {"Ethernet0": {"name": "leaf02", "port": f"nic{odd}"}},
    }
    files = [tmp_path / "leaf01.json", tmp_path / "leaf02.json"]
    for file in files:
        tables["DEVICE_METADATA"]["localhost"]["hostname"] = file.stem
        file.write_text(json.dumps(tables), encoding="utf-8")
    assert lint(files).findings
