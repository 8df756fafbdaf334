"""The whole line: what a build holds, that it is the same each time, and what stops it."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from nettool.config.nos.dialect import DIALECTS
from nettool.core.errors import FindingsError
from nettool.core.finding import Report, Severity
from nettool.intent.load import fabric_schema, find_fabric
from nettool.pipeline import artifacts, plan_fabric, render_build, validate
from nettool.report.lock_file import keep_lock

BOTH = ("rail-only-128", "rail-optimized-256")


def _tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("nos", ["sonic", "asternos"])
def test_a_build_is_complete_and_the_same_each_time(name, nos, tmp_path):
    plan = plan_fabric(find_fabric(name), nos=nos)
    built = render_build(plan, tmp_path / "one")
    again = plan_fabric(find_fabric(name), nos=nos)
    assert render_build(again, tmp_path / "two", apart=True) == replace(built, out=tmp_path / "two")
    one = _tree(tmp_path / "one")
    assert one == _tree(tmp_path / "two")
    assert built.files == len(one)
    own = {"sonic": ["config_db.json"], "asternos": ["asternos.cfg", "roce.json"]}[nos]
    for device in plan.fabric.devices:
        for file in ("device.json", *own):
            assert f"devices/{device.name}/{file}" in one
    for file in ("fabric.json", "plan.json", "cabling.csv", "cabling.xlsx", "labels.csv",
                 "inventory.yaml"):  # fmt: skip
        assert file in one
    for path, content in one.items():
        if path.endswith(".json") and not path.endswith("config_db.json"):
            assert json.loads(content)["schema_version"] == 1, path
    assert not built.report.has_errors


def test_nothing_of_this_machine_or_day_is_in_a_build(tmp_path):
    render_build(plan_fabric(find_fabric("rail-optimized-256")), tmp_path / "b")
    for path, content in _tree(tmp_path / "b").items():
        if not path.endswith(".xlsx"):
            assert str(tmp_path).encode() not in content
            assert not re.search(rb"20\d\d-\d\d-\d\dT", content), path


def test_the_published_facts_of_rail_optimized_256():
    fabric = plan_fabric(find_fabric("rail-optimized-256")).fabric
    leaf = fabric.by_name["leaf01"]
    down = [s.name for s, n in leaf.used if n.role == "node"]
    up = [s.name for s, n in leaf.used if n.role == "spine"]
    assert down == [f"Ethernet{n}" for n in range(0, 256, 4)]
    assert up == [f"Ethernet{n}" for n in range(256, 512, 8)]
    assert leaf.sku == "CX864E-N_64X400G_32X800G"
    pairs = {
        (link.a.device, link.b.device) for link in fabric.links if link.b.device[:5] == "spine"
    }
    between = [link for link in fabric.links if link.kind.tier == "leaf-spine"]
    assert len(between) == 128
    assert len(pairs) == 8
    assert {link.kind.speed for link in between} == {800_000}
    for node in fabric.nodes:
        assert [nic.switch for nic in node.nics] == ["leaf01", "leaf02", "leaf03", "leaf04"]


def test_the_published_facts_of_rail_only_128():
    plan = plan_fabric(find_fabric("rail-only-128"))
    fabric = plan.fabric
    assert [d.model for d in fabric.devices] == ["CX732Q-N"] * 4
    assert len(fabric.links) == 128
    subnets = {g.address for d in fabric.devices for g in d.gateways}
    assert len(subnets) == 4
    assert all(d.asn is None for d in fabric.devices)
    for artifact in artifacts(plan):
        if artifact.tables is not None:
            assert not any(name.startswith("BGP_") for name in artifact.tables)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("nodes: 32", "nodes: 500", "DSN"),
        ("{model: CX732Q-N}", "{model: CX732Q-X}", "DSN"),
        ("connectx-7-400g", "connectx-9-400g", ""),
        ("10.1.0.0/20", "10.1.0.0/25", "DSN"),
        ("topology: rail-only", "topology: rail-olny", "DSN"),
        ("tp: 4, pp: 4, dp: 8", "tp: 4, pp: 4, dp: 9", "DEM"),
        ("llama-3-70b", "llama-3-71b", "DEM"),
    ],
)  # fmt: skip
def test_impossible_designs_are_located_and_write_nothing(old, new, rule, tmp_path):
    text = find_fabric("rail-only-128").read_text()
    assert old in text
    path = tmp_path / "fabric.yaml"
    path.write_text(text.replace(old, new))
    with pytest.raises(FindingsError) as caught:
        render_build(plan_fabric(path), tmp_path / "out")
    errors = [f for f in caught.value.report.findings if f.severity == "error"]
    assert errors
    assert errors[0].rule.startswith(rule)
    assert all(f.file and f.line for f in errors)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["fabric.yaml"]


def test_the_lock_keeps_addresses_when_nodes_are_added(tmp_path):
    text = find_fabric("rail-only-128").read_text().replace("nodes: 32", "nodes: 16")
    path = tmp_path / "fabric.yaml"
    path.write_text(text.replace("dp: 8", "dp: 4"))
    before = plan_fabric(path)
    assert keep_lock(path, before.fabric) == (tmp_path / "fabric.lock.yaml", Report())
    assert keep_lock(path, plan_fabric(path).fabric) == (None, Report())
    path.write_text(text.replace("nodes: 16", "nodes: 32").replace("dp: 8", "dp: 4"))
    after = plan_fabric(path)
    for node in before.fabric.nodes:
        grown = after.fabric.node_by_name[node.name]
        assert [nic.address for nic in grown.nics] == [nic.address for nic in node.nics]


@pytest.mark.parametrize("name", BOTH)
def test_the_shipped_locks_are_up_to_date(name):
    path = find_fabric(name)
    assert keep_lock(path, plan_fabric(path).fabric) == (None, Report())


SHIPPED = sorted(
    each.parent.name for each in (Path(__file__).parents[2] / "inventories").glob("*/fabric.yaml")
)


@pytest.mark.parametrize("name", [each for each in SHIPPED if not each.startswith("scale-")])
def test_shipped_fabrics_have_no_error(name):
    assert validate(plan_fabric(find_fabric(name))).count(Severity.ERROR) == 0


ROUTINGS = (
    {"protocol": "bgp", "manager": "bgpcfgd", "links": "numbered"},
    {"protocol": "bgp", "manager": "frrcfgd", "links": "numbered"},
    {"protocol": "bgp", "manager": "frrcfgd", "links": "unnumbered"},
)
SHAPES = {
    "rail-only": {},
    "rail-clos": {},
    "rail-optimized": {},
    "clos": {},
    "clos3": {"options": {"pods": 2}},
    "dual-plane": {"nic": {"model": "connectx-8-2x400g", "per_node": 2}},
}


@pytest.mark.parametrize("routing", ROUTINGS, ids=lambda each: f"{each['manager']}-{each['links']}")
@pytest.mark.parametrize("topology", SHAPES)
def test_every_topology_routes_without_an_error(topology, routing, tmp_path):
    network = {
        "topology": topology,
        "nic": {"model": "connectx-7-400g", "per_node": 2},
        "leaf": {"model": "CX732Q-N"},
        "subnets": {"pool": "10.1.0.0/16"},
        "routing": routing,
    }
    fabric = {
        "name": topology,
        "cluster": {"nodes": 20, "gpus_per_node": 2},
        "networks": {"compute": network | SHAPES[topology]},
        "management": {"pool": "192.168.0.0/24"},
    }
    (tmp_path / "fabric.yaml").write_text(json.dumps(fabric))
    report = validate(plan_fabric(tmp_path / "fabric.yaml"))
    assert [str(each.message) for each in report.findings if each.severity == "error"] == []


@pytest.mark.parametrize("release", DIALECTS["sonic"].releases)
def test_every_release_on_offer_can_be_planned_with(release, tmp_path):
    text = find_fabric("rail-optimized-256").read_text()
    path = tmp_path / "fabric.yaml"
    path.write_text(re.sub(r'release: "\d+"', f'release: "{release}"', text))
    plan = plan_fabric(path)
    assert plan.intent.nos.release == release
    assert not validate(plan).has_errors


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ("{name: sonic, release: foo}", "202311, 202405, 202411, 202505, master"),
        ("{name: sonic, release: ''}", "202311, 202405, 202411, 202505, master"),
        ("{name: sonic, release: R0409}", "202311, 202405, 202411, 202505, master"),
        ("{name: asternos, release: '202505'}", "R0407, R0408, R0409, R0500"),
    ],
)
def test_an_unknown_release_is_told_at_its_place(given, known, tmp_path):
    text = find_fabric("rail-only-128").read_text()
    path = tmp_path / "fabric.yaml"
    path.write_text(
        re.sub(r"^nos:.*\n(?:  .*\n)*", "", text, flags=re.MULTILINE) + f"nos: {given}\n"
    )
    with pytest.raises(FindingsError) as caught:
        plan_fabric(path)
    [finding] = caught.value.report.findings
    line = path.read_text().count("\n")
    assert (finding.rule, finding.file, finding.line) == ("INT004", str(path), line)
    assert finding.message.endswith(f"known are {known}")


@pytest.mark.parametrize("nos", ["sonic", "asternos"])
def test_the_schema_names_every_release(nos):
    said = fabric_schema()["$defs"]["NosIntent"]["properties"]["release"]["description"]
    assert all(each in said for each in DIALECTS[nos].releases)


NETWORK = """  {name}:
    topology: rail-only
    nic: {{model: connectx-7-400g, per_node: 2}}
    leaf: {{model: CX732Q-N}}
    subnets: {{pool: 10.{number}.0.0/20, vlan: {number}00}}
    routing: {{protocol: none}}
"""


def _two(folder: Path, *names: str) -> list[str]:
    """The DSN016 messages of a plan of these networks, in this order, with the folder's lock."""
    numbers = {"compute": 1, "storage": 2}
    networks = "".join(NETWORK.format(name=each, number=numbers[each]) for each in names)
    path = folder / "fabric.yaml"
    path.write_text(f"name: t\ncluster: {{nodes: 4, gpus_per_node: 2}}\nnetworks:\n{networks}")
    plan = plan_fabric(path)
    keep_lock(path, plan.fabric)
    return [each.message for each in plan.report.findings if each.rule == "DSN016"]


def test_a_network_that_goes_or_comes_before_others_is_told_under_a_lock(tmp_path):
    assert _two(tmp_path, "compute") == []
    [said] = _two(tmp_path, "storage", "compute")
    assert said.startswith("storage is new and stands before compute, which the lock has")
    [said] = _two(tmp_path, "storage")
    assert said.startswith("compute stands in the lock and not in the fabric")


def test_a_network_after_the_others_moves_nothing(tmp_path):
    assert _two(tmp_path, "compute") == []
    assert _two(tmp_path, "compute", "storage") == []
