"""The hardware's own files of a mock switch: port_config.ini, platform.json, the headroom table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nettool.fleet.mock.folder import Folder
    from nettool.fleet.mock.spec import SwitchSpec

DEVICE_FOLDER = "/usr/share/sonic/device"


def lay_out_hardware(spec: SwitchSpec, folder: Folder) -> None:
    """Write under /usr/share/sonic what an image ships for this platform and HwSKU."""
    platform = folder.host(f"{DEVICE_FOLDER}/{spec.platform}")
    sku = platform / spec.hwsku
    sku.mkdir(parents=True, exist_ok=True)
    (sku / "port_config.ini").write_text(port_config_ini(spec))
    if spec.breakouts:
        (platform / "platform.json").write_text(json.dumps(platform_json(spec), indent=4))
    if spec.headroom:
        (sku / "pg_profile_lookup.ini").write_text(headroom_ini(spec))
    version = folder.host("/etc/sonic/sonic_version.yml")
    version.parent.mkdir(parents=True, exist_ok=True)
    version.write_text(sonic_version(spec))
    for path, text in spec.files.items():
        target = folder.host(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def sonic_version(spec: SwitchSpec) -> str:
    """The image's version as build_debian.sh writes it."""
    return (
        f"---\nbuild_version: '{spec.version}'\ndebian_version: '12.10'\n"
        f"asic_type: {spec.asic_type}\nrelease: 'none'\n"
    )


def port_config_ini(spec: SwitchSpec) -> str:
    """The port table as device/<vendor>/<platform>/<sku>/port_config.ini has it."""
    lines = ["# name          lanes                     alias           index"]
    for name, port in spec.own_ports().items():
        lines.append(f"{name:<15} {port.lanes:<25} {port.alias or name:<15} {port.index or '0'}")
    return "\n".join(lines) + "\n"


def platform_json(spec: SwitchSpec) -> dict[str, object]:
    """The breakout modes as device/<vendor>/<platform>/platform.json has them."""
    ports = spec.own_ports()
    interfaces = {
        name: {
            "index": _per_lane(ports[name].index, ports[name].lanes),
            "lanes": ports[name].lanes,
            "breakout_modes": {mode: list(aliases) for mode, aliases in modes.items()},
        }
        for name, modes in spec.breakouts.items()
        if name in ports
    }
    return {"interfaces": interfaces}


def headroom_ini(spec: SwitchSpec) -> str:
    """The headroom table as pg_profile_lookup.ini has it."""
    lines = ["# PG lossless profiles.", "# speed cable size xon xoff threshold xon_offset"]
    lines += ["  ".join(row) for row in spec.headroom]
    return "\n".join(lines) + "\n"


def _per_lane(index: str, lanes: str) -> str:
    return ",".join([index] * len(lanes.split(",")))
