"""Single cables with a length of their own: what changes with them, and wrong names."""

from __future__ import annotations

import pytest

from nettool.plan.design.latency import pair_latencies

LEAF_UP = "leaf01:Ethernet256"
KEY = "networks.compute.cables.own.0"


def own(*rows):
    return {"own": [{"port": port, "length": length} for port, length in rows]}


def lengths(fabric):
    """Links whose length is not their tier's usual one, as ends with the length."""
    usual = {"nic-leaf": 3.0, "leaf-spine": 30.0, "spine-core": 100.0}
    return {
        (f"{link.a.device}:{link.a.port}", f"{link.b.device}:{link.b.port}", link.kind.length)
        for link in fabric.links
        if link.kind.length != usual[link.kind.tier]
    }


def test_a_long_uplink_is_long_on_both_ends_and_nothing_else_changes(fabric_of):
    plain, changed = fabric_of(), fabric_of(cables=own((LEAF_UP, "45m")))
    (cable,) = lengths(changed)
    assert (cable[0], cable[2]) == (LEAF_UP, 45.0)
    differ = [a.name for a, b in zip(plain.devices, changed.devices, strict=True) if a != b]
    assert differ == ["leaf01", cable[1].partition(":")[0]]


def test_legs_of_a_cable_have_one_length(fabric_of):
    fabric = fabric_of(cables=own(("leaf01:Ethernet0", "12m")))
    assert lengths(fabric) == {
        ("node01:nic1", "leaf01:Ethernet0", 12.0),
        ("node02:nic1", "leaf01:Ethernet4", 12.0),
    }
    kinds = {link.kind for link in fabric.links if link.kind.length == 12.0}
    assert [kind.medium for kind in kinds] != ["dac"]
    assert {kind.origin.path for kind in kinds} == {
        ("networks", "compute", "cables", "own", 0, "length")
    }


def test_a_cable_to_a_core_is_named_by_its_spine(fabric_of):
    fabric = fabric_of(topology="clos3", nodes=128, cables=own(("spine01:Ethernet256", "250m")))
    ((spine, core, length),) = lengths(fabric)
    assert (spine, core.startswith("core"), length) == ("spine01:Ethernet256", True, 250.0)


def test_latency_of_a_class_is_that_of_its_usual_cables(fabric_of, catalog):
    rows = [("leaf01:Ethernet0", "20m"), (LEAF_UP, "90m")]
    plain, changed = (
        [(each.pair, each.metres, each.latency) for each in pair_latencies(fabric, catalog)]
        for fabric in (fabric_of(), fabric_of(cables=own(*rows)))
    )
    assert changed == plain


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("leef01:Ethernet0", "9m")],
         "cable leef01:Ethernet0: the network has no switch leef01"),
        ([("leaf01:Ethernet3", "9m")], "cable leaf01:Ethernet3: no cable is in that port"),
        ([("spine01:Ethernet0", "9m")],
         "cable spine01:Ethernet0: spine01 is the upper end of that cable"),
        ([("leaf01:Ethernet4", "9m"), ("leaf01:Ethernet0", "8m")],
         "cable leaf01:Ethernet0 is 9 m in one row and 8 m here"),
    ],
)  # fmt: skip
def test_a_wrong_name_is_an_error_at_its_row(findings_of, rows, message):
    errors = [each for each in findings_of(cables=own(*rows)) if each[0] == "DSN015"]
    assert errors == [("DSN015", KEY.replace("0", str(len(rows) - 1)), message)]
