"""Both ends of a link: what differs and is a fault, what differs and is none, and who is blamed."""

from __future__ import annotations

from typing import Any

import pytest

from nettool.config.validate.declared import links_from
from nettool.config.validate.engine import validate_tables

Tables = dict[str, Any]
ROW = {"lanes": "1,2,3,4", "speed": "400000", "fec": "rs", "mtu": "9100", "admin_status": "up"}
QOS = {"dscp_to_tc_map": "M", "tc_to_queue_map": "M", "pfc_enable": "3"}


def switch(ports: int = 1, **tables: Any) -> Tables:
    """A whole RoCE configuration of some ports; tables given take the place of its own."""
    names = [f"Ethernet{number * 4}" for number in range(ports)]
    rows = {
        name: {**ROW, "lanes": f"{n},{n + 1},{n + 2},{n + 3}"}
        for n, name in zip(range(0, 999, 4), names, strict=False)
    }
    return {
        "PORT": rows,
        "PORT_QOS_MAP": dict.fromkeys(names, QOS),
        "DSCP_TO_TC_MAP": {"M": {"0": "0", "26": "3", "8": "1"}},
        "TC_TO_QUEUE_MAP": {"M": {str(tc): str(tc) for tc in range(8)}},
        "QUEUE": {f"{name}|3": {"wred_profile": "W"} for name in names},
        "WRED_PROFILE": {"W": {"ecn": "ecn_all", "wred_green_enable": "true",
                               "green_min_threshold": "1000", "green_max_threshold": "2000"}},
        "BUFFER_PROFILE": {"L": {"pool": "p", "size": "0", "xoff": "9"}},
        "BUFFER_PG": {f"{name}|3": {"profile": "L"} for name in names},
        "BUFFER_POOL": {"p": {"mode": "dynamic", "type": "ingress", "size": "9"}},
        **tables,
    }  # fmt: skip


def across(a: Tables, b: Tables, ports: int = 1) -> list[tuple[str, str, str]]:
    """Rules on links that speak: id, level, and device with place."""
    names = [f"Ethernet{number * 4}" for number in range(ports)]
    links = links_from([{"a": f"a:{name}", "b": f"b:{name}"} for name in names], "links.yaml")
    found = validate_tables({"a": a, "b": b}, links).findings
    return [(f.rule, str(f.severity), f"{f.device}:{f.table}|{f.key}|{f.field or ''}")
            for f in found if f.rule.startswith("LNK")]  # fmt: skip


MAPS = {"M": {"26": "3", "8": "1", "0": "0"}}
OTHER_WRED = {"W": {"ecn": "ecn_all", "wred_green_enable": "true", "green_min_threshold": "5000",
                    "green_max_threshold": "9000"}}  # fmt: skip
SAME: list[Tables] = [
    {},
    {"DSCP_TO_TC_MAP": MAPS},
    {"DSCP_TO_TC_MAP": {"N": MAPS["M"]}, "PORT_QOS_MAP": {
        "Ethernet0": {**QOS, "dscp_to_tc_map": "N"}}},
    {"DSCP_TO_TC_MAP": {"M": {"26": "3", "8": "1"}}},
    {"WRED_PROFILE": OTHER_WRED},
    {"QUEUE": {"Ethernet0|3-4": {"wred_profile": "W"}}},
    {"BUFFER_PG": {"Ethernet0|3-3": {"profile": "L"}}},
    {"PORT": {"Ethernet0": {**ROW, "fec": "auto"}}},
]  # fmt: skip


@pytest.mark.parametrize("change", SAME, ids=range(len(SAME)))
def test_what_amounts_to_the_same_is_no_fault(change: Tables) -> None:
    assert across(switch(), switch(**change)) == []


def test_tables_that_are_not_there_are_unknown() -> None:
    assert across(switch(), {"PORT": {"Ethernet0": ROW}}) == []


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"DSCP_TO_TC_MAP": {"M": {"26": "4", "8": "1"}}},
         ("LNK007", "error", "b:DSCP_TO_TC_MAP|M|26")),
        ({"DSCP_TO_TC_MAP": {"M": {"26": "3", "8": "2"}}},
         ("LNK007", "warning", "b:DSCP_TO_TC_MAP|M|8")),
        ({"DSCP_TO_TC_MAP": {"M": {"26": "3", "8": "3"}}},
         ("LNK007", "error", "b:DSCP_TO_TC_MAP|M|8")),
        ({"WRED_PROFILE": {"W": {"ecn": "ecn_none", "wred_green_enable": "true"}}},
         ("LNK009", "warning", "b:WRED_PROFILE|W|ecn")),
        ({"QUEUE": {"Ethernet0|3": {}}}, ("LNK009", "warning", "b:QUEUE|Ethernet0|3|wred_profile")),
        ({"QUEUE": {"Ethernet0|0": {}}}, ("LNK009", "warning", "b:QUEUE|Ethernet0|3|wred_profile")),
    ],
)  # fmt: skip
def test_a_difference_is_said_once_at_its_place(
    change: Tables, wanted: tuple[str, str, str]
) -> None:
    assert across(switch(), switch(**change)) == [wanted]


def test_one_binding_of_many_is_the_ports_fault() -> None:
    rows = {**dict.fromkeys([f"Ethernet{n * 4}" for n in range(4)], QOS),
            "Ethernet8": {**QOS, "dscp_to_tc_map": "N"}}  # fmt: skip
    odd = switch(4, PORT_QOS_MAP=rows, DSCP_TO_TC_MAP={**MAPS, "N": {"26": "4", "8": "1"}})
    place = "PORT_QOS_MAP|Ethernet8|dscp_to_tc_map"
    assert across(odd, switch(4), 4) == [("LNK007", "error", f"a:{place}")]
    assert across(switch(4), odd, 4) == [("LNK007", "error", f"b:{place}")]


@pytest.mark.parametrize(("model", "level"), [("dynamic", "error"), ("traditional", "warning")])
def test_a_port_without_headroom(model: str, level: str) -> None:
    bare = switch(2, DEVICE_METADATA={"localhost": {"buffer_model": model}},
                  BUFFER_PG={"Ethernet4|3": {"profile": "L"}})  # fmt: skip
    assert across(switch(2), bare, 2) == [("LNK008", level, "b:BUFFER_PG|Ethernet0|3|")]


def test_the_rarer_end_is_blamed() -> None:
    odd = switch(3)
    odd["PORT_QOS_MAP"] = {**odd["PORT_QOS_MAP"], "Ethernet4": {**QOS, "pfc_enable": "3,4"}}
    place = "PORT_QOS_MAP|Ethernet4|pfc_enable"
    assert across(odd, switch(3), 3) == [("LNK004", "error", f"a:{place}")]
    assert across(switch(3), odd, 3) == [("LNK004", "error", f"b:{place}")]
