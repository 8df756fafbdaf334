"""What a plan disturbs in rails, nodes and bandwidth, counted again from the cables themselves."""

import json
from pathlib import Path

import pytest

from nettool.config.diff.blast import blast
from nettool.config.diff.plan import plan_update
from nettool.config.diff.tables import diff_tables
from nettool.config.nos.dialects.sonic.updater import Impact
from nettool.intent.load import find_fabric
from nettool.pipeline import artifacts, plan_fabric


@pytest.fixture(scope="module")
def planned():
    return plan_fabric(find_fabric("rail-optimized-256"))


@pytest.fixture(scope="module")
def tables(planned):
    return {
        a.device: a.tables
        for a in artifacts(planned)
        if Path(a.path).suffix == ".json" and a.tables
    }


def plans(tables, **changed):
    """Plans to bring back what `changed` says otherwise: device to (table, key, field, value)."""
    found = {}
    for device, edits in changed.items():
        running = json.loads(json.dumps(tables[device]))
        for table, key, field, value in edits:
            running[table][key][field] = value
        found[device] = plan_update(diff_tables(device, running, tables[device]), running)
    return found


FEC, POOL = ("fec", "none"), ("size", "1")


def test_one_nic_port(planned, tables):
    (found,) = blast(planned.fabric, plans(tables, leaf02=[("PORT", "Ethernet0", *FEC)]))
    assert (found.impact, found.switches, found.links) == (Impact.LINK_FLAP, 1, 1)
    assert (found.rails, found.nodes) == ((2,), 1)
    assert found.nic_share == pytest.approx(1 / 256)
    assert found.fabric_share == 0
    assert str(found) == (
        "link flap: 1 switch, 1 link, rails 2, 1 node; 0.4% of NIC bandwidth, 0.0% between switches"
    )


def test_a_reload_of_a_leaf_takes_all_its_links(planned, tables):
    (found,) = blast(
        planned.fabric, plans(tables, leaf01=[("BUFFER_POOL", "egress_lossless_pool", *POOL)])
    )
    fabric = planned.fabric
    own = [link for link in fabric.links if "leaf01" in {link.a.device, link.b.device}]
    nics = [link for link in own if link.a.device in fabric.node_by_name]
    speed = sum(link.kind.speed for link in own) - sum(link.kind.speed for link in nics)
    total = sum(each.kind.speed for each in fabric.links if each.kind.tier != "nic-leaf")
    assert (found.impact, found.links) == (Impact.QOS_RELOAD, len(own))
    assert found.nodes == len({link.a.device for link in nics})
    assert found.rails == fabric.by_name["leaf01"].rails
    assert found.fabric_share == pytest.approx(speed / total)


def test_both_ends_of_a_link_count_once(planned, tables):
    far = planned.fabric.by_name["leaf01"].neighbors["Ethernet256"]
    ends = {"leaf01": "Ethernet256", far.device: far.port}
    found = blast(
        planned.fabric, plans(tables, **{d: [("PORT", p, *FEC)] for d, p in ends.items()})
    )
    assert [(each.switches, each.links) for each in found] == [(2, 1)]


def test_labels_are_summed_apart_and_the_worst_of_a_link_counts(planned, tables):
    far = planned.fabric.by_name["leaf01"].neighbors["Ethernet256"]
    found = blast(
        planned.fabric,
        plans(
            tables,
            leaf01=[("BGP_NEIGHBOR", far.peer_address, "asn", "65000")],
            **{far.device: [("PORT", far.port, *FEC)]},
        ),
    )
    assert [(each.impact, each.links) for each in found] == [
        (Impact.LINK_FLAP, 1),
        (Impact.SESSION_RESET, 0),
    ]


def test_what_disturbs_nothing_is_not_summed(planned, tables):
    edits = [("PORT", "Ethernet0", "description", "x")]
    assert blast(planned.fabric, plans(tables, leaf01=edits)) == ()


def test_a_map_is_about_the_whole_switch(planned, tables):
    (found,) = blast(planned.fabric, plans(tables, leaf01=[("DSCP_TO_TC_MAP", "AZURE", "0", "1")]))
    assert found.links == len(planned.fabric.by_name["leaf01"].neighbors)
    assert found.impact is Impact.BRIEF_DROP
