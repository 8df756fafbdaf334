"""One device's intended state, NOS-neutral: what every dialect is rendered from.

A `DeviceConfig` is a switch, a `HostConfig` a GPU node. Both refer to the planned values they
stand on (the design's neighbors, the plan's figures) in place of copies, and devices of one kind
share the parts that are equal, so a fabric of thousands of switches stays small.
"""

from __future__ import annotations

from dataclasses import dataclass

from nettool.config.device.features.hash import Hash, hashing
from nettool.config.device.features.identity import Identity, identity
from nettool.config.device.features.interfaces import Interfaces, interfaces
from nettool.config.device.features.loopback import Loopback, loopback
from nettool.config.device.features.management import Management, management
from nettool.config.device.features.ports import Ports, ports
from nettool.config.device.features.qos import Qos, qos
from nettool.config.device.features.routing import Bgp, routing
from nettool.config.device.features.services import Services, services
from nettool.config.device.features.timing import Timing, timing
from nettool.config.device.features.watchdog import PfcWatchdog, watchdog
from nettool.config.device.sources import Sources
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Device, Fabric, Node
from nettool.plan.qos.qos_plan import QosPlan
from nettool.plan.timing.timing_plan import TimingPlan

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """A switch's intended state, a part a feature; None where the switch has no such feature."""

    identity: Identity
    ports: Ports
    management: Management
    loopback: Loopback
    interfaces: Interfaces
    routing: Bgp | None
    qos: Qos | None
    watchdog: PfcWatchdog | None
    hashing: Hash
    services: Services
    timing: Timing | None

    @property
    def name(self) -> str:
        """The device's name."""
        return self.identity.hostname

    def parts(self) -> dict[str, object]:
        """The features by name, in the order of the JSON form."""
        return {name: getattr(self, name) for name in sorted(self.__slots__)}


@dataclass(frozen=True, slots=True)
class HostConfig:
    """A GPU node's intended state: what it must agree on with the switches.

    `mtu` is the largest IP MTU that every switch of its networks carries.
    """

    node: Node
    mtu: int
    qos: QosPlan
    timing: TimingPlan

    @property
    def name(self) -> str:
        """The node's name."""
        return self.node.name


def build(
    intent: FabricIntent, fabric: Fabric, qos_plan: QosPlan, timing_plan: TimingPlan
) -> tuple[DeviceConfig, ...]:
    """The intended state of every switch, in the design's order."""
    sources = Sources(intent, fabric, qos_plan, timing_plan)
    return tuple(_device(sources, each) for each in fabric.devices)


def build_hosts(
    intent: FabricIntent, fabric: Fabric, qos_plan: QosPlan, timing_plan: TimingPlan
) -> tuple[HostConfig, ...]:
    """The intended state of every GPU node, in the design's order."""
    mtu = {name: each.mtu for name, each in intent.networks.items()}
    return tuple(
        HostConfig(node, min(mtu[nic.network] for nic in node.nics), qos_plan, timing_plan)
        for node in fabric.nodes
        if node.nics
    )


def dump(config: DeviceConfig) -> dict[str, object]:
    """The JSON-ready form of a switch's intended state (device.json)."""
    shown = {name: part.as_json() for name, part in config.parts().items() if part}  # type: ignore[attr-defined] # every feature has it
    return {"schema_version": SCHEMA_VERSION, "device": config.name, **shown}


def _device(sources: Sources, device: Device) -> DeviceConfig:
    return DeviceConfig(
        identity=identity(sources, device),
        ports=ports(sources, device),
        management=management(sources, device),
        loopback=loopback(sources, device),
        interfaces=interfaces(sources, device),
        routing=routing(sources, device),
        qos=qos(sources, device),
        watchdog=watchdog(sources, device),
        hashing=hashing(sources, device),
        services=services(sources, device),
        timing=timing(sources, device),
    )
