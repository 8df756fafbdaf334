"""One small fabric a topology: every switch, address and cable of its design.

After a change that is meant, `NETTOOL_GOLDEN=write pytest tests/golden` writes the files anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.core.units import format_speed
from nettool.intent.intent import FabricIntent
from nettool.plan.design.design import design, lock_of
from nettool.plan.design.fabric import Device, Fabric, Link
from nettool.plan.design.lock import lock_text
from nettool.plan.design.topology import TOPOLOGIES

HERE = Path(__file__).parent / "topologies"
CASES = {
    "rail-only": {},
    "rail-clos": {"nodes": 20},
    "rail-optimized": {"nodes": 20},
    "clos": {"nodes": 18},
    "clos3": {"nodes": 20, "options": {"pods": 2}},
    "dual-plane": {"nodes": 20, "nic": {"model": "connectx-8-2x400g", "per_node": 2}},
    "mixed-speeds": {
        "topology": "rail-optimized",
        "leaf": {"model": "CX864E-N"},
        "spines": 2,
        "uplink": "400G",
        "leaves": 2,
        "groups": [
            {"nodes": "1-2", "nic": {"model": "connectx-6-200g", "per_node": 2}},
            {"nodes": "3-4", "nic": {"model": "connectx-8-800g", "per_node": 2}},
        ],
    },
}


def intent(topology: str, nodes: int = 6, **changes: object) -> FabricIntent:
    """Nodes with two NICs on the smallest 400G switch."""
    return FabricIntent.model_validate(
        {
            "name": topology,
            "cluster": {"nodes": nodes, "gpus_per_node": 2},
            "networks": {
                "compute": {
                    "topology": topology,
                    "nic": {"model": "connectx-7-400g", "per_node": 2},
                    "leaf": {"model": "CX732Q-N"},
                    "subnets": {"pool": "10.1.0.0/16"},
                }
                | changes
            },
        }
    )


def shown(fabric: Fabric) -> dict[str, object]:
    """The design as JSON, one line a cable."""
    return {
        "devices": {each.name: _device(each) for each in fabric.devices},
        "nics": {
            node.name: {nic.name: f"{nic.address} via {nic.gateway}" for nic in node.nics}
            for node in fabric.nodes
        },
        "links": [_link(each, fabric) for each in fabric.links],
        "tiers": [f"{t.name} {t.links} {t.oversubscription:.3f}" for t in fabric.tiers],
        "lock": lock_text(lock_of(fabric)).splitlines()[2:],
    }


def _device(device: Device) -> dict[str, object]:
    return {
        "sku": device.sku,
        "place": f"rails {list(device.rails)} pod {device.pod} plane {device.plane}",
        "redundancy": device.redundancy,
        "addresses": f"{device.management} {device.loopback} AS {device.asn}",
        "gateways": [f"Vlan{g.vlan} {g.address} {len(g.ports)} ports" for g in device.gateways],
    }


def _link(link: Link, fabric: Fabric) -> str:
    near = fabric.by_name.get(link.a.device)
    faced = near.neighbors[link.a.port] if near else None
    numbers = f" {faced.address} {faced.peer_address}" if faced else ""
    kind = f"{link.kind.tier} {format_speed(link.kind.speed)} {link.kind.medium} C{link.cable}"
    return f"{link.a.device}:{link.a.port} {link.b.device}:{link.b.port} {kind}{numbers}"


def test_no_topology_is_left_out() -> None:
    assert {*TOPOLOGIES} <= {*CASES}


@pytest.mark.parametrize("topology", CASES)
def test_topology(topology: str) -> None:
    fabric, report = design(
        intent(**{"topology": topology} | CASES[topology]), None, load_catalog()
    )
    text = json.dumps(shown(fabric), indent=1) + "\n"
    golden = HERE / f"{topology}.json"
    if os.environ.get("NETTOOL_GOLDEN") == "write":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    kept = golden.read_text(encoding="utf-8")
    assert not report.findings
    assert text == kept, f"{golden} differs; run `NETTOOL_GOLDEN=write pytest tests/golden`"
