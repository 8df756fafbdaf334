"""What each NIC of the plan has to agree on with its switch port: `host.json`, NIC by NIC."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nettool.config.device.device import HostConfig
from nettool.config.nos.dialects.host import agreement
from nettool.plan.design.fabric import Fabric

_NIC_TIER = "nic-leaf"


@dataclass(frozen=True, slots=True)
class PlannedNic:
    """What one NIC has to agree on; `pauses` where its switch port is lossless."""

    host: str
    name: str
    switch: str
    port: str
    wanted: Mapping[str, Any]
    ptp: Mapping[str, Any]
    pauses: bool


def planned_nics(
    hosts: Iterable[HostConfig],
    fabric: Fabric,
    lossless: Callable[[str, str], bool],
) -> tuple[PlannedNic, ...]:
    """Every NIC of the plan; `lossless` tells whether a switch's port is so."""
    fec = {link.a: link.kind.fec for link in fabric.links if link.kind.tier == _NIC_TIER}
    return tuple(each for host in hosts for each in _planned(host, fec, lossless))


def _planned(
    host: HostConfig, fec: Mapping[Any, str], lossless: Callable[[str, str], bool]
) -> Iterator[PlannedNic]:
    shared = agreement(host)
    ptp: Any = shared.pop("ptp", {})
    roce: Any = shared.pop("roce_dscp")
    every = tuple(dscp for own in roce.values() for dscp in own)
    for nic in host.node.nics:
        own = {
            name: getattr(nic, name)
            for name in ("speed", "address", "address6", "gateway", "switch", "port")
        }
        wanted = {**shared, "roce_dscp": every, **own, "fec": fec.get((host.name, nic.name))}
        yield PlannedNic(
            host=host.name,
            name=nic.name,
            switch=nic.switch,
            port=nic.port,
            wanted={name: value for name, value in wanted.items() if value is not None},
            ptp=ptp,
            pauses=lossless(nic.switch, nic.port),
        )
