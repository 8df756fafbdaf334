"""The databases behind CONFIG_DB follow it, but for what a fault withholds."""

import copy
import json

import pytest

from nettool.fleet.mock.fault import Fault
from tests.unit.fleet.mock.conftest import CONFIG

LOSSLESS = {
    **copy.deepcopy(CONFIG),
    "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}},
    "BUFFER_PG": {"Ethernet0|3-4": {"profile": "p"}},
    "WRED_PROFILE": {"R": {"ecn": "ecn_all", "green_max_threshold": "2000"}},
}
LOSSLESS["QUEUE"]["Ethernet0|3"]["wred_profile"] = "R"


@pytest.fixture
def lossless(start):
    return start(config=LOSSLESS)


def objects(box, kind):
    command = f"sudo sonic-db-dump -n ASIC_DB -y -k 'ASIC_STATE:SAI_OBJECT_TYPE_{kind}:*'"
    return [each["value"] for each in json.loads(box.run(command)[1]).values()]


def names(box, kind):
    key = f"COUNTERS_{kind}_NAME_MAP"
    text = box.run(f"sonic-db-dump -n COUNTERS_DB -y -k {key}")[1]
    return json.loads(text)[key]["value"]


def test_the_chip_is_told_what_is_configured(lossless):
    masks = [each["SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL"] for each in objects(lossless, "PORT")]
    assert sorted(masks) == ["0", "0", "24"]
    assert [each["SAI_BUFFER_PROFILE_ATTR_XOFF_TH"] for each in objects(lossless, "BUFFER_PROFILE")]
    groups = objects(lossless, "INGRESS_PRIORITY_GROUP")
    assert sum(next(iter(each.values())) != "oid:0x0" for each in groups) == 2
    assert objects(lossless, "WRED") == [
        {
            "SAI_WRED_ATTR_GREEN_ENABLE": "false",
            "SAI_WRED_ATTR_GREEN_MAX_THRESHOLD": "2000",
            "SAI_WRED_ATTR_ECN_MARK_MODE": "SAI_ECN_MARK_MODE_ALL",
        }
    ]
    assert len(names(lossless, "PG")) == 24


READS = {
    "passed on": ("sonic-db-cli APPL_DB HGET BUFFER_PG_TABLE:Ethernet0:3-4 profile", "p\n"),
    "there": ("sonic-db-cli STATE_DB HGET 'PORT_TABLE|Ethernet0' state", "ok\n"),
    "exists": ("sonic-db-cli APPL_DB EXISTS BUFFER_PG_TABLE:Ethernet0:3-4", "1\n"),
    "exists not": ("sonic-db-cli APPL_DB EXISTS BUFFER_PG_TABLE:Ethernet4:3-4", "0\n"),
    "keys": ("sonic-db-cli STATE_DB KEYS '*Ethernet4'", "PORT_TABLE|Ethernet4\n"),
}


@pytest.mark.parametrize(("line", "answer"), READS.values(), ids=READS)
def test_read(lossless, line, answer):
    assert lossless.run(line) == (0, answer, "")
    assert lossless.handle.writes() == []


@pytest.mark.parametrize(("do", "passed_on"), [("unprogrammed", "1\n"), ("forgotten", "0\n")])
def test_withheld_from_the_chip(lossless, do, passed_on):
    lossless.handle.inject(Fault(r"BUFFER_PG\|Ethernet0", do, times=None))
    assert lossless.run("sonic-db-cli APPL_DB EXISTS BUFFER_PG_TABLE:Ethernet0:3-4")[1] == passed_on
    groups = objects(lossless, "INGRESS_PRIORITY_GROUP")
    assert all(next(iter(each.values())) == "oid:0x0" for each in groups)


def test_no_such_database(lossless):
    assert lossless.run("sonic-db-dump -n NO_DB -y")[0] == 1
