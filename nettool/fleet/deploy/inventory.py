"""The Ansible inventory of a fabric: one function for the plugin and for the static file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nettool.catalog.catalog import Catalog
from nettool.fleet.deploy.waves import plan_waves
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Device, Fabric

_OTHER = re.compile(r"[^a-z0-9]")


def inventory(
    fabric: Fabric, intent: FabricIntent, catalog: Catalog, *, nos: str | None = None
) -> dict[str, Any]:
    """Hosts and groups, in the shape of a static YAML inventory.

    Hosts stand in the order of their waves, so that a serial play takes them wave by wave. Rails,
    pods and planes of a network are its own: as with the names of switches, the first network's
    are `rail_01`, those of another are `storage_rail_01`.
    """
    first = next(iter(intent.networks))
    dialect = nos or intent.nos.name
    waves = plan_waves(fabric.devices)
    groups: dict[str, dict[str, Any]] = {}
    for number, wave in enumerate(waves, 1):
        for device in wave:
            wave_name = f"wave_{number:0{max(2, len(str(len(waves))))}}"
            for group in (wave_name, *_groups(device, dialect, first)):
                groups.setdefault(group, {"hosts": {}})["hosts"][device.name] = {}
    chips = {name: chip(name, catalog) for name in {each.asic for each in fabric.devices}}
    hosts = {each.name: _host(each, intent, chips) for wave in waves for each in wave}
    return {"all": {"hosts": hosts, "children": {name: groups[name] for name in sorted(groups)}}}


def groups(listed: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """The hosts of each group of such an inventory."""
    found = {name: frozenset(each["hosts"]) for name, each in listed["all"]["children"].items()}
    return {"all": frozenset(listed["all"]["hosts"]), **found}


def group_name(text: str) -> str:
    """A group's name: lower case, every other character `_`."""
    return _OTHER.sub("_", text.lower())


def _groups(device: Device, nos: str, first: str) -> Iterator[str]:
    own = "" if device.network == first else group_name(f"{device.network}_")
    yield device.role
    yield group_name(f"network_{device.network}")
    yield group_name(f"os_{nos}")
    yield group_name(f"sku_{device.sku}")
    if device.role == "leaf":
        yield from (f"{own}rail_{rail:02}" for rail in device.rails)
    if device.pod is not None:
        yield f"{own}pod_{device.pod:02}"
    if device.plane is not None:
        yield f"{own}plane_{device.plane:02}"


def _host(device: Device, intent: FabricIntent, chips: Mapping[str, str]) -> dict[str, Any]:
    release = {"nettool_release": intent.nos.release} if intent.nos.release else {}
    return {
        "ansible_host": device.management.partition("/")[0],
        "ansible_user": intent.management.user,
        "nettool_chip": chips[device.asic],
        **release,
    }


def chip(asic: str, catalog: Catalog) -> str:
    """A chip by the name that SONiC's updater has for its family; empty where it has none."""
    return (catalog.asic(asic).gcu_family or "") if asic in catalog.names("asics") else ""
