"""What a mock switch's updater refuses, and what an apply leaves behind."""

import pytest

from nettool.fleet.mock.fault import Fault

MTU = ("replace", "/PORT/Ethernet0/mtu", "9216")


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (
            ("replace", "/BUFFER_POOL/pool/size", "2"),
            "Modification of BUFFER_POOL table is",
        ),
        (("add", "/BUFFER_POOL/pool/xoff", "2"), "Modification of BUFFER_POOL table is"),
        (("replace", "/BUFFER_PROFILE/p/size", "2"), "Modification of BUFFER_PROFILE table is"),
        (("replace", "/BUFFER_PROFILE/p/xoff", "2"), "buffer_profile_config_update_validator"),
        (("replace", "/PORT/Ethernet0/fec", "rs544"), "port_config_update_validator"),
        (("remove", "/PFC_WD/GLOBAL"), "remove is illegal on field: /PFC_WD/GLOBAL"),
        (("remove", "/QUEUE/Ethernet0|3"), "empty tables which is not allowed in ConfigDb"),
        (("add", "/NO_SUCH_TABLE", {"a": {"b": "1"}}), "tables without YANG models"),
        (("replace", "/QUEUE/Ethernet0|3/scheduler", "no"), 'Leafref "SCHEDULER" of value "no"'),
        (("remove", "/PORT/Ethernet0"), "Leafref"),
        (("replace", "/PORT/Ethernet4/lanes", "1"), "lane is used multiple times"),
        (("replace", "/PORT/Ethernet99/mtu", "9216"), "not found"),
        (("replace", "", {}), "empty path"),
        (("twist", "/PORT/Ethernet0/mtu", "1"), "Unknown operation 'twist'"),
    ],
)
def test_refused_before_anything_is_touched(box, operation, message):
    before = box.handle.running()
    status, _, err = box.patch(operation)
    assert status == 2
    assert message in err
    assert box.handle.running() == before
    assert box.handle.writes() == []


def test_a_watchdog_row_is_refused_where_the_chip_is_unknown(start):
    row = ("add", "/PFC_WD/Ethernet0", {"action": "drop", "detection_time": "200"})
    unknown = start(asic_type="broadcom").patch(row)
    assert "Modification of PFC_WD table is illegal" in unknown[2]
    assert start(asic_type="marvell-teralynx").patch(row)[0] == 0


def test_a_whole_watchdog_table_is_refused(start):
    config = {"PORT": {"Ethernet0": {"lanes": "1", "speed": "400000"}}}
    row = ("add", "/PFC_WD", {"Ethernet0": {"action": "drop", "detection_time": "200"}})
    assert "PFC_WD table is illegal" in start(config=config).patch(row)[2]


@pytest.mark.parametrize(
    ("hwsku", "status"), [("ACS-SN5600", 0), ("ACS-SN5600-X", 2), ("Force10-S6000", 2)]
)
def test_a_chip_is_known_by_its_sku(start, hwsku, status):
    config = {
        "DEVICE_METADATA": {"localhost": {"hwsku": hwsku}},
        "BUFFER_POOL": {"pool": {"mode": "dynamic", "type": "ingress", "size": "1"}},
        "BUFFER_PROFILE": {"p": {"pool": "pool", "size": "0", "dynamic_th": "0"}},
    }
    box = start(config=config, asic_type="mellanox")
    assert box.patch(("replace", "/BUFFER_PROFILE/p/dynamic_th", "1"))[0] == status


def test_an_older_branch_refuses_what_a_newer_one_takes(start):
    change = ("replace", "/BUFFER_PROFILE/p/dynamic_th", "1")
    assert start(version="20251110.1").patch(change)[0] == 0
    assert start(version="20241100.1").patch(change)[0] == 2


def test_a_patch_is_applied_change_by_change(box):
    status, out, _ = box.patch(MTU, ("replace", "/CRM/Config/polling_interval", "60"))
    assert (status, "Patch applied successfully." in out) == (0, True)
    assert box.handle.running()["PORT"]["Ethernet0"]["mtu"] == "9216"
    assert [each.what for each in box.handle.writes()] == ["change 1/2", "change 2/2"]


def test_a_queue_changes_while_its_port_is_down(box):
    row = ("replace", "/QUEUE/Ethernet0|3", {"scheduler": "scheduler.1"})
    new = ("add", "/SCHEDULER/scheduler.1", {"type": "STRICT"})
    assert box.patch(new)[0] == 0
    assert box.patch(row)[0] == 0
    assert [each.kind for each in box.handle.events()] == ["port down", "port up"]


def test_a_half_applied_patch_stays(box):
    box.handle.inject(Fault("apply-patch", "partial", changes=1))
    status, _, err = box.patch(MTU, ("replace", "/CRM/Config/polling_interval", "60"))
    assert (status, "could not be applied" in err) == (2, True)
    running = box.handle.running()
    changed = (running["CRM"]["Config"]["polling_interval"], running["PORT"]["Ethernet0"]["mtu"])
    assert changed in {("60", "9100"), ("300", "9216")}


@pytest.mark.parametrize("option", ["-d", "--dry-run"])
def test_a_dry_run_writes_nothing(box, option):
    status, out, _ = box.run(
        f"sudo config apply-patch {option} /dev/stdin",
        '[{"op": "replace", "path": "/PORT/Ethernet0/mtu", "value": "9216"}]',
    )
    assert (status, out.startswith("** DRY RUN EXECUTION **")) == (0, True)
    assert box.handle.writes() == []


@pytest.mark.parametrize("text", ["", "{", "{}", "[1]", '[{"op": "add"}]', "null", '"x"'])
def test_what_is_no_patch_is_refused(box, text):
    assert box.run("sudo config apply-patch /dev/stdin", text)[0] == 2
    assert box.handle.writes() == []
