"""A small fabric built by hand: two leaves, two spines, one NIC a leaf; numbered or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from nettool.catalog.ports import PortLayout, PortSlot
from nettool.config.device.device import DeviceConfig, HostConfig, build, build_hosts
from nettool.core.provenance import Figure, Origin, Provenance, Trust
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Device, Fabric, Gateway, LinkKind, Neighbor, Nic, Node
from nettool.plan.qos.qos_plan import (
    Pool,
    PortQos,
    Profile,
    QosPlan,
    SwitchQos,
    TrafficClass,
    Watchdog,
    Wred,
)
from nettool.plan.timing.timing_plan import TimingPlan

WHY = Provenance("given by the test", source="a test", trust=Trust.GIVEN)
NIC_LINK = LinkKind("nic-leaf", 400_000, "rs", 5.0, "dac", "", Origin("fabric.yaml"))
UPLINK = LinkKind("leaf-spine", 800_000, "rs", 40.0, "smf", "", Origin("fabric.yaml"))


def figure(value: float, unit: str = "B") -> Figure:
    return Figure(value, unit, WHY)


def _slot(number: int, speed: int, width: int) -> PortSlot:
    first = 1 + 8 * (number // 8)
    lanes = tuple(range(first + number % 8, first + number % 8 + width))
    mode = "1x800G" if width == 8 else "2x400G"
    parent = f"Ethernet{8 * (number // 8)}"
    subport = 0 if width == 8 else 1 + (number % 8) // width
    cage = 1 + number // 8
    return PortSlot(
        f"Ethernet{number}", cage, f"OSFP{cage}", parent, mode, subport, lanes, f"etp{cage}", cage,
        speed, "rs", Trust.ASSUMED,
    )  # fmt: skip


SERVICE = PortSlot(
    "Ethernet512", 65, "SFP1", "Ethernet512", "1x10G", 0, (513,), "etp65", 65, 10_000, "none",
    Trust.ASSUMED,
)  # fmt: skip
LEAF = PortLayout("leaf", tuple(_slot(n, 400_000, 4) for n in (0, 4)) + tuple(
    _slot(n, 800_000, 8) for n in (8, 16, 104)), (SERVICE,))  # fmt: skip
SPINE = PortLayout("spine", tuple(_slot(n, 800_000, 8) for n in (0, 8)))


@dataclass(frozen=True)
class Wanted:
    """What a test asks of the fabric."""

    routed: bool = True
    numbered: bool = True
    manager: str = "bgpcfgd"
    release: str | None = None
    six: bool = False


def _intent(wanted: Wanted) -> FabricIntent:
    routing = {
        "protocol": "bgp" if wanted.routed else "none",
        "manager": wanted.manager,
        "links": "numbered" if wanted.numbered else "unnumbered",
    }
    return FabricIntent.model_validate({
        "name": "small",
        "nos": {"name": "sonic", "release": wanted.release},
        "cluster": {"nodes": 1, "gpus_per_node": 2},
        "networks": {"compute": {
            "topology": "rail-optimized", "nic": {"model": "cx7", "per_node": 2},
            "leaf": {"model": "X"}, "subnets": {"pool": "10.1.0.0/20"}, "routing": routing,
        }},
        "management": {"ntp": ["192.168.100.2"], "syslog": ["192.168.100.3"]},
    })  # fmt: skip


def _uplink(leaf: int, spine: int, wanted: Wanted, *, up: bool) -> Neighbor:
    number = 2 * (2 * (leaf - 1) + spine - 1)
    device = f"spine0{spine}" if up else f"leaf0{leaf}"
    port = f"Ethernet{8 * (leaf - 1)}" if up else f"Ethernet{8 * spine}"
    ends: dict[str, str] = {}
    if wanted.numbered:
        mine, theirs = (number, number + 1) if up else (number + 1, number)
        ends = {"address": f"10.128.0.{mine}", "peer_address": f"10.128.0.{theirs}"}
        if wanted.six:
            ends |= {"address6": f"fd00::{mine:x}", "peer_address6": f"fd00::{theirs:x}"}
    asn = 4_200_000_100 if up else 4_200_000_000 + leaf
    role = "spine" if up else "leaf"
    return Neighbor(device, port, role, UPLINK, peer_asn=asn if wanted.routed else None, **ends)


def _device(name: str, role: Any, number: int, wanted: Wanted) -> Device:
    is_leaf = role == "leaf"
    neighbors: dict[str, Neighbor] = {}
    gateways: tuple[Gateway, ...] = ()
    if is_leaf:
        neighbors["Ethernet0"] = Neighbor("gpu01", f"nic{number}", "node", NIC_LINK)
        gateways = (
            Gateway(100 + number, number, f"10.1.{number - 1}.1/24", None, ("Ethernet0",), WHY),
        )
        if wanted.routed:
            neighbors |= {f"Ethernet{8 * s}": _uplink(number, s, wanted, up=True) for s in (1, 2)}
    else:
        neighbors = {
            f"Ethernet{8 * (leaf - 1)}": _uplink(leaf, number, wanted, up=False) for leaf in (1, 2)
        }
    host = 10 + number + (0 if is_leaf else 2)
    subjects = ("loopback", "asn", "management", "links", "mtu", "layout", "sku")
    return Device(
        name=name, number=number, role=role, tier=1 if is_leaf else 2, network="compute",
        model="X", sku="X_SKU", asic="teralynx10", layout=LEAF if is_leaf else SPINE,
        neighbors=neighbors, mtu=9216, rails=(number,) if is_leaf else (), pod=None, plane=None,
        redundancy=name, management=f"192.168.100.{host}/24", management_gateway="192.168.100.1",
        loopback=f"10.255.0.{host}", loopback6=f"fd00:255::{host:x}" if wanted.six else None,
        asn=(4_200_000_000 + number if is_leaf else 4_200_000_100) if wanted.routed else None,
        gateways=gateways, why=dict.fromkeys(subjects, WHY),
    )  # fmt: skip


def _fabric(wanted: Wanted) -> Fabric:
    kinds = [("leaf", "leaf"), ("spine", "spine")] if wanted.routed else [("leaf", "leaf")]
    devices = tuple(
        _device(f"{stem}0{number}", role, number, wanted)
        for stem, role in kinds
        for number in (1, 2)
    )
    nics = tuple(
        Nic(f"nic{n}", n, "compute", "cx7", n, None, 400_000, 4, f"10.1.{n - 1}.2/24",
            f"10.1.{n - 1}.1", None, f"leaf0{n}", "Ethernet0")
        for n in (1, 2)
    )  # fmt: skip
    return Fabric("small", devices, (Node("gpu01", 1, 2, nics),), (), {"compute": "clos"}, ())


def _profiles() -> tuple[Profile, ...]:
    lossless = "ingress_lossless_pool"
    return (
        Profile("pg_lossless_400000_5m_profile", lossless, figure(1518), figure(0),
                figure(129920), figure(13824), figure(1, "")),
        Profile("pg_lossless_800000_40m_profile", lossless, figure(1518), figure(0),
                figure(285312), figure(13824), figure(1, "")),
        Profile("ingress_lossy_profile", "lossy_pool", figure(0), dynamic_th=figure(-1, "")),
        Profile("egress_lossless_profile", "egress_lossless_pool", figure(0),
                static_th=figure(215646208)),
        Profile(
            "egress_lossy_profile", "egress_lossy_pool", figure(1518), dynamic_th=figure(1, "")
        ),
    )  # fmt: skip


def _switch_qos(key: str, ports: dict[str, PortQos]) -> SwitchQos:
    pools = (
        Pool(
            "ingress_lossless_pool", "ingress", "dynamic", figure(159_000_000), figure(72_000_000)
        ),
        Pool("lossy_pool", "ingress", "dynamic", figure(56_000_000), None),
        Pool("egress_lossless_pool", "egress", "static", figure(215_646_208), None),
        Pool("egress_lossy_pool", "egress", "dynamic", figure(56_000_000), None),
    )
    wreds = tuple(
        Wred(f"ecn_{speed}", speed, figure(speed), figure(4 * speed), figure(20, "%"))
        for speed in (400_000, 800_000)
    )
    return SwitchQos(
        key, "teralynx10", "table", Trust.REFERENCE_BOARD, "tl10", pools, _profiles(),
        ("ingress_lossy_profile",), ("egress_lossless_profile", "egress_lossy_profile"),
        "ingress_lossy_profile", "egress_lossless_profile", "egress_lossy_profile", wreds,
        Watchdog(figure(200, "ms"), figure(200, "ms"), figure(200, "ms"), "drop"), ports, (),
    )  # fmt: skip


def _qos(fabric: Fabric) -> QosPlan:
    down = PortQos(400_000, 5.0, figure(5, "m"), "pg_lossless_400000_5m_profile", "ecn_400000")
    up = PortQos(800_000, 40.0, figure(40, "m"), "pg_lossless_800000_40m_profile", "ecn_800000")
    kinds: dict[Any, SwitchQos] = {}
    switches = {}
    for device in fabric.devices:
        ports = {p: down if n.role == "node" else up for p, n in device.neighbors.items()}
        key = (device.role, tuple(ports))
        switches[device.name] = kinds.setdefault(key, _switch_qos(device.role, ports))
    classes = (
        TrafficClass("roce", (26,), 3, 3, 3, True, True, figure(60, "%"), WHY),
        TrafficClass("cnp", (48,), 6, 6, 0, False, False, None, WHY),
        TrafficClass("default", (), 0, 0, 0, False, False, figure(40, "%"), WHY),
    )
    dscp = {each: {26: 3, 48: 6}.get(each, 0) for each in range(64)}
    same = {each: each for each in range(8)}
    groups = {each: 3 if each == 3 else 0 for each in range(8)}
    names = ("dscp_to_tc", "tc_to_queue", "tc_to_pg", "pfc_to_queue")
    return QosPlan(classes, dscp, same, groups, same, (3,), dict.fromkeys(names, WHY), switches, ())


def _timing() -> TimingPlan:
    nothing = figure(0, "")
    return TimingPlan(
        False, "g8275.1", nothing, "L2", "E2E", True, nothing, nothing, nothing, False, "3.1", (),
        {}, (), (),
    )  # fmt: skip


Configured = Callable[..., tuple[DeviceConfig, ...]]


@pytest.fixture
def configured() -> Configured:
    """Device configurations of the small fabric: `configured(numbered=False, …)`."""

    def make(**wanted: Any) -> tuple[DeviceConfig, ...]:
        asked = Wanted(**wanted)
        fabric = _fabric(asked)
        return build(_intent(asked), fabric, _qos(fabric), _timing())

    return make


@pytest.fixture
def configured_hosts() -> Callable[..., tuple[HostConfig, ...]]:
    """Host configurations of the small fabric."""

    def make(**wanted: Any) -> tuple[HostConfig, ...]:
        asked = Wanted(**wanted)
        fabric = _fabric(asked)
        return build_hosts(_intent(asked), fabric, _qos(fabric), _timing())

    return make
