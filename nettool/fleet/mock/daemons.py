"""Rows that a switch's daemons write into CONFIG_DB by themselves (traditional buffer model).

buffermgrd makes a lossless profile for each (speed, cable) pair its headroom table has, and
points the priority groups of pfc_enable at it. Source: sonic-swss cfgmgr/buffermgr.cpp.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nettool.fleet.mock.spec import ConfigDb, SwitchSpec

POOL = "ingress_lossless_pool"


def with_daemon_rows(config: ConfigDb, spec: SwitchSpec) -> ConfigDb:
    """The configuration with the lossless rows buffermgrd would have made of it."""
    metadata = config.get("DEVICE_METADATA", {}).get("localhost", {})
    pool = config.get("BUFFER_POOL", {}).get(POOL)
    if metadata.get("buffer_model") == "dynamic" or pool is None:
        return config
    new = copy.deepcopy(config)
    table = {(row[0], row[1]): row for row in spec.headroom}
    cables = config.get("CABLE_LENGTH", {}).get("AZURE", {})
    for port, row in config.get("PORT", {}).items():
        groups = config.get("PORT_QOS_MAP", {}).get(port, {}).get("pfc_enable", "")
        headroom = table.get((row.get("speed", ""), cables.get(port, "")))
        if row.get("admin_status") != "up" or not groups or headroom is None:
            continue
        name = f"pg_lossless_{headroom[0]}_{headroom[1]}_profile"
        new.setdefault("BUFFER_PROFILE", {}).setdefault(name, _profile(headroom, pool["mode"]))
        for key in _ranges(groups):
            new.setdefault("BUFFER_PG", {})[f"{port}|{key}"] = {"profile": name}
    return new


def _profile(headroom: tuple[str, str, str, str, str, str, str], mode: str) -> dict[str, str]:
    _, _, size, xon, xoff, threshold, xon_offset = headroom
    threshold_field = "dynamic_th" if mode == "dynamic" else "static_th"
    row = {"pool": POOL, "size": size, "xon": xon, "xoff": xoff, threshold_field: threshold}
    return {**row, "xon_offset": xon_offset} if xon_offset else row


def _ranges(groups: str) -> list[str]:
    """`3,4` gives `3-4`, `1,3,4` gives `1` and `3-4`."""
    numbers = sorted(int(g) for g in groups.split(",") if g)
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
