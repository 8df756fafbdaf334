"""The switch's ports: layout, which are cabled, MTU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nettool.catalog.ports import PortLayout, PortSlot
from nettool.config.device.sources import Sources
from nettool.core.provenance import Figure, Input, Provenance
from nettool.plan.design.fabric import Device


@dataclass(frozen=True, slots=True, eq=False)
class Ports:
    """All ports of one kind of switch; devices with equal ports hold the same instance.

    `cabled` are the names that carry a link; every other port is kept down. `mtu` is the IP MTU
    in bytes. `layout_why` says where lanes, indexes and aliases come from.
    """

    layout: PortLayout
    cabled: frozenset[str]
    mtu: Figure
    layout_why: Provenance

    def __iter__(self) -> Iterator[PortSlot]:
        """Data ports in panel order, then the extra ones."""
        yield from self.layout.slots
        yield from self.layout.extras

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form, one object a port."""
        return {
            "layout": self.layout.key,
            "mtu": int(self.mtu),
            "breakout": dict(self.layout.modes),
            "ports": {slot.name: self._port(slot) for slot in self},
        }

    def _port(self, slot: PortSlot) -> dict[str, object]:
        return {
            "alias": slot.alias,
            "cage": slot.cage,
            "lanes": list(slot.lanes),
            "lanes_trust": str(slot.lane_trust),
            "speed": slot.speed,
            "fec": slot.fec,
            "enabled": slot.name in self.cabled,
        }


def ports(sources: Sources, device: Device) -> Ports:
    """The ports of `device`; one instance for all devices with equal layout, cabling and MTU."""
    cabled = frozenset(device.neighbors) | _references(sources, device)
    key = ("ports", device.layout.key, cabled, device.mtu)
    return sources.share(key, lambda: _ports(device, cabled))


def _references(sources: Sources, device: Device) -> frozenset[str]:
    """Ports where a grandmaster is cabled: no link of the design, and up all the same."""
    clock = sources.timing.clocks.get(device.name)
    names = sources.timing.grandmasters
    return (
        frozenset(each.port for each in clock.ports if each.peer in names) if clock else frozenset()
    )


def _ports(device: Device, cabled: frozenset[str]) -> Ports:
    given = device.why.get("mtu")
    why = Provenance("mtu of the network", (Input("mtu", device.mtu, "B", why=given),))
    mtu = Figure(device.mtu, "B", given or why)
    layout_why = device.why.get("layout") or Provenance("port layout of the switch model")
    return Ports(device.layout, cabled, mtu, layout_why)
