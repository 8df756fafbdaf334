"""The view of a user's extra template: who the device is and what its ports face."""

from __future__ import annotations

from collections.abc import Mapping

from nettool.config.device.device import DeviceConfig
from nettool.core.order import natural


def device_view(config: DeviceConfig) -> Mapping[str, object]:
    """`device`, `ports` and `gateways`, all words and numbers as str or None.

    device: hostname, role, tier, number, pod, plane, network, model, sku, asn, loopback,
    management. ports: name, alias, speed, peer, peer_port, peer_role of each cabled port.
    gateways: vlan, rail, address, ports.
    """
    identity, speaker = config.identity, config.routing
    names = ("hostname", "role", "tier", "number", "pod", "plane", "network", "model", "sku")
    device = {name: _word(getattr(identity, name)) for name in names}
    device |= {"asn": speaker.asn.text if speaker else None, "loopback": config.loopback.address}
    device["management"] = config.management.address
    return {
        "device": device,
        "ports": [_port(config, name) for name in sorted(config.interfaces.neighbors, key=natural)],
        "gateways": [
            {"vlan": str(each.vlan), "rail": str(each.rail), "address": each.address,
             "ports": list(each.ports)}
            for each in config.interfaces.gateways
        ],
    }  # fmt: skip


def _port(config: DeviceConfig, name: str) -> dict[str, str | None]:
    slot, faced = config.ports.layout.by_name[name], config.interfaces.neighbors[name]
    return {
        "name": name,
        "alias": slot.alias,
        "speed": str(slot.speed),
        "peer": faced.device,
        "peer_port": faced.port,
        "peer_role": faced.role,
    }


def _word(value: object) -> str | None:
    return None if value is None else str(value)
