"""Waves, inventory and exit codes: who is changed when, and what the whole push says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nettool.catalog.catalog import load_catalog
from nettool.fleet.deploy.inventory import chip, group_name, inventory
from nettool.fleet.deploy.outcome import HostResult, Outcome, PushReport, worst
from nettool.fleet.deploy.waves import plan_waves
from nettool.intent.intent import FabricIntent
from nettool.intent.load import find_fabric
from nettool.pipeline import design_only
from nettool.plan.design.design import design


@pytest.fixture(scope="module")
def designed():
    return design_only(find_fabric("rail-optimized-256"))


def test_one_first_and_never_two_that_stand_in_for_each_other(designed):
    fabric, _ = designed
    waves = plan_waves(fabric.devices)
    assert len(waves[0]) == 1
    assert sorted(d.name for wave in waves for d in wave) == sorted(fabric.by_name)
    for wave in waves:
        groups = [each.redundancy for each in wave]
        assert len(set(groups)) == len(groups)


class Box:
    """What waves look at in a device."""

    def __init__(self, number, group):
        self.name, self.tier, self.redundancy = f"leaf{number}", 1, f"pair{group}"


@given(st.lists(st.integers(0, 5), max_size=40))
@settings(max_examples=100, deadline=None)
def test_any_fleet_gets_through(groups):
    boxes = [Box(number, group) for number, group in enumerate(groups)]
    waves = plan_waves(boxes)
    assert sorted(b.name for wave in waves for b in wave) == sorted(b.name for b in boxes)
    assert all(len({b.redundancy for b in wave}) == len(wave) > 0 for wave in waves)
    assert not waves or len(waves[0]) == 1


def test_groups_are_the_contracts(designed):
    tree = inventory(*designed, load_catalog())["all"]
    assert {"leaf", "spine", "rail_01", "os_sonic", "wave_01"} <= set(tree["children"])
    assert "sku_cx864e_n_64x400g_32x800g" in tree["children"]
    assert list(tree["children"]["rail_03"]["hosts"]) == ["leaf03"]
    assert tree["hosts"]["leaf01"] == {
        "ansible_host": "192.168.100.11",
        "ansible_user": "admin",
        "nettool_chip": "marvell-teralynx",
        "nettool_release": "202505",
    }
    assert "os_asternos" in inventory(*designed, load_catalog(), nos="asternos")["all"]["children"]


def test_a_rail_of_another_network_is_a_group_of_its_own():
    catalog, port = load_catalog(), {"leaf": {"model": "CX864E-N"}, "topology": "rail-optimized"}
    nic = {"model": "connectx-7-400g", "per_node": 2}
    networks = {
        name: {**port, "nic": nic, "subnets": {"pool": pool}}
        for name, pool in (("compute", "10.0.0.0/16"), ("storage", "10.1.0.0/16"))
    }
    data = {"name": "two", "cluster": {"nodes": 80, "gpus_per_node": 2}, "networks": networks}
    intent = FabricIntent.model_validate(data)
    tree = inventory(design(intent, None, catalog)[0], intent, catalog)["all"]["children"]
    rails = {name: list(group["hosts"]) for name, group in tree.items() if "rail_" in name}
    assert set(rails) == {"rail_01", "rail_02", "storage_rail_01", "storage_rail_02"}
    assert all(each.startswith("leaf") for each in rails["rail_01"])
    assert all(each.startswith("storage-leaf") for each in rails["storage_rail_01"])
    assert {*rails["rail_01"], *rails["storage_rail_01"]} <= set(tree["leaf"]["hosts"])


def test_hosts_stand_in_the_order_of_their_waves(designed):
    tree = inventory(*designed, load_catalog())["all"]
    wave_of = {
        host: name
        for name, group in tree["children"].items()
        if name.startswith("wave_")
        for host in group["hosts"]
    }
    order = [wave_of[host] for host in tree["hosts"]]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("asic", "name"),
    [("teralynx10", "marvell-teralynx"), ("spectrum4", "spc4"), ("th5", "th5"), ("other", "")],
)
def test_chip_in_the_updaters_words(asic, name):
    assert chip(asic, load_catalog()) == name


def test_group_names():
    assert group_name("sku_CX864E-N 64x400G") == "sku_cx864e_n_64x400g"


CODES = [
    ([], 0),
    ([Outcome.UNCHANGED, Outcome.CHANGED, Outcome.WOULD_CHANGE, Outcome.PENDING], 0),
    ([Outcome.FAILED, Outcome.UNCHANGED], 1),
    ([Outcome.FAILED, Outcome.CHANGED], 4),
    ([Outcome.REFUSED, Outcome.NOT_STARTED], 7),
    ([Outcome.REFUSED, Outcome.CHANGED], 4),
    ([Outcome.CHANGED, Outcome.UNKNOWN, Outcome.NOT_STARTED], 4),
    ([Outcome.ROLLED_BACK, Outcome.CHANGED], 5),
    ([Outcome.ROLLED_BACK, Outcome.UNREACHABLE], 4),
    ([Outcome.ROLLBACK_FAILED, Outcome.UNREACHABLE, Outcome.ROLLED_BACK], 6),
    ([Outcome.NOT_STARTED], 4),
]


@pytest.mark.parametrize(("outcomes", "code"), CODES)
def test_exit_code(outcomes, code):
    assert worst(outcomes) == code
    hosts = tuple(HostResult(f"leaf{n}", each) for n, each in enumerate(outcomes))
    report = PushReport("r1", hosts)
    assert (report.exit_code, report.as_json()["exit_code"]) == (code, code)
