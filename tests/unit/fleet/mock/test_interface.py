"""Ports up, down and broken out on a mock switch, held to what config/main.py does."""

import copy

import pytest

from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.spec import PortFacts
from tests.unit.fleet.mock.conftest import CONFIG

WHOLE, HALVES, MIXED = "1x800G[400G]", "2x400G", "1x400G(4)+2x200G(4)"
MODES = {WHOLE: ("E1",), HALVES: ("E1_1", "E1_2"), MIXED: ("a", "b", "c")}
CAGE = {
    **copy.deepcopy({k: v for k, v in CONFIG.items() if k not in {"QUEUE", "PORT"}}),
    "PORT": {
        "Ethernet0": {
            "lanes": "1,2,3,4,5,6,7,8", "speed": "800000", "index": "1", "alias": "E1",
            "admin_status": "up", "mtu": "9216", "fec": "rs",
        }
    },
    "BREAKOUT_CFG": {"Ethernet0": {"brkout_mode": WHOLE}},
}  # fmt: skip
HARDWARE = {
    "breakouts": {"Ethernet0": MODES},
    "ports": {"Ethernet0": PortFacts("1,2,3,4,5,6,7,8", "1", "E1")},
}


@pytest.fixture
def cage(start):
    return start(config=CAGE, **HARDWARE)


def test_children_have_lanes_speed_and_alias_and_nothing_more(cage):
    assert cage.run(f"sudo config interface breakout Ethernet0 '{HALVES}' -y")[0] == 0
    assert cage.handle.running()["PORT"] == {
        "Ethernet0": {"alias": "E1_1", "lanes": "1,2,3,4", "speed": "400000", "index": "1"},
        "Ethernet4": {"alias": "E1_2", "lanes": "5,6,7,8", "speed": "400000", "index": "1"},
    }
    assert cage.handle.running()["BREAKOUT_CFG"] == {"Ethernet0": {"brkout_mode": HALVES}}
    assert [(e.kind, e.what) for e in cage.handle.events()] == [("port down", "Ethernet0")]


def test_unequal_children(cage):
    assert cage.run(f"sudo config interface breakout Ethernet0 '{MIXED}' -y")[0] == 0
    lanes = {name: row["lanes"] for name, row in cage.handle.running()["PORT"].items()}
    assert lanes == {"Ethernet0": "1,2,3,4", "Ethernet4": "5,6", "Ethernet6": "7,8"}


def test_there_and_back(cage):
    for mode in (HALVES, WHOLE):
        assert cage.run(f"sudo config interface breakout Ethernet0 '{mode}' -y")[0] == 0
    assert list(cage.handle.running()["PORT"]) == ["Ethernet0"]


REFUSED = {
    "not asked": ("Ethernet0 2x400G", "Aborted!"),
    "no such mode": ("Ethernet0 8x100G -y", "Target mode 8x100G is not available"),
    "no parent": ("Ethernet4 2x400G -y", "Ethernet4 interface is NOT present in BREAKOUT_CFG"),
    "no mode": ("Ethernet0", "Usage: config interface breakout"),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED)
def test_refused_and_nothing_done(cage, words, said):
    status, out, err = cage.run(f"sudo config interface breakout {words}")
    assert status
    assert said in out + err
    assert cage.handle.writes() == []


def test_the_same_mode_is_no_error(cage):
    status, out, _ = cage.run(f"sudo config interface breakout Ethernet0 '{WHOLE}' -y")
    assert status == 0
    assert "No action will be taken" in out
    assert cage.handle.writes() == []


HELD = {
    "buffers": {"BUFFER_PG": {"Ethernet0|3": {"profile": "p"}}},
    "queues": {"QUEUE": {"Ethernet0|3": {"scheduler": "scheduler.0"}}},
    "maps": {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}}},
    "addresses": {"INTERFACE": {"Ethernet0": {}}},
}


@pytest.mark.parametrize("rows", HELD.values(), ids=HELD)
def test_rows_that_hold_the_port_stop_it(start, rows):
    box = start(config={**copy.deepcopy(CAGE), **rows}, **HARDWARE)
    table, key = next((t, k) for t, r in rows.items() for k in r)
    status, out, _ = box.run(f"sudo config interface breakout Ethernet0 '{HALVES}' -y")
    assert (status, box.handle.writes()) == (1, [])
    assert "Dependencies Exist. No further action will be taken" in out
    assert f"{table}|{key}" in out
    assert box.run(f"sudo config interface breakout Ethernet0 '{HALVES}' -y -f")[0] == 0
    assert table not in box.handle.running()


def test_a_length_of_the_ports_cable_stops_it_too(start):
    lengths = {"CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m", "Ethernet8": "40m"}}}
    box = start(config={**copy.deepcopy(CAGE), **lengths}, **HARDWARE)
    assert "CABLE_LENGTH|AZURE" in box.run("sudo config interface breakout Ethernet0 2x400G -y")[1]
    assert box.run("sudo config interface breakout Ethernet0 2x400G -y -f")[0] == 0
    assert box.handle.running()["CABLE_LENGTH"] == {"AZURE": {"Ethernet8": "40m"}}


def test_a_table_without_model_needs_an_answer(start):
    box = start(config={**copy.deepcopy(CAGE), "MY_TABLE": {"k": {"f": "1"}}}, **HARDWARE)
    assert box.run(f"sudo config interface breakout Ethernet0 '{HALVES}' -y")[0] == 1
    assert box.handle.writes() == []


def test_without_platform_file(start):
    status, out, err = start(config=CAGE).run("sudo config interface breakout Ethernet0 2x400G -y")
    assert (status, err) == (1, "Aborted!\n")
    assert "not available without platform.json file" in out


def test_children_may_be_late(cage):
    cage.handle.inject(Fault("Ethernet4", "late", seconds=50, times=None))
    cage.run(f"sudo config interface breakout Ethernet0 '{HALVES}' -y")
    read = "sonic-db-cli STATE_DB HGET 'PORT_TABLE|Ethernet4' state"
    assert cage.run(read)[1].strip() == ""
    cage.wait(lambda: cage.run(read)[1] == "ok\n")


def test_a_breakout_may_end_half_way(cage):
    cage.handle.inject(Fault("config interface breakout", "partial"))
    assert cage.run(f"sudo config interface breakout Ethernet0 '{HALVES}' -y")[0] == 1
    assert "PORT" not in cage.handle.running()


@pytest.mark.parametrize(
    ("words", "status"),
    [("shutdown Ethernet0", "down"), ("startup Ethernet0,Ethernet8", "up"),
     ("shutdown Ethernet[0-4]", "down")],
)  # fmt: skip
def test_admin_status(cage, words, status):
    assert cage.run(f"sudo config interface {words}")[0] == 0
    assert cage.handle.running()["PORT"]["Ethernet0"]["admin_status"] == status


def test_a_port_that_is_not_there(cage):
    assert cage.run("sudo config interface shutdown Ethernet8")[0] == 2
    assert cage.handle.writes() == []
