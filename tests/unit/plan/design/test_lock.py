"""The lock: its text, what it keeps, and what is said when it cannot keep it."""

from __future__ import annotations

import pytest

from nettool.core.errors import FindingsError
from nettool.plan.design.addressing import Pool
from nettool.plan.design.design import lock_of
from nettool.plan.design.lock import lock_text, parse_lock

_OUTLINE = "blocks: 1, segments: 1, lanes: 1, nodes: 1, per_segment: 1, prefix_length: 25"


def test_text_is_one_line_a_generation(fabric_of):
    small = fabric_of(nodes=64)
    large = fabric_of(nodes=200, lock=lock_of(small))
    text = lock_text(lock_of(large))
    assert text.splitlines()[2:] == [
        "schema_version: 1",
        "generations:",
        "- compute: {blocks: 1, segments: 1, lanes: 4, pods: 1, spines: 2, uplinks: 32, "
        "nodes: 64, per_segment: 64, prefix_length: 25, room: 32}",
        "- compute: {blocks: 1, segments: 4, lanes: 4, pods: 1, spines: 8, uplinks: 32, "
        "nodes: 200, per_segment: 64, prefix_length: 25, room: 32, fill: [[3, 64, 32], [1, 8, 8]], "
        "kept: true}",
    ]
    assert parse_lock(text) == lock_of(large)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            f"schema_version: 2\ngenerations: [{{a: {{{_OUTLINE}}}}}]\n",
            1,
            "schema_version: Input should be less than or equal to 1",
        ),
        ("", 1, "the lock: it is empty or holds no generations"),
        ("# nothing but a comment\n", 1, "the lock: it is empty or holds no generations"),
        ("[]\n", 1, "the lock: it is empty or holds no generations"),
        ("[a]\n", 1, "the lock: it is empty or holds no generations"),
        ("{}\n", 1, "the lock: it is empty or holds no generations"),
        ("word\n", 1, "the lock: it is empty or holds no generations"),
        ("schema_version: 1\n", 1, "the lock: it is empty or holds no generations"),
        ("generations:\n", 1, "the lock: it is empty or holds no generations"),
        ("generations: []\n", 1, "the lock: it is empty or holds no generations"),
        (
            "generations: [{}]\n",
            1,
            "generations.0: at least 1 entry should stand here, not 0",
        ),
        (
            f"generations: [{{a: {{{_OUTLINE.replace('blocks: 1', 'blocks: 100000000000')}}}}}]\n",
            1,
            "generations.0.a.blocks: Input should be less than or equal to 1000000",
        ),
        (
            f"generations: [{{a: {{{_OUTLINE.replace('segments: 1', 'segments: true')}}}}}]\n",
            1,
            "generations.0.a.segments: Input should be a valid integer",
        ),
        (
            f"generations: [{{a: {{{_OUTLINE.replace(' 1,', ' 1000,')}}}}}]\n",
            1,
            "generations.0.a: 1,000,000,000 switches, 1,000,000 are the most",
        ),
        (
            f"generations: [{{a: {{{_OUTLINE}, cores: 2}}}}]\n",
            1,
            "generations.0.a: cores stand above spines, and spines in pods: one is missing",
        ),
        (
            f"generations: [{{a: {{{_OUTLINE}, fill: [[1, 2, 0]]}}}}]\n",
            1,
            "generations.0.a: fill tells 1 with 2, not 1 with 1",
        ),
        (
            "generations:\n- compute: {blocks: 0, segments: 1, lanes: 1, nodes: 1, "
            "per_segment: 1, prefix_length: 25}\n",
            2,
            "generations.0.compute.blocks: Input should be greater than or equal to 1",
        ),
    ],
)
def test_a_broken_lock_is_located(text, line, message):
    with pytest.raises(FindingsError) as raised:
        parse_lock(text)
    (finding,) = raised.value.report.findings
    assert (finding.rule, finding.file, finding.line) == ("DSN010", "fabric.lock.yaml", line)
    assert finding.message == message


def test_new_switches_are_numbered_after_the_old_ones(fabric_of):
    small = fabric_of(nodes=64)
    large = fabric_of(nodes=128, lock=lock_of(small))
    spine = large.by_name["spine01"]
    assert (spine.loopback, spine.asn) == ("10.255.0.5/32", 4200000004)
    assert large.by_name["leaf05"].loopback == "10.255.0.7/32"
    assert large.by_name["leaf05"].asn == 4200000005


def test_a_rail_is_added_behind_the_others(fabric_of):
    small = fabric_of(nodes=128, rails=4)
    large = fabric_of(nodes=128, rails=6, lock=lock_of(small))
    assert [large.by_name[f"leaf{n:02}"].rails for n in (1, 5, 9, 10)] == [(1,), (1,), (5,), (6,)]


def test_names_keep_their_padding(fabric_of):
    small = fabric_of(nodes=64, rails=8)
    large = fabric_of(nodes=1000, rails=8, lock=lock_of(small))
    names = [each.name for each in large.devices]
    assert names[0] == "leaf01"
    assert "leaf100" in names
    assert (large.nodes[0].name, large.nodes[99].name) == ("node01", "node100")


def test_what_shrinks_leaves_its_numbers_unused(fabric_of):
    large = fabric_of(nodes=128)
    small = fabric_of(nodes=64, lock=lock_of(large))
    assert small.by_name["spine01"].loopback == large.by_name["spine01"].loopback
    assert len(lock_of(small).generations) == 2
    again = fabric_of(nodes=128, lock=lock_of(small))
    for attribute in ("management", "loopback", "asn"):
        values = [getattr(each, attribute) for each in again.devices]
        assert values == [getattr(each, attribute) for each in large.devices]


def test_a_wider_subnet_than_the_lock_has_is_told(fabric_of, findings_of):
    lock = lock_of(fabric_of(nodes=10))
    found = findings_of(nodes=64, lock=lock)
    assert found == [
        ("DSN016", "networks.compute",
         "compute goes from 0 to 2 spines of a pod, from 0 to 1 pods, from 1 to 4 leaves of a "
         "segment: 39 NIC cables move, e.g. node01 nic2 from leaf01 Ethernet4 to leaf02 Ethernet0; "
         "40 NIC addresses change"),
        ("DSN010", "networks.compute.subnets.prefix_length",
         "NIC subnets are /25, the lock has /26: NIC addresses change")
    ]  # fmt: skip


def test_nodes_that_move_to_other_leaves_are_told(fabric_of, findings_of):
    lock = lock_of(fabric_of(nodes=200))
    found = findings_of(nodes=200, oversubscription=3, lock=lock)
    assert found == [
        ("DSN016", "networks.compute",
         "compute goes from 8 to 4 spines of a pod, from 32 to 16 uplinks of a leaf, from 4 to 3 "
         "segments: 288 of 416 cables between switches move, with their addresses, e.g. leaf01 "
         "Ethernet256 from spine01 Ethernet0 to node065 nic1; 128 of 416 cables between switches "
         "are taken out, e.g. leaf09 Ethernet264 to spine01 Ethernet264; 544 NIC cables move, e.g. "
         "node065 nic1 from leaf05 Ethernet0 to leaf01 Ethernet256; 544 NIC addresses change"),
        ("DSN010", "networks.compute.oversubscription",
         "leaves take 96 nodes, the lock has 64: nodes from number 65 on move and are renumbered")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("prefix", "unit", "first", "size", "one"),
    [
        ("10.0.0.0/24", 32, 1, 255, "10.0.0.2"),
        ("10.0.0.0/24", 31, 0, 128, "10.0.0.2"),
        ("10.0.0.0/16", 25, 0, 512, "10.0.0.128"),
        ("10.0.0.0/24", 16, 0, 0, "10.1.0.0"),
        ("fd00::/64", 127, 0, 1 << 63, "fd00::2"),
        ("fd00::/48", 64, 0, 65536, "fd00:0:0:1::"),
    ],
)
def test_units_of_a_pool(prefix, unit, first, size, one):
    pool = Pool(prefix, unit, first)
    assert (pool.size, pool.address(1)) == (size, one)


def cables(fabric):
    """Both ends of every cable between switches, with the addresses they have."""
    return {
        (device.name, port, far.device, far.port, far.address)
        for device in fabric.devices
        for port, far in device.neighbors.items()
        if far.device in fabric.by_name
    }


def test_pods_added_below_enough_cores_move_no_cable(fabric_of):
    pods = {"topology": "clos3", "rails": 8, "leaves": 16, "options": {"pods": 2, "cores": 32}}
    small = fabric_of(nodes=128, **pods)
    more = pods | {"leaves": 24, "options": {"pods": 3, "cores": 32}}
    large = fabric_of(nodes=192, lock=lock_of(small), **more)
    assert cables(small) < cables(large)


def test_cores_that_are_added_move_cables_and_it_is_told(fabric_of, findings_of):
    pods = {"topology": "clos3", "rails": 8, "options": {"pods": 2}}
    lock = lock_of(fabric_of(nodes=128, **pods))
    found = findings_of(nodes=192, lock=lock, **(pods | {"options": {"pods": 3}}))
    assert found == [
        ("DSN016", "networks.compute", "compute goes from 8 to 12 cores, from 2 to 3 pods, from 2 "
         "to 3 segments: 511 of 1024 cables between switches move, with their addresses, e.g. "
         "spine01 Ethernet264 from core01 Ethernet8 to core02 Ethernet0")
    ]  # fmt: skip


_PODS = {"pods": 1, "cores": 2, "spines_per_pod": 2}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"nodes": 8, "spines": 2}, {"nodes": 60, "spines": 2}),
        ({"nodes": 48}, {"nodes": 64}),
        ({"nodes": 40, "spines": 3}, {"nodes": 64, "spines": 3}),
        ({"nodes": 8, "rails": 2, "spines": 2}, {"nodes": 12, "rails": 4, "spines": 2}),
        (
            {"nodes": 8, "topology": "clos3", "options": _PODS},
            {"nodes": 16, "topology": "clos3", "options": _PODS},
        ),
    ],
    ids=["nodes", "to a full leaf", "uneven shares", "rails and nodes", "pods"],
)
def test_growth_on_leaves_that_exist_moves_no_cable(fabric_of, findings_of, before, after):
    small = fabric_of(**before)
    lock = lock_of(small)
    large = fabric_of(lock=lock, **after)
    assert cables(small) < cables(large)
    assert "DSN016" not in [rule for rule, _, _ in findings_of(lock=lock, **after)]
    assert cables(fabric_of(lock=parse_lock(lock_text(lock_of(large))), **after)) == cables(large)


def test_fewer_spines_take_cables_out_and_it_is_told(fabric_of, findings_of):
    lock = lock_of(fabric_of(nodes=8, rails=2, spines=4))
    assert findings_of(nodes=8, rails=2, spines=1, lock=lock) == [
        ("DSN016", "networks.compute",
         "compute goes from 4 to 1 spines of a pod: 6 of 8 cables between switches move, with "
         "their addresses, e.g. leaf01 Ethernet264 from spine02 Ethernet0 to spine01 Ethernet16")
    ]  # fmt: skip
    fewer = lock_of(fabric_of(nodes=8, rails=2, spines=1, lock=lock))
    assert findings_of(nodes=8, rails=2, spines=1, lock=fewer) == []


_OLD = "blocks: 1, segments: 1, lanes: 2, pods: 1, spines: 2, per_segment: 8, prefix_length: 25"


def test_a_lock_of_an_older_release_keeps_its_cables(fabric_of, findings_of):
    """Generations without `kept` were cabled anew each time; the next one is laid beside them."""
    grown = f"""schema_version: 1
generations:
- compute: {{{_OLD}, uplinks: 4, nodes: 8}}
- compute: {{{_OLD.replace("8,", "12,", 1)}, uplinks: 6, nodes: 12}}
"""
    lock = parse_lock(grown)
    fabric = fabric_of(nodes=12, rails=2, spines=2, lock=lock)
    assert lock_of(fabric) == lock
    ends = {each[:4] for each in cables(fabric)}
    assert ends == {each[:4] for each in cables(fabric_of(nodes=12, rails=2, spines=2))}
    larger = fabric_of(nodes=16, rails=2, spines=2, lock=lock)
    assert cables(fabric) < cables(larger)
    assert findings_of(nodes=16, rails=2, spines=2, lock=lock) == []
