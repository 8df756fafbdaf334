"""PORT and BREAKOUT_CFG."""

from __future__ import annotations

from collections.abc import Iterator

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
    names = sorted(given.layout.modes, key=natural)
    why = given.layout_why
    modes = {mode: {"brkout_mode": Traced.of(mode, why)} for mode in given.layout.modes.values()}
    return {
        "BREAKOUT_CFG": {name: modes[given.layout.modes[name]] for name in names},
        "PORT": dict(_rows(given, slots)),
    }


def _rows(given: Ports, slots: list[PortSlot]) -> Iterator[tuple[str, dict[str, object]]]:
    why, mtu = given.layout_why, given.mtu.text
    autoneg, pfc_asym = defaults()["PORT|autoneg"], defaults()["PORT|pfc_asym"]
    texts: dict[object, Traced] = {}

    def text(value: object) -> Traced:
        """Ports share most values, so each is made once."""
        if value not in texts:
            texts[value] = Traced.of(value, why)
        return texts[value]

    for slot in slots:
        yield (
            slot.name,
            {
                "admin_status": text("up" if slot.name in given.cabled else "down"),
                "alias": slot.alias,
                "autoneg": autoneg,
                "fec": text(slot.fec),
                "index": Traced.of(slot.index, why),
                "lanes": Traced.of(",".join(map(str, slot.lanes)), why),
                "mtu": mtu,
                "pfc_asym": pfc_asym,
                "speed": text(slot.speed),
                "subport": text(slot.subport),
            },
        )
