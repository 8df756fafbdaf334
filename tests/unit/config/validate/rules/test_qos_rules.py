"""QoS rules: for each, a fragment that it refuses and one that it passes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nettool.config.validate.declared import Traffic
from nettool.config.validate.engine import validate_tables
from nettool.config.validate.platform import Headroom, Platform

TRAFFIC = Traffic(lossless=frozenset({26}), cnp=frozenset({48}))
PLATFORM = Platform(
    name="test",
    breakout_modes=("1x400G", "2x200G", "1x100G(4)"),
    pfc_to_pg_map_needed=True,
    max_lossless_priorities=2,
    buffer=1_000,
    size_includes_xoff=False,
    size_holds_headroom=True,
    lookup={(400_000, 5): Headroom(size=300, xon=100, xoff=200)},
    port_headroom={400_000: 500},
)
Tables = dict[str, Any]
PORT_E0 = {"speed": "400000", "lanes": "1,2,3,4,5,6,7,8", "index": "1", "fec": "rs"}
POOLS = {"p": {"mode": "dynamic", "size": "900"}, "s": {"mode": "static", "size": "10"}}
HEADROOM = {"pool": "p", "size": "300", "xon": "100", "xoff": "200", "dynamic_th": "0"}
PROFILES = {"lossless": HEADROOM, "lossy": {"pool": "p", "size": "0", "dynamic_th": "1"}}


def qos(pfc: str = "3", **more: str) -> Tables:
    """One port with PFC, and more fields of its row."""
    return {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": pfc, **more}}}


def groups(**rows: str) -> Tables:
    """PGs of Ethernet0 (`pg3` to a profile), with the profiles."""
    named = {f"Ethernet0|{key[2:]}": {"profile": name} for key, name in rows.items()}
    return {"BUFFER_PG": named, "BUFFER_PROFILE": PROFILES, "BUFFER_POOL": POOLS}


def dscp(**classes: str) -> Tables:
    """A port whose DSCP map is given (`d26` to a class)."""
    rows = {key[1:]: tc for key, tc in classes.items()}
    return {**qos(dscp_to_tc_map="M"), "DSCP_TO_TC_MAP": {"M": rows}}


def closed(queues: dict[str, str]) -> Tables:
    """A port whose DSCP 26 is of class 3, and whose queue map is given."""
    mapped = qos(dscp_to_tc_map="M", tc_to_queue_map="M")
    return {**mapped, "DSCP_TO_TC_MAP": {"M": {"26": "3"}}, "TC_TO_QUEUE_MAP": {"M": queues}}


def to_group(group: str) -> Tables:
    """Class 3 to a PG, where PG 3 is lossless and PG 0 lossy."""
    maps = {"TC_TO_PRIORITY_GROUP_MAP": {"M": {"3": group}}}
    return {**qos(tc_to_pg_map="M"), **maps, **groups(pg0="lossy", pg3="lossless")}


def pause(queue: str) -> Tables:
    """Priority 3 stops a queue; class 3 uses queue 3."""
    maps = {"TC_TO_QUEUE_MAP": {"M": {"3": "3"}}, "MAP_PFC_PRIORITY_TO_QUEUE": {"M": {"3": queue}}}
    return {**qos(tc_to_queue_map="M", pfc_to_queue_map="M"), **maps}


def queue(ecn: str, **bound: str) -> Tables:
    """Lossless queue 3 and a WRED profile W."""
    return {
        **qos(tc_to_queue_map="M"),
        "TC_TO_QUEUE_MAP": {"M": {"3": "3"}},
        "QUEUE": {"Ethernet0|3": {"scheduler": "x", **bound}},
        "WRED_PROFILE": {"W": {"ecn": ecn, "wred_green_enable": "true"}},
    }


def traditional(**tables: Any) -> Tables:
    """Ethernet0 pauses on a device of the traditional buffer model that has a lossy group."""
    return {**qos(), **metadata(), **groups(pg0="lossy"), **tables}


def metadata(**row: str) -> Tables:
    """DEVICE_METADATA of any device."""
    return {"DEVICE_METADATA": {"localhost": {"hwsku": "x", **row}}}


def up(*ports: int, **last: str) -> Tables:
    """Ports that are up, the last one with other fields; the first two pause."""
    row = {"speed": "400000", "admin_status": "up"}
    names = [f"Ethernet{each}" for each in ports]
    rows = {name: {**row, **(last if name == names[-1] else {})} for name in names}
    return {"PORT": rows, "PORT_QOS_MAP": {name: {"pfc_enable": "3"} for name in names[:2]}}


def queues(*keys: str) -> Tables:
    """Two ports that pause class 3, with these rows of QUEUE."""
    row = {"pfc_enable": "3", "tc_to_queue_map": "M"}
    return {
        "PORT_QOS_MAP": {"Ethernet0": row, "Ethernet8": row},
        "TC_TO_QUEUE_MAP": {"M": {"3": "3"}},
        "QUEUE": {key: {"scheduler": "x"} for key in keys},
    }


def profile(**changed: str) -> Tables:
    """One headroom profile, changed."""
    return {"BUFFER_PROFILE": {"x": {**HEADROOM, **changed}}, "BUFFER_POOL": POOLS}


def cabled(length: str, **rows: str) -> Tables:
    """Ethernet0 at 400G on a cable, with PFC and PGs."""
    port = {"PORT": {"Ethernet0": PORT_E0}, "CABLE_LENGTH": {"A": {"Ethernet0": length}}}
    return {**qos(), **port, **(groups(**rows) if rows else {})}


def pooled(**pool: str) -> Tables:
    """A lossless group of 300 bytes, 200 of them headroom, in a pool."""
    return {**groups(pg3="lossless"), "BUFFER_POOL": {"p": {"mode": "dynamic", **pool}}}


def made(name: str, **more: str) -> Tables:
    """PG 3 of a 400G port at 5 m with a profile by name, in the traditional buffer model."""
    return {**cabled("5m"), **metadata(**more), "BUFFER_PG": {"Ethernet0|3": {"profile": name}}}


def weak() -> Tables:
    """A 5 m port whose headroom is below that of the platform's table."""
    tables = cabled("5m", pg3="low")
    tables["BUFFER_PROFILE"] = {"low": {**HEADROOM, "xoff": "150"}}
    return tables


def wred(low: str, high: str) -> Tables:
    """A WRED profile by its green thresholds."""
    return {"WRED_PROFILE": {"W": {"green_min_threshold": low, "green_max_threshold": high}}}


def watched(port: str, time: str) -> Tables:
    """One port in PFC_WD; Ethernet0 has PFC."""
    rows = {"GLOBAL": {"POLL_INTERVAL": "400"}, port: {"detection_time": time}}
    return {**qos(), "PFC_WD": rows}


def cage(mode: str, *ports: tuple[str, str], fec: str = "rs") -> Tables:
    """A cage of Ethernet0 in a mode, with ports by name and lanes."""
    speed = str(400_000 // len(ports))
    rows = {
        name: {"index": "1", "lanes": lanes, "speed": speed, "fec": fec} for name, lanes in ports
    }
    return {"PORT": rows, "BREAKOUT_CFG": {"Ethernet0": {"brkout_mode": mode}}}


WHOLE = ("Ethernet0", "1,2,3,4,5,6,7,8")
FIRST, SECOND, WRONG = ("Ethernet0", "1,2,3,4"), ("Ethernet4", "5,6,7,8"), ("Ethernet1", "5,6,7,8")

ROWS: list[tuple[str, Tables, Tables]] = [
    ("MAP001", closed({"0": "0"}), closed({"3": "3"})),
    ("MAP002", dscp(d26="1"), dscp(d26="3")),
    ("MAP003", dscp(d26="3", d48="3"), dscp(d26="3", d48="6")),
    ("MAP004", to_group("0"), to_group("3")),
    ("MAP005", pause("4"), pause("3")),
    ("MAP006", {"SCHEDULER": {"s": {"weight": "0"}}}, {"SCHEDULER": {"s": {"weight": "100"}}}),
    ("MAP006", {"SCHEDULER": {"s": {"type": "PRIO"}}}, {"SCHEDULER": {"s": {"type": "STRICT"}}}),
    ("PFC001", qos("3-4"), qos("3,4")),
    ("PFC001", qos("3,3"), qos("0,7")),
    ("PFC001", qos("8"), qos("7")),
    ("PFC001", qos(""), {"PORT_QOS_MAP": {"Ethernet0": {}}}),
    ("PFC002", {**qos("3,5"), **groups(pg3="lossless")}, {**qos(), **groups(pg3="lossless")}),
    ("PFC002", traditional(), traditional(CABLE_LENGTH={"A": {"Ethernet0": "5m"}})),
    ("PFC002", traditional(), traditional(**groups(pg3="lossless"))),
    ("PFC002", traditional(), {**traditional(), **metadata(buffer_model="dynamic")}),
    ("PFC002", traditional(CABLE_LENGTH={"A": {"Ethernet0": "0m"}}), qos()),
    ("PFC003", qos("2,3,4"), qos("3,4")),
    ("PFC004", {**qos("3"), **groups(pg4="lossless")}, {**qos("4"), **groups(pg4="lossless")}),
    ("PFC004", {**groups(pg3="lossless"), "PORT_QOS_MAP": {"Ethernet8": {"pfc_enable": "3"}}},
     {**groups(pg3="lossless")}),
    ("PFC004", {**groups(pg3="lossless"), "PORT_QOS_MAP": {"Ethernet0": {"tc_to_queue_map": "M"}}},
     {**groups(pg3="lossy"), "PORT_QOS_MAP": {"Ethernet8": {"pfc_enable": "3"}}}),
    ("PFC005", qos("3"), qos("3", pfc_to_pg_map="M")),
    ("PFC006", up(0, 8, 16), up(0, 8)),
    ("PFC006", up(0, 8, 16), up(0, 8, 16, 24)),
    ("PFC006", up(0, 8, 16), up(0, 8, 16, speed="25000")),
    ("PFC006", up(0, 8, 16), up(0, 8, 16, admin_status="down")),
    ("PFC006", up(0, 8, 16), up(0, 8, 16, role="Inb")),
    ("BUF001", {"QUEUE": {"Ethernet0|3-4": {}, "Ethernet0|4": {}}},
     {"QUEUE": {"Ethernet0|3-4": {}, "Ethernet0|5": {}, "Ethernet1|4": {}}}),
    ("BUF001", {"QUEUE": {"Ethernet0|4-3": {}}}, {"QUEUE": {"Ethernet0|3-4": {}}}),
    ("BUF002", profile(static_th="9"), profile()),
    ("BUF002", profile(pool="s"), profile(pool="p")),
    ("BUF003", {"BUFFER_POOL": {"p": {"size": "900", "xoff": "101"}}},
     {"BUFFER_POOL": {"p": {"size": "900", "xoff": "100"}}}),
    ("BUF004", profile(size="299"), profile(size="300")),
    ("BUF005", cabled("40m"), cabled("5m")),
    ("BUF006", cabled("5m", pg3="lossless", pg4="lossless"), cabled("5m", pg3="lossless")),
    ("BUF007", weak(), cabled("5m", pg3="lossless")),
    ("BUF008", cabled("5 m"), cabled("5m")),
    ("BUF009", pooled(size="700", xoff="199"), pooled(size="700", xoff="200")),
    ("BUF009", pooled(size="700", xoff="1"), pooled(size="700", xoff="0")),
    ("BUF010", pooled(size="701"), pooled(size="700")),
    ("BUF010", pooled(size="501", xoff="200"), pooled(size="500", xoff="200")),
    ("BUF011", made("lossless"), made("pg_lossless_400000_5m_profile")),
    ("BUF011", made("pg_lossless_400000_40m_profile"), made("NULL")),
    ("BUF011", made("lossless"), made("lossless", buffer_model="dynamic")),
    ("WRD001", wred("2000", "1000"), wred("1000", "2000")),
    ("WRD001", wred("1000", "1000"), wred("999", "1000")),
    ("WRD002", queue("ecn_all"), queue("ecn_all", wred_profile="W")),
    ("WRD003", queue("ecn_none", wred_profile="W"), queue("ecn_all", wred_profile="W")),
    ("WRD005", queues("Ethernet0|3", "Ethernet8|4"), queues("Ethernet0|3", "Ethernet8|3-4")),
    ("WRD005", queues("Ethernet0|3"), queues("Ethernet0|4")),
    ("WRD004", {"WRED_PROFILE": {"W": {"ecn": "ecn_all", "wred_green_enable": "false"}}},
     {"WRED_PROFILE": {"W": {"ecn": "ecn_all", "wred_green_enable": "true"}}}),
    ("WDG001", watched("Ethernet0", "399"), watched("Ethernet0", "400")),
    ("WDG002", watched("Ethernet8", "400"), watched("Ethernet0", "400")),
    ("WDG003", qos("3", pfcwd_sw_enable="3,4"), qos("3,4", pfcwd_sw_enable="4,3")),
    ("WDG004", watched("Ethernet0", "5001"), watched("Ethernet0", "5000")),
    ("WDG005", {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "400"}, "Ethernet0": {"action": "drop"}}},
     {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "400"}, "Ethernet0": {"detection_time": "400"}}}),
    ("WDG006", watched("Ethernet0", "400"), {**watched("Ethernet0", "400"),
                                             **qos(pfcwd_sw_enable="3")}),
    ("WDG006", {**watched("Ethernet0", "400"), **qos(pfcwd_sw_enable="")},
     {**watched("Ethernet0", "400"), **qos(dscp_to_tc_map="[DSCP_TO_TC_MAP|AZURE]")}),
    ("WDG006", watched("Ethernet8", "400"), {"PFC_WD": {"Ethernet8": {"detection_time": "400"}}}),
    ("BRK001", cage("1x100G", WHOLE), cage("1x100G(4)", WHOLE)),
    ("BRK002", cage("2x200G", FIRST, WRONG), cage("2x200G", FIRST, SECOND)),
    ("BRK003", cage("2x200G", WHOLE), cage("1x400G", WHOLE)),
    ("BRK004", cage("1x400G", WHOLE, fec="none"), cage("1x400G", WHOLE, fec="rs")),
]  # fmt: skip


def found(tables: Tables) -> set[str]:
    """Ids of the rules that speak of one device."""
    report = validate_tables({"leaf01": tables}, platforms={"leaf01": PLATFORM}, traffic=TRAFFIC)
    return {each.rule for each in report.findings}


_IDS = [f"{row[0]}-{number}" for number, row in enumerate(ROWS)]


@pytest.mark.parametrize(("rule", "bad", "good"), ROWS, ids=_IDS)
def test_rule_tells_bad_from_good(rule: str, bad: Tables, good: Tables) -> None:
    assert rule in found(bad)
    assert rule not in found(good)


def test_a_map_at_fault_names_ports_that_use_it() -> None:
    tables = {**dscp(d26="1"), **pause("4")}
    row = {**tables["PORT_QOS_MAP"]["Ethernet0"], "dscp_to_tc_map": "M"}
    tables["PORT_QOS_MAP"] = {f"Ethernet{number}": row for number in (0, 8, 16)}
    report = validate_tables({"leaf01": tables}, traffic=TRAFFIC)
    told = {each.rule: each.message for each in report.findings}
    used = "(map of Ethernet0 and 2 more ports)"
    assert told["MAP005"] == f"priority 3 stops queue 4; class 3 uses 3 {used}"
    assert told["MAP002"].endswith(f"maps to class 1; PFC is on for 3 {used}")


def test_headroom_too_small_is_told_of_each_group() -> None:
    ports = [f"Ethernet{number * 8}" for number in range(64)]
    tables = {
        "PORT": dict.fromkeys(ports, PORT_E0),
        "CABLE_LENGTH": {"A": dict.fromkeys(ports, "5m")},
        "BUFFER_PG": {f"{port}|3": {"profile": "low"} for port in ports},
        "BUFFER_PROFILE": {"low": {**HEADROOM, "xoff": "150"}},
    }
    report = validate_tables({"leaf01": tables}, platforms={"leaf01": PLATFORM})
    told = [each for each in report.findings if each.rule == "BUF007"]
    assert [each.key for each in told] == [f"{port}|3" for port in ports]
    assert told[1].message == ("Ethernet8|3 has xoff 150 by low; 200 is needed at 400000 with 5m")


@pytest.mark.parametrize(
    ("size", "xoff", "told"),
    [
        ("800", "200", None),
        ("799", "200", "2 lossless groups of p take 800 bytes with their headroom; 799 are left"),
        ("", "", "take 600 bytes with their headroom; 599 are left in test"),
    ],
)
def test_where_size_holds_xoff_all_must_fit_the_pool(size, xoff, told) -> None:
    pool = {"mode": "dynamic", "size": size, "xoff": xoff}
    platform = replace(PLATFORM, size_includes_xoff=True, buffer=599)
    tables = {
        **groups(pg3="lossless", pg4="lossless"),
        "BUFFER_POOL": {"p": {key: text for key, text in pool.items() if text}},
    }
    report = validate_tables({"leaf01": tables}, platforms={"leaf01": platform})
    messages = [each.message for each in report.findings if each.rule == "BUF010"]
    assert len(messages) == (told is not None)
    assert told is None or told in messages[0]
