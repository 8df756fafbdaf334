"""Lossless rows follow speed, cable and pfc_enable, as the buffer daemon makes them."""

import copy

import pytest

from tests.unit.fleet.mock.conftest import CONFIG

HEADROOM = (
    ("400000", "5m", "1000", "0", "9000", "0", ""),
    ("400000", "40m", "1000", "0", "40000", "0", ""),
)
OWN = {
    **copy.deepcopy(CONFIG),
    "BUFFER_POOL": {"ingress_lossless_pool": {"mode": "dynamic", "size": "1", "type": "ingress"}},
    "BUFFER_PROFILE": {
        "p": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "0", "xoff": "1000"}
    },
    "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}, "Ethernet4": {"pfc_enable": "3,4"}},
    "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m", "Ethernet4": "5m"}},
}


@pytest.fixture
def lossless(start):
    return start(config=OWN, daemons=True, headroom=HEADROOM)


def group(box, key):
    return box.handle.running().get("BUFFER_PG", {}).get(key)


def test_rows_follow_a_live_change(lossless):
    length = ("replace", "/CABLE_LENGTH/AZURE/Ethernet0", "40m")
    assert lossless.patch(length)[0] == 0
    wanted = {"profile": "pg_lossless_400000_40m_profile"}
    lossless.wait(lambda: group(lossless, "Ethernet0|3") == wanted)
    profile = lossless.handle.running()["BUFFER_PROFILE"]["pg_lossless_400000_40m_profile"]
    assert profile["xoff"] == "40000"
    assert lossless.handle.writes()[-1].by == "buffermgrd"


def test_rows_follow_a_reload(lossless):
    assert lossless.run("sudo config reload -y -f")[0] == 0
    assert group(lossless, "Ethernet4|3-4") == {"profile": "pg_lossless_400000_5m_profile"}


def test_a_port_that_is_down_gets_none(lossless):
    lossless.run("sudo config interface shutdown Ethernet4")
    lossless.wait(lambda: group(lossless, "Ethernet0|3") is not None)
    assert group(lossless, "Ethernet4|3-4") is None


def test_without_daemons_nothing_follows(start):
    box = start(config=OWN, headroom=HEADROOM)
    box.patch(("replace", "/CABLE_LENGTH/AZURE/Ethernet0", "40m"))
    assert "BUFFER_PG" not in box.handle.running()
