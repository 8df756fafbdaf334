"""What the operator asked for, technology-neutral: the models behind `fabric.yaml`.

Every key has a description, which editors show; the JSON Schema comes from these models.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from nettool.core.model import Model
from nettool.core.units import Count, Length, Metres, Real, Speed, Whole
from nettool.intent.fields import Address, Degree, Name, Prefix, Switches
from nettool.intent.qos import ClassIntent, EcnIntent, QosIntent, WatchdogIntent
from nettool.intent.timing import GrandmasterIntent, TimingIntent, TimingLinkIntent

__all__ = [
    "AddressPools", "CableIntent", "CablesIntent", "ClassIntent", "ClusterIntent", "EcnIntent",
    "FabricIntent", "GrandmasterIntent", "JobIntent", "ManagementIntent", "NetworkIntent",
    "NicIntent", "NodeGroupIntent", "NosIntent", "QosIntent", "RoutingIntent", "SubnetIntent",
    "SwitchIntent", "TimingIntent", "TimingLinkIntent", "WatchdogIntent", "without_own_keys",
]  # fmt: skip


class NosIntent(Model):
    """Which network operating system the switches run."""

    name: Literal["sonic", "asternos"] = Field(default="sonic", description="the dialect to render")
    release: str | None = Field(
        default=None,
        description="its release (sonic: 202311, 202405, 202411, 202505, master; asternos: R0407, "
        "R0408, R0409, R0500); it decides which fields and spellings exist. Default: 202505 or "
        "R0500",
    )
    roce: Literal["easy", "manual"] = Field(
        default="easy",
        description="asternos: the switch's own Easy RoCE preset, or the derived numbers as "
        "command lines (mostly unverified on hardware)",
    )


class ClusterIntent(Model):
    """The machines that the fabric connects."""

    nodes: Whole = Field(ge=1, le=1_000_000, description="number of GPU nodes")
    gpus_per_node: Whole = Field(default=8, ge=1, le=1024, description="GPUs in one node")
    gpu: str = Field(default="h100-sxm", description="GPU model: peak rate and scale-up bandwidth")


class NicIntent(Model):
    """The network cards of a node in one network."""

    model: str = Field(description="NIC model of the catalog; it holds speed and lanes")
    per_node: Whole = Field(ge=1, le=64, description="how many of them a node has in this network")
    speed: Speed | None = Field(default=None, description="port speed; default: the model's first")


class NodeGroupIntent(Model):
    """Nodes whose NICs in this network differ from the others'."""

    nodes: str = Field(
        pattern=r"^\d{1,6}(-\d{1,6})?$", description="numbers of the nodes, e.g. 49-64"
    )
    nic: NicIntent = Field(description="the NICs that these nodes have in this network")


class SwitchIntent(Model):
    """Which switch serves a tier."""

    model: str = Field(description="switch model of the catalog, e.g. CX864E-N")
    sku: str | None = Field(
        default=None, description="HwSKU; default: the one that fits the breakout, or the model's"
    )
    asic: str | None = Field(
        default=None, description="chip, where a model is built with several (CX532P-N)"
    )


class CableIntent(Model):
    """One cable whose length is not its tier's."""

    port: str = Field(
        pattern=r"^[^:\s]+:[^:\s]+$",
        description="the cable by its port on the lower switch, e.g. leaf01:Ethernet512; a "
        "breakout cable by any of its ports",
    )
    length: Length = Field(description="its length")


class CablesIntent(Model):
    """Cable lengths by tier; headroom is computed from them."""

    nic: Length = Field(default=Metres(3), description="NIC to leaf")
    leaf_spine: Length = Field(default=Metres(30), description="leaf to spine")
    spine_core: Length = Field(default=Metres(100), description="spine to core")
    own: tuple[CableIntent, ...] = Field(
        default=(), description="single cables that are longer or shorter than their tier's"
    )


class SubnetIntent(Model):
    """How NICs get their addresses."""

    pool: Prefix = Field(description="the pool that subnets are taken from")
    pool6: Prefix | None = Field(default=None, description="IPv6 pool: a /64 beside each subnet")
    prefix_length: Whole | None = Field(
        default=None, ge=8, le=127, description="length of each subnet; default: what fits"
    )
    per: Literal["rail", "leaf"] = Field(
        default="leaf",
        description="one subnet a leaf (routed between leaves), or one a rail (one leaf a rail)",
    )
    vlan: Whole = Field(default=101, ge=2, le=4094, description="gateway VLAN of the first rail")


class AddressPools(Model):
    """Pools that addresses and AS numbers are taken from, in order, never renumbered."""

    loopbacks: Prefix = Field(default="10.255.0.0/20", description="one /32 a switch")
    links: Prefix = Field(
        default="10.128.0.0/11", description="one /31 a switch-to-switch link (numbered)"
    )
    loopbacks6: Prefix | None = Field(default=None, description="one /128 a switch")
    links6: Prefix | None = Field(default=None, description="one /127 a link")
    asn_first: Whole = Field(
        default=4_200_000_000,
        ge=1,
        le=4_294_967_294,
        description="first AS number; spines of a pod share one, every leaf has its own",
    )


class RoutingIntent(Model):
    """Routing between the switches of a network."""

    protocol: Literal["bgp", "none"] = Field(
        default="bgp", description="none where switches do not connect to each other (rail-only)"
    )
    manager: Literal["bgpcfgd", "frrcfgd"] = Field(
        default="bgpcfgd",
        description="who renders FRR on SONiC: templates (docker_routing_config_mode separated) or "
        "the unified form",
    )
    links: Literal["numbered", "unnumbered"] = Field(
        default="numbered", description="IPv4 /31 a link, or IPv6 link-local (needs frrcfgd)"
    )


class NetworkIntent(Model):
    """One network of the fabric: compute, storage, front-end or out-of-band."""

    topology: str = Field(
        description="rail-only, rail-clos, rail-optimized, clos, clos3 or dual-plane"
    )
    nic: NicIntent = Field(description="the NICs that nodes have in this network")
    groups: tuple[NodeGroupIntent, ...] = Field(
        default=(), description="nodes with other NICs, e.g. an older generation at 200G"
    )
    leaf: SwitchIntent = Field(description="the leaf switches")
    spine: SwitchIntent | None = Field(default=None, description="the spines; default: as the leaf")
    core: SwitchIntent | None = Field(default=None, description="the third tier; default: as spine")
    oversubscription: Annotated[Real, Field(gt=0, le=1000)] | Literal["from-demand"] = Field(
        default=1.0,
        description="down capacity over up capacity of a leaf (1 is non-blocking), or from-demand",
    )
    spine_oversubscription: Real = Field(
        default=1.0, gt=0, le=1000, description="the same between spine and core"
    )
    uplink: Speed | None = Field(
        default=None, description="speed of one leaf-spine link; default: the cage's whole speed"
    )
    spine_uplink: Speed | None = Field(
        default=None, description="speed of one spine-core link; default: that of `uplink`"
    )
    leaves: Switches | None = Field(default=None, description="fixed number of leaves")
    spines: Switches | None = Field(default=None, description="fixed number of spines")
    cables: CablesIntent = Field(default=CablesIntent(), description="cable lengths by tier")
    subnets: SubnetIntent = Field(description="NIC subnets and their gateways")
    mtu: Whole = Field(default=9216, ge=1500, le=9216, description="IP MTU of switch ports, bytes")
    routing: RoutingIntent = Field(default=RoutingIntent(), description="routing between switches")
    pools: AddressPools = Field(default=AddressPools(), description="address and AS pools")
    options: dict[str, Any] = Field(default={}, description="options of the topology itself")


class ManagementIntent(Model):
    """How the switches are reached and what they report to."""

    pool: Prefix = Field(default="192.168.100.0/22", description="one address a switch, on eth0")
    gateway: Address | None = Field(default=None, description="default: the pool's first address")
    first: Whole = Field(
        default=11, ge=1, le=1 << 24, description="offset of the first switch in the pool"
    )
    user: str = Field(default="admin", description="login name on the switches")
    ntp: tuple[Address, ...] = Field(default=(), description="NTP servers")
    syslog: tuple[Address, ...] = Field(default=(), description="syslog servers")
    timezone: str | None = Field(default=None, description="e.g. Etc/UTC")


class JobIntent(Model):
    """One training job. Options beyond these belong to demand and are read there."""

    name: Name = Field(description="its name")
    model: str | dict[str, Any] = Field(description="a model of the library, or its dimensions")
    tp: Degree = Field(default=1, description="tensor parallel degree")
    pp: Degree = Field(default=1, description="pipeline parallel degree")
    dp: Degree = Field(default=1, description="data parallel degree")
    cp: Degree = Field(default=1, description="context parallel degree")
    ep: Degree = Field(default=1, description="expert parallel degree")
    vpp: Whole = Field(default=1, ge=1, le=1024, description="pipeline interleaving")
    sequence: Count = Field(default=8192, description="tokens of a sequence")
    batch: Count = Field(default=2048, description="sequences of a global batch")
    micro_batch: Count = Field(default=1, description="sequences of a micro-batch")
    options: dict[str, Any] = Field(
        default={}, description="order, dp_mode, grad_bytes, param_bytes, mfu, algorithms, nodes, …"
    )


class FabricIntent(Model):
    """A whole fabric: the content of `fabric.yaml`."""

    name: Name = Field(description="name of the fabric")
    nos: NosIntent = Field(default=NosIntent(), description="what runs on the switches")
    cluster: ClusterIntent = Field(description="the machines to connect")
    networks: dict[Name, NetworkIntent] = Field(
        min_length=1, description="networks by name: compute, and storage, frontend or oob"
    )
    management: ManagementIntent = Field(
        default=ManagementIntent(), description="management addresses and services"
    )
    qos: QosIntent = Field(default=QosIntent(), description="RoCEv2 quality of service")
    timing: TimingIntent = Field(
        default=TimingIntent(enabled=False), description="PTP and SyncE; off where absent"
    )
    jobs: tuple[JobIntent, ...] = Field(default=(), description="training jobs on the fabric")

    @model_validator(mode="before")
    @classmethod
    def _drop_own_keys(cls, data: Any) -> Any:
        return without_own_keys(data)


def without_own_keys(data: Any) -> Any:
    """The tree without keys that begin with `x-`: those are the user's own."""
    if isinstance(data, dict):
        return {
            key: without_own_keys(value)
            for key, value in data.items()
            if not (isinstance(key, str) and key.startswith("x-"))
        }
    if isinstance(data, list):
        return [without_own_keys(each) for each in data]
    return data
