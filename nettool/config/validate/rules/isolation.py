"""Switches that are taken out of traffic: fine for an hour, not in a file that is deployed."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.sessions import Mode, is_shut, mode_of, neighbors
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

_SETTINGS = (("tsa_enabled", "false"), ("idf_isolation_state", "unisolated"))


@device_rule(
    "BGP022",
    "a switch that announces no routes",
    Severity.WARNING,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR", "BGP_DEVICE_GLOBAL"),
    why="An isolated switch draws no traffic, and neighbours that are shut carry none: a state "
    "left from maintenance stays in the file and comes back at every reload.",
    fix='Set tsa_enabled "false", idf_isolation_state "unisolated", default_bgp_status "up".',
    source="sonic-buildimage 086b03bd dockers/docker-fpm-frr/base_image_files/TSA, "
    "instance.conf.j2 (default_bgp_status), sonic-bgp-device-global.yang",
)
def switches_take_part(config: Config, _context: Context) -> Iterator[Fault]:
    """Isolation in BGP_DEVICE_GLOBAL|STATE, and neighbours that are all shut by default."""
    rows = neighbors(config)
    state = config.row("BGP_DEVICE_GLOBAL", "STATE") if rows else {}
    for name, usual in _SETTINGS:
        if state.get(name, usual) != usual:
            message = f"{name} is {state[name]}: routes of other switches are not passed on"
            yield Fault("BGP_DEVICE_GLOBAL", "STATE", name, message, f'set "{usual}"')
    if mode_of(config) is Mode.BGPCFGD and rows and all(
        "admin_status" not in each.row and is_shut(config, each) for each in rows
    ):  # fmt: skip
        message = f"default_bgp_status is down, and none of {len(rows)} neighbours says otherwise"
        yield Fault("DEVICE_METADATA", "localhost", "default_bgp_status", message, 'set "up"')
