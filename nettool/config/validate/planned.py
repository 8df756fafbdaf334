"""What a plan declares to the rules: its cables, what hosts send, and what each switch is."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from nettool.catalog.catalog import Catalog
from nettool.config.device.device import DeviceConfig
from nettool.config.validate.declared import DeclaredEnd, DeclaredLink, Links, Traffic
from nettool.config.validate.known_platforms import KnownPlatforms
from nettool.config.validate.platform import Platform
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Fabric


def planned_links(fabric: Fabric) -> Links:
    """The cables between switches, all of them, and the rail of leaves that serve one."""
    known = fabric.by_name
    rows = (
        DeclaredLink(
            DeclaredEnd(link.a.device, link.a.port),
            DeclaredEnd(link.b.device, link.b.port),
            number,
            ceil(link.kind.length),
            link.kind.medium,
            bool(link.kind.optic_b),
        )
        for number, link in enumerate(fabric.links, 1)
        if link.a.device in known
    )
    tiers = {device.name: device.role for device in fabric.devices}
    leaves = (each for each in fabric.devices if each.role == "leaf" and len(each.rails) == 1)
    rails = {each.name: each.rails[0] for each in leaves}
    return Links(tuple(rows), tiers, rails=rails, is_plan=True)


def planned_traffic(intent: FabricIntent) -> Traffic:
    """What hosts send."""
    names = {dscp: each.name for each in intent.qos.lossless for dscp in each.dscp}
    cnp = intent.qos.cnp_dscp
    return Traffic(frozenset(names), frozenset({cnp}), {**names, cnp: "cnp"})


def planned_platforms(fabric: Fabric, catalog: Catalog) -> dict[str, Platform]:
    """What the catalog knows of each switch; equal ones once."""
    known, made = KnownPlatforms(catalog), {}
    for device in fabric.devices:
        model = catalog.switch(device.model)
        made[device.name] = known.made(model, model.sku_by_name.get(device.sku), device.asic)
    return made


def without_lossless(configs: Iterable[DeviceConfig]) -> frozenset[str]:
    """Switches that no host sends lossless traffic to: those whose ports are all lossy."""
    return frozenset(
        each.name
        for each in configs
        if each.qos is None or not any(p.lossless for p in each.qos.switch.ports.values())
    )
