"""PORT and BREAKOUT_CFG."""

from __future__ import annotations

from nettool.catalog.ports import PortSlot
from nettool.config.device.device import DeviceConfig
from nettool.config.device.features.ports import Ports
from nettool.config.nos.dialects.sonic.release import View, defaults
from nettool.core.order import natural
from nettool.core.provenance import Traced


def ports(config: DeviceConfig) -> View:
    """Every port, extra ones and those without a cable down, and each cage's breakout mode."""
    given = config.ports
    slots = sorted(given, key=lambda each: natural(each.name))
    modes = sorted(given.layout.modes.items(), key=lambda each: natural(each[0]))
    why = given.layout_why
    return {
        "BREAKOUT_CFG": {name: {"brkout_mode": Traced.of(mode, why)} for name, mode in modes},
        "PORT": {each.name: _row(given, each) for each in slots},
    }


def _row(given: Ports, slot: PortSlot) -> dict[str, object]:
    why = given.layout_why
    is_up = slot.name in given.cabled
    return {
        "admin_status": Traced.of("up" if is_up else "down", why),
        "alias": slot.alias,
        "autoneg": defaults()["PORT|autoneg"],
        "fec": Traced.of(slot.fec, why),
        "index": Traced.of(slot.index, why),
        "lanes": Traced.of(",".join(map(str, slot.lanes)), why),
        "mtu": given.mtu.text,
        "pfc_asym": defaults()["PORT|pfc_asym"],
        "speed": Traced.of(slot.speed, why),
        "subport": Traced.of(slot.subport, why),
    }
