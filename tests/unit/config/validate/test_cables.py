"""What is declared of cables and rails, and the rules that hold configurations against it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nettool.cli.main import main
from nettool.config.validate.declared import Links, load_links
from nettool.config.validate.engine import validate_tables
from nettool.core.errors import UsageError

Tables = dict[str, Any]
HEAD = "cable,leg,a_device,a_port,b_device,b_port,speed,length_m,medium,a_optic,b_optic\n"


def port(lanes: str = "1,2,3,4", **more: str) -> Tables:
    """One row of PORT."""
    return {"lanes": lanes, "speed": "400000", "mtu": "9216", "fec": "rs", "admin_status": "up",
            **more}  # fmt: skip


def leaf(ports: dict[str, Tables], **tables: Any) -> Tables:
    """A device whose ports all pause priority 3."""
    qos = {name: {"pfc_enable": "3"} for name in ports}
    return {"PORT": ports, "PORT_QOS_MAP": qos, **tables}


def plan(tmp_path: Path, *rows: str, name: str = "plan.csv", head: str = HEAD) -> Links:
    """A cable plan as CSV."""
    path = tmp_path / name
    path.write_text(head + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return load_links(path)


def listed(tmp_path: Path, text: str) -> Links:
    """A links file as YAML."""
    path = tmp_path / "links.yaml"
    path.write_text(text, encoding="utf-8")
    return load_links(path)


def said(devices: dict[str, Tables], links: Links | None = None) -> list[tuple[str, str, str]]:
    """Rule, level and place of what lint says of several devices."""
    found = validate_tables(devices, links).findings
    return [(f.rule, str(f.severity), f"{f.device or ''}:{f.table}|{f.key}") for f in found]


def test_a_plan_tells_speed_length_and_gearbox(tmp_path: Path) -> None:
    links = plan(tmp_path, "C1,1,leaf01,Ethernet0,node01,nic1,400G,2.5,dac,x,x",
                 "C2,1,leaf01,Ethernet4,spine01,Ethernet8,800G,,smf,a,b")  # fmt: skip
    first, second = links.links
    assert (first.a.speed, first.length, first.medium, first.geared) == (400_000, 3, "dac", False)
    assert (second.length, second.geared, second.number) == (None, True, 3)
    assert links.is_plan


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD.replace("b_port", "port"), "a cable plan needs the column b_port"),
        (HEAD + "C1,1,leaf01,,spine01,Ethernet0,400G\n", "line 2 needs a device and a port"),
        (HEAD + "C1,1,a,x,b,y,fast,,\n", "line 2: speed: a speed such as 400G is expected"),
    ],
)
def test_a_plan_that_is_none_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        plan(tmp_path, head=text)


def test_a_rail_is_a_number(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="leaf01 needs the number of its NICs, not 'blue'"):
        listed(tmp_path, "links: []\nrails: {leaf01: blue}")


ROW = "C1,1,a,Ethernet0,b,Ethernet0,400G,{length},{medium},{optics}"


def _joined(
    tmp_path: Path, a: Tables, b: Tables, *, length: str = "", medium: str = "", optics: str = ",",
) -> list[tuple[str, str, str]]:  # fmt: skip
    row = ROW.format(length=length, medium=medium, optics=optics)
    return said({"a": a, "b": b}, plan(tmp_path, row))


@pytest.mark.parametrize(
    ("medium", "optics", "level"),
    [("dac", "x,x", ["error"]), ("smf", "x,x", ["warning"]), ("smf", "fr4,dr4", [])],
)
def test_lanes_differ(tmp_path: Path, medium: str, optics: str, level: list[str]) -> None:
    wide = leaf({"Ethernet0": port("1,2,3,4,5,6,7,8")})
    found = _joined(tmp_path, wide, leaf({"Ethernet0": port()}), medium=medium, optics=optics)
    assert [each[1] for each in found if each[0] == "LNK010"] == level


@pytest.mark.parametrize(
    ("a", "b", "cable", "wanted"),
    [
        ("5m", "5m", "5", []),
        ("5m", "5m", "5.1", ["error", "error"]),
        ("5m", "40m", "40", ["error"]),
        ("5m", "40m", "", ["warning"]),
    ],
)
def test_lengths(tmp_path: Path, a: str, b: str, cable: str, wanted: list[str]) -> None:
    ends = [leaf({"Ethernet0": port()}, CABLE_LENGTH={"AZURE": {"Ethernet0": each}})
            for each in (a, b)]  # fmt: skip
    found = _joined(tmp_path, ends[0], ends[1], length=cable)
    assert [each[1] for each in found if each[0] == "LNK015"] == wanted


def faced(name: str, *nics: str) -> Tables:
    """A leaf and the NICs that its ports face, each `node:nic`."""
    ports = {f"Ethernet{number * 4}": port(str(number)) for number, _ in enumerate(nics)}
    rows = {
        each: dict(zip(("name", "port"), nic.split(":"), strict=True))
        for each, nic in zip(ports, nics, strict=True)
    }
    return leaf(ports, DEVICE_NEIGHBOR=rows, DEVICE_METADATA={"localhost": {"hostname": name}})


PURE = [f"node{number}:nic{{}}" for number in range(8)]
ONE, TWO = ([each.format(rail) for each in PURE] for rail in (1, 2))


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        (ONE, TWO, []),
        ([*ONE, "node9:nic2"], TWO, [("warning", "l1:PORT|Ethernet32")]),
        ([*ONE, "node9:mlx5_2"], TWO, [("warning", "l1:PORT|Ethernet32")]),
        ([*ONE, "storage1:e0a"], TWO, []),
        ([*ONE, *TWO], [*ONE, *TWO], []),
        (ONE, [*ONE, "node9:nic2"], []),
    ],
    ids=["pure", "a stray NIC", "by its RDMA name", "not a NIC", "rails share leaves", "one rail"],
)
def test_rails_by_what_most_nics_are(
    first: list[str], second: list[str], wanted: list[tuple[str, str]]
) -> None:
    found = said({"l1": faced("l1", *first), "l2": faced("l2", *second)})
    assert [each[1:] for each in found if each[0] == "RAL001"] == wanted


def test_rails_as_declared(tmp_path: Path) -> None:
    links = listed(tmp_path, "links: []\nrails: {l1: 1}")
    found = said({"l1": faced("l1", "node1:nic1", "node2:nic2")}, links)
    assert [each[1:] for each in found if each[0] == "RAL001"] == [("error", "l1:PORT|Ethernet4")]


def hosts(mtu: str, up: str) -> Tables:
    """Two ports that face hosts, one that faces another switch."""
    ports = {"Ethernet0": port("1", mtu=up), "Ethernet4": port("2", mtu=mtu),
             "Ethernet8": port("3", mtu=mtu)}  # fmt: skip
    rows = {each: {"name": f"node{each}", "port": "nic1"} for each in ("Ethernet4", "Ethernet8")}
    return leaf(ports, DEVICE_NEIGHBOR=rows)


@pytest.mark.parametrize(
    ("mtu", "up", "wanted"),
    [
        ("9216", "9216", []),
        ("9100", "9216", []),
        ("9216", "9100", ["warning"]),
        ("4200", "4176", ["warning"]),
        ("4200", "4175", ["error"]),
        ("9216", "1500", ["error"]),
        ("1500", "1400", ["warning"]),
    ],
)
def test_a_path_takes_what_hosts_send(tmp_path: Path, mtu: str, up: str, wanted: list[str]) -> None:
    far = leaf({"Ethernet0": port("1", mtu=up)})
    found = _joined(tmp_path, hosts(mtu, up), far)
    assert [each[1] for each in found if each[0] == "MTU001"] == wanted


def test_a_plan_has_every_cable_and_each_port_once(tmp_path: Path) -> None:
    rows = {"Ethernet0": {"name": "b", "port": "Ethernet0"},
            "Ethernet4": {"name": "b", "port": "Ethernet4"}}  # fmt: skip
    ports = {name: port(str(number)) for number, name in enumerate(rows)}
    devices = {"a": leaf(ports, DEVICE_NEIGHBOR=rows), "b": leaf(ports)}
    links = plan(tmp_path, "C1,1,a,Ethernet0,b,Ethernet0", "C2,1,node1,nic1,b,Ethernet0")
    found = [each for each in said(devices, links) if each[0] in {"LNK012", "LNK014"}]
    assert sorted(found) == [
        ("LNK012", "warning", "a:DEVICE_NEIGHBOR|Ethernet4"),
        ("LNK014", "error", ":links|b:Ethernet0"),
    ]


def test_ports_in_a_vlan_share_its_subnet(tmp_path: Path) -> None:
    routed = leaf({"Ethernet0": port()}, INTERFACE={"Ethernet0": {}, "Ethernet0|10.0.0.1/24": {}})
    vlan = {"VLAN_MEMBER": {"Vlan2|Ethernet0": {"tagging_mode": "untagged"}}}
    for address, wanted in (("10.0.0.2/24", 0), ("10.0.1.2/24", 1)):
        rows = {"VLAN_INTERFACE": {"Vlan2": {}, f"Vlan2|{address}": {}}}
        found = _joined(tmp_path, routed, leaf({"Ethernet0": port()}, **vlan, **rows))
        assert sum(each[0] == "LNK011" for each in found) == wanted


def test_the_mtu_of_a_bundle_is_that_of_its_members(tmp_path: Path) -> None:
    def bundled(mtu: str) -> Tables:
        rows = {"PORTCHANNEL": {"PortChannel1": {"admin_status": "up", "mtu": mtu}}}
        return leaf({"Ethernet0": port(mtu="9216")}, **rows,
                    PORTCHANNEL_MEMBER={"PortChannel1|Ethernet0": {}})  # fmt: skip

    found = _joined(tmp_path, bundled("9216"), bundled("1500"))
    assert [each[2] for each in found if each[0] == "LNK003"] == ["b:PORTCHANNEL|PortChannel1"]
    found = _joined(tmp_path, bundled("9216"), leaf({"Ethernet0": port(mtu="9216")}))
    assert "LNK003" not in {each[0] for each in found}


def test_a_folder_of_files_and_a_cable_plan_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        row = {"DEVICE_METADATA": {"localhost": {"hostname": name}}}
        tables = leaf({"Ethernet0": port(speed="400000" if name == "a" else "200000")}, **row)
        (tmp_path / f"{name}.json").write_text(json.dumps(tables), encoding="utf-8")
    plan(tmp_path, "C1,1,a,Ethernet0,b,Ethernet0,400G,5,dac,x,x")
    files = [str(tmp_path / f"{name}.json") for name in ("a", "b")]

    status = main(["lint", *files, "--links", str(tmp_path / "plan.csv"), "--format", "json"])

    findings = json.loads(capsys.readouterr().out)["findings"]
    across = [(each["rule"], each["device"]) for each in findings if each["rule"] == "LNK001"]
    assert (status, across) == (1, [("LNK001", "b")])
