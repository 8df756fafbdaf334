"""The table groups: which template says which view, and what the view depends on."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from nettool.config.device.device import DeviceConfig
from nettool.config.nos.dialects.sonic.release import View
from nettool.config.nos.dialects.sonic.views import (
    bgp,
    bgp_unified,
    buffers,
    interfaces,
    ports,
    qos_maps,
    queues,
    services,
    system,
)


@dataclass(frozen=True, slots=True)
class Group:
    """One template and the view that fills it.

    `depends` gives what the view is made of, by identity: devices that hold the same parts share
    one rendering. None where every device has its own.
    """

    name: str
    view: Callable[[DeviceConfig], View]
    depends: Callable[[DeviceConfig], Hashable] | None = None

    @property
    def template(self) -> str:
        """Its name on the search path."""
        return f"sonic/{self.name}.json.j2"


GROUPS = (
    Group("device_metadata", system.device_metadata),
    Group("management", system.management),
    Group("loopback", system.loopback),
    Group("ports", ports.ports, lambda c: c.ports),
    Group("interfaces", interfaces.interfaces),
    Group("vlans", interfaces.vlans),
    Group("neighbors", interfaces.neighbors),
    Group("bgp", bgp.bgp),
    Group("bgp_unified", bgp_unified.bgp_unified),
    Group("switch_hash", system.switch_hash, lambda c: c.hashing),
    Group("qos_maps", qos_maps.qos_maps, lambda c: c.qos),
    Group("queues", queues.queues, lambda c: (c.qos, c.watchdog)),
    Group("buffers", buffers.buffers, lambda c: c.qos),
    Group("pfc_watchdog", services.watchdog, lambda c: c.watchdog),
    Group("counters", services.counters, lambda c: c.services),
    Group("ntp", services.ntp, lambda c: c.services),
    Group("syslog", services.syslog, lambda c: c.services),
    Group("lldp", services.lldp, lambda c: c.services),
)
"""Every group, in the order in which they are rendered."""
