"""The documents of a build: fabric.json and plan.json, the same bytes for the same plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import orjson
import yaml

from nettool.catalog.ports import PortLayout
from nettool.core.document import Ledger
from nettool.plan.design.fabric import Device, Fabric, Link, Node
from nettool.plan.qos.qos_plan import QosPlan

SCHEMA_VERSION = 1
_OPTIONS = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
_COMPACT = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_LARGE = 20_000
"""Links above which fabric.json is written without indentation."""


def document(value: Mapping[str, object], *, compact: bool = False) -> bytes:
    """JSON with sorted keys, indented for people unless it is very large."""
    return orjson.dumps(value, option=_COMPACT if compact else _OPTIONS)


def fabric_document(fabric: Fabric) -> bytes:
    """The design: devices, ports, links, addresses. Port layouts stand once, by key."""
    layouts = {device.layout.key: device.layout for device in fabric.devices}
    tree = {
        "schema_version": SCHEMA_VERSION,
        "name": fabric.name,
        "topology": dict(fabric.topology),
        "layouts": {key: _layout(layout) for key, layout in layouts.items()},
        "devices": {device.name: _device(device) for device in fabric.devices},
        "nodes": {node.name: _node(node) for node in fabric.nodes},
        "links": [_link(link) for link in fabric.links],
        "tiers": [
            {"network": t.network, "name": t.name, "links": t.links, "down": t.down, "up": t.up}
            for t in fabric.tiers
        ],
    }
    return document(tree, compact=len(fabric.links) > _LARGE)


def plan_document(qos: QosPlan, **parts: object) -> bytes:
    """The planned numbers of each room by name, with their provenances in one list.

    `qos.switches` names the kind of each switch, and `qos.kinds` holds each kind once.
    """
    ledger = Ledger()
    tree: dict[str, Any] = {name: ledger.plain(part) for name, part in parts.items()}
    kinds = {each.key: each for each in qos.switches.values()}
    rows = {each.name: getattr(qos, each.name) for each in fields(qos) if each.name != "switches"}
    tree["qos"] = {
        **{name: ledger.plain(part) for name, part in rows.items()},
        "switches": {device: each.key for device, each in qos.switches.items()},
        "kinds": {key: ledger.plain(each) for key, each in kinds.items()},
    }
    tree |= {"schema_version": SCHEMA_VERSION, "provenance": ledger.rows}
    return document(tree)


def inventory_document(tree: Mapping[str, object]) -> bytes:
    """The static Ansible inventory as YAML."""
    text: str = yaml.dump(dict(tree), Dumper=_DUMPER, sort_keys=False, default_flow_style=False)
    return text.encode()


def _layout(layout: PortLayout) -> dict[str, object]:
    return {
        slot.name: {
            "cage": slot.cage, "label": slot.label, "mode": slot.mode, "subport": slot.subport,
            "lanes": list(slot.lanes), "alias": slot.alias, "index": slot.index,
            "speed": slot.speed, "fec": slot.fec, "trust": str(slot.lane_trust),
        }
        for slot in (*layout.slots, *layout.extras)
    }  # fmt: skip


def _device(device: Device) -> dict[str, object]:
    return {
        "role": device.role, "tier": device.tier, "network": device.network,
        "model": device.model, "sku": device.sku, "asic": device.asic,
        "layout": device.layout.key, "rails": list(device.rails), "pod": device.pod,
        "plane": device.plane, "management": device.management, "loopback": device.loopback,
        "loopback6": device.loopback6, "asn": device.asn, "mtu": device.mtu,
        "gateways": [
            {"vlan": g.vlan, "rail": g.rail, "address": g.address, "address6": g.address6}
            for g in device.gateways
        ],
        "addresses": {
            port: [n.address, n.address6] for port, n in device.neighbors.items() if n.address
        },
    }  # fmt: skip


def _node(node: Node) -> dict[str, object]:
    nics = {
        nic.name: [nic.network, nic.rail, nic.speed, nic.address, nic.address6, nic.gateway]
        for nic in node.nics
    }
    return {"gpus": node.gpus, "nics": nics}


def _link(link: Link) -> list[object]:
    kind = link.kind
    return [
        link.a.device, link.a.port, link.b.device, link.b.port,
        kind.tier, kind.speed, kind.length, kind.medium,
    ]  # fmt: skip
