"""A mock fleet as it comes out of its boxes: the fabric's switches with factory configuration.

Each switch knows its own ports; its lanes differ from what a catalog may assume, as real boxes'
do, so a push that writes assumed lanes is found out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nettool.fleet.mock.spec import Cable, Nos, PortFacts, SwitchSpec
from nettool.plan.design.fabric import Device, Fabric

_LANE_OFFSET = 512
_ASIC_TYPES = {"teralynx": "marvell-teralynx", "falcon": "marvell-prestera", "spectrum": "mellanox"}


def factory_specs(
    fabric: Fabric, user: str, keys: tuple[str, ...] = (), nos: Nos = "sonic"
) -> Iterator[SwitchSpec]:
    """The switches of a design with the configuration they boot with before the first push."""
    for number, device in enumerate(fabric.devices, 1):
        ports = _ports(device)
        platform, mac = device.platform or "x86_64-mock-r0", _mac(number)
        yield SwitchSpec(
            name=device.name,
            nos=nos,
            config=_factory_config(device, ports, platform, mac, is_set_up=nos == "asternos"),
            hwsku=device.sku,
            platform=platform,
            asic_type=_asic_type(device.asic),
            mac=mac,
            ports=ports,
            user=user,
            keys=keys,
        )


def fabric_cables(fabric: Fabric) -> Iterator[Cable]:
    """The cables of a design, NICs included."""
    for link in fabric.links:
        yield Cable(f"{link.a.device}:{link.a.port}", f"{link.b.device}:{link.b.port}")


def _ports(device: Device) -> dict[str, PortFacts]:
    return {
        slot.name: PortFacts(
            lanes=",".join(str(lane + _LANE_OFFSET) for lane in slot.lanes),
            index=str(slot.index),
            alias=slot.alias,
        )
        for slot in (*device.layout.slots, *device.layout.extras)
    }


def _factory_config(
    device: Device, ports: dict[str, PortFacts], platform: str, mac: str, *, is_set_up: bool
) -> dict[str, Any]:
    """`is_set_up`: it has its name and its ports are up, for which klish has no public line."""
    speeds = {s.name: s.speed for s in (*device.layout.slots, *device.layout.extras)}
    return {
        "DEVICE_METADATA": {
            "localhost": {
                "hostname": device.name if is_set_up else "sonic",
                "hwsku": device.sku,
                "platform": platform,
                "mac": mac,
                "type": "LeafRouter",
                "default_bgp_status": "up",
            }
        },
        "MGMT_PORT": {"eth0": {"admin_status": "up", "alias": "eth0"}},
        "MGMT_INTERFACE": {f"eth0|{device.management}": {"gwaddr": device.management_gateway}},
        "PORT": {
            name: {
                "lanes": facts.lanes,
                "index": facts.index,
                "alias": facts.alias,
                "speed": str(speeds[name]),
                "admin_status": "up" if is_set_up else "down",
                "mtu": "9100",
            }
            for name, facts in ports.items()
        },
    }


def _asic_type(asic: str) -> str:
    return next((kind for stem, kind in _ASIC_TYPES.items() if asic.startswith(stem)), "broadcom")


def _mac(number: int) -> str:
    """A documentation MAC address (RFC 7042: 00-00-5E-00-53-00 to -FF)."""
    return f"00:00:5e:00:53:{number % 256:02x}"
