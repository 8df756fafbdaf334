"""The control plane from configurations: who is joined, over how many paths."""

from __future__ import annotations

from typing import Any

import pytest

from nettool.config.validate.control import sessions, working
from nettool.config.validate.declared import links_from
from nettool.config.validate.engine import validate_tables
from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.routes import Reach, reaches
from nettool.config.validate.tables import TableStore

Tables = dict[str, Any]
PORT = {"lanes": "1", "speed": "100000", "mtu": "9100", "admin_status": "up"}


def switch(asn: int, kind: str = "LeafRouter") -> Tables:
    """A device without ports."""
    metadata = {"bgp_asn": str(asn), "type": kind}
    loopback = {"Loopback0": {}, f"Loopback0|10.255.{asn % 256}.1/32": {}}
    empty: Tables = {"PORT": {}, "INTERFACE": {}, "BGP_NEIGHBOR": {}}
    return {**empty, "DEVICE_METADATA": {"localhost": metadata}, "LOOPBACK_INTERFACE": loopback}


class Network:
    """Devices, and numbered links with a session at both ends."""

    def __init__(self, **asns: int) -> None:
        self.devices = {name: switch(asn) for name, asn in asns.items()}
        self.links: list[dict[str, str]] = []

    def link(self, a: str, b: str, count: int = 1) -> None:
        """Cables between two devices, each a /31 with a session."""
        for _ in range(count):
            base = len(self.links) * 2
            ends = [(a, f"10.0.{base // 256}.{base % 256}"),
                    (b, f"10.0.{base // 256}.{base % 256 + 1}")]  # fmt: skip
            ports = [self._port(name, address) for name, address in ends]
            self._session(*ends)
            self._session(*ends[::-1])
            self.links.append({"a": f"{a}:{ports[0]}", "b": f"{b}:{ports[1]}"})

    def _port(self, name: str, address: str) -> str:
        tables = self.devices[name]
        port = f"Ethernet{len(tables['PORT'])}"
        tables["PORT"][port] = PORT
        tables["INTERFACE"] |= {port: {}, f"{port}|{address}/31": {}}
        return port

    def _session(self, here: tuple[str, str], there: tuple[str, str]) -> None:
        asn = self.devices[there[0]]["DEVICE_METADATA"]["localhost"]["bgp_asn"]
        row = {"asn": asn, "local_addr": here[1]}
        self.devices[here[0]]["BGP_NEIGHBOR"][there[1]] = row

    @property
    def fabric(self) -> FabricConfigs:
        """As rules take it."""
        store = TableStore()
        configs = [store.config(name, tables) for name, tables in self.devices.items()]
        return FabricConfigs.of(configs, links_from(self.links, "links.yaml"))

    def reach(self, *leaves: str) -> list[Reach]:
        """Paths between these leaves."""
        return list(reaches(self.fabric, frozenset(leaves)))

    def rules(self) -> list[tuple[str, str | None]]:
        """Rules that speak of the network, with their device."""
        found = validate_tables(self.devices, links_from(self.links, "links.yaml"))
        return [(each.rule, each.device) for each in found.findings]


def clos() -> Network:
    """Two pods of two leaves and two spines, two cores a spine number: five hops."""
    names = {f"leaf{n}": 65000 + n for n in range(1, 5)}
    spines = {f"spine{n}": 65100 + (n > 2) for n in range(1, 5)}
    net = Network(**names, **spines, core1=65200, core2=65200, core3=65200, core4=65200)
    for pod in (0, 2):
        for leaf in (1, 2):
            for spine in (1, 2):
                net.link(f"leaf{pod + leaf}", f"spine{pod + spine}", 2)
        for spine in (1, 2):
            for core in (1, 2):
                net.link(f"spine{pod + spine}", f"core{spine * 2 - 2 + core}")
    return net


def test_paths_are_next_hops_of_the_source():
    found = {(each.source[0], each.target[0]): (each.found, each.offered) for each in
             clos().reach("leaf1", "leaf2", "leaf3", "leaf4")}  # fmt: skip
    assert set(found.values()) == {(4, 4)}
    assert ("leaf1", "leaf1") in found, "leaves alike are one class, with paths to each other"


def test_a_shut_session_costs_both_directions():
    net = clos()
    peer = next(iter(net.devices["leaf1"]["BGP_NEIGHBOR"]))
    net.devices["leaf1"]["BGP_NEIGHBOR"][peer]["admin_status"] = "down"
    found = {(each.source[0], each.target[0]): each.found for each in net.reach("leaf1", "leaf3")}
    assert found["leaf1", "leaf3"] == 3
    assert found["leaf3", "leaf1"] == 4, "behind the spine one session of two still carries"
    assert ("BGP014", "leaf1") in net.rules()


def test_leaves_that_lose_the_same_paths_are_named_once():
    net = clos()
    for row in net.devices["spine1"]["BGP_NEIGHBOR"].values():
        row["admin_status"] = "down"
    found = validate_tables(net.devices, links_from(net.links, "links.yaml")).findings
    told = [each.message for each in found if each.rule == "BGP014"]
    assert told == [
        "leaf1 reaches leaf2 over 2 of 4 equal paths; so does leaf2",
        "leaf3 reaches leaf1, leaf2 over 2 of 4 equal paths; so does leaf4",
    ]


def test_a_spine_without_cores_is_left_out_of_far_paths():
    net = clos()
    for row in net.devices["spine1"]["BGP_NEIGHBOR"].values():
        if row["asn"] == "65200":
            row["admin_status"] = "down"
    found = {(each.source[0], each.target[0]): each.found for each in net.reach("leaf1", "leaf3")}
    assert found["leaf1", "leaf3"] == 2
    assert ("BGP012", "spine1") not in net.rules(), "its leaves still reach it"


def test_no_more_paths_than_the_device_takes():
    net = Network(leaf1=65001, leaf2=65002, spine1=65100)
    net.link("leaf1", "spine1", 520)
    net.link("leaf2", "spine1", 520)
    assert {(each.found, each.offered) for each in net.reach("leaf1", "leaf2")} == {(514, 520)}


def test_neighbours_may_be_shut_by_default():
    net = Network(leaf1=65001, spine1=65100)
    net.link("leaf1", "spine1")
    net.devices["leaf1"]["DEVICE_METADATA"]["localhost"]["default_bgp_status"] = "down"
    assert not working(net.fabric)
    assert ("BGP022", "leaf1") in net.rules()


def test_leaves_of_one_number_drop_their_routes():
    net = Network(leaf1=65001, leaf2=65001, spine1=65100)
    net.link("leaf1", "spine1")
    net.link("leaf2", "spine1")
    assert ("BGP015", "leaf1") not in net.rules(), "which of them are leaves is not told"
    for name in ("leaf1", "leaf2"):
        net.devices[name]["VLAN_MEMBER"] = {"Vlan2|Ethernet9": {"tagging_mode": "untagged"}}
    assert {("BGP015", "leaf1"), ("BGP015", "leaf2")} <= set(net.rules())
    assert [each.found for each in net.reach("leaf1", "leaf2")] == [0]
    for name in ("leaf1", "leaf2"):
        net.devices[name]["DEVICE_METADATA"]["localhost"]["type"] = "ToRRouter"
    assert [each.found for each in net.reach("leaf1", "leaf2")] == [1], "allowas-in on a ToRRouter"


def unnumbered(peer_type: str = "external", port: str = "Ethernet0") -> Tables:
    """A device of the unified form with one session over a port."""
    return {
        "DEVICE_METADATA": {"localhost": {"docker_routing_config_mode": "unified"}},
        "PORT": {"Ethernet0": PORT, "Ethernet1": PORT},
        "INTERFACE": {port: {"ipv6_use_link_local_only": "enable"}},
        "BGP_GLOBALS": {"default": {"local_asn": "65001", "load_balance_mp_relax": "true"}},
        "BGP_NEIGHBOR": {f"default|{port}": {"peer_type": peer_type}},
    }


def pair(a: Tables, b: Tables, *links: tuple[str, str]) -> FabricConfigs:
    """Two devices with cables by port."""
    store = TableStore()
    rows = [{"a": f"a:{one}", "b": f"b:{other}"} for one, other in links]
    configs = [store.config("a", a), store.config("b", b)]
    return FabricConfigs.of(configs, links_from(rows, "links.yaml"))


def other(**changes: Any) -> Tables:
    """The far end, with another AS number."""
    far = unnumbered(**changes)
    return far | {"BGP_GLOBALS": {"default": {"local_asn": "65002"}}}


@pytest.mark.parametrize(
    ("b", "links", "joined"),
    [
        (other(), [("Ethernet0", "Ethernet0")], True),
        (other(), [("Ethernet0", "Ethernet1")], False),
        (other(peer_type="internal"), [("Ethernet0", "Ethernet0")], False),
        (unnumbered(), [("Ethernet0", "Ethernet0")], False),
    ],
    ids=["works", "cabled to another port", "internal to another AS", "external to its own AS"],
)
def test_sessions_over_ports_follow_the_cable(
    b: Tables, links: list[tuple[str, str]], *, joined: bool
) -> None:
    assert bool(working(pair(unnumbered(), b, *links))) is joined


def test_a_bundle_is_one_path_and_carries_its_members_cables():
    bundle = {"PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}, "PortChannel1|Ethernet1": {}}}
    a, b = (make(port="PortChannel1") | bundle for make in (unnumbered, other))
    fabric = pair(a, b, ("Ethernet0", "Ethernet0"), ("Ethernet1", "Ethernet1"))
    assert [(each.device, each.other, each.works) for each in sessions(fabric)] == [
        ("a", "b", True),
        ("b", "a", True),
    ]
    assert {(r.found, r.offered) for r in reaches(fabric, frozenset("ab"))} == {(1, 1)}


def test_a_file_of_a_part_of_a_fabric_is_not_held_to_the_rest():
    net = clos()
    net.devices = {name: net.devices[name] for name in ("leaf1", "spine1")}
    assert [rule for rule, _ in net.rules() if rule.startswith("BGP")] == []
