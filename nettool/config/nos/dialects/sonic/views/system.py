"""DEVICE_METADATA, the management port, loopback, hash: the switch itself."""

from __future__ import annotations

from nettool.config.device.device import DeviceConfig
from nettool.config.nos.dialects.sonic.names import device_type
from nettool.config.nos.dialects.sonic.release import View, defaults
from nettool.core.provenance import Provenance, Traced, Trust

_MODE_WHY = Provenance(
    "bgpcfgd renders FRR where the mode is separated and the management framework is off; "
    "frrcfgd where it is unified and on",
    source="sonic-buildimage 086b03bd dockers/docker-fpm-frr/frr/supervisord/supervisord.conf.j2",
    trust=Trust.PUBLISHED,
)
_MODES = {"bgpcfgd": ("separated", "false"), "frrcfgd": ("unified", "true")}


def device_metadata(config: DeviceConfig) -> View:
    """DEVICE_METADATA: everything but the MAC address, which is the switch's own."""
    identity, bgp = config.identity, config.routing
    mode, framework = _MODES[bgp.manager if bgp else "bgpcfgd"]
    row = {
        **defaults().row("DEVICE_METADATA"),
        "bgp_asn": bgp.asn.text if bgp else None,
        "docker_routing_config_mode": Traced.of(mode, _MODE_WHY),
        "frr_mgmt_framework_config": Traced.of(framework, _MODE_WHY),
        "hostname": identity.hostname,
        "hwsku": identity.sku,
        "platform": identity.platform,
        "timezone": config.services.timezone,
        "type": device_type(identity.role),
    }
    return {"DEVICE_METADATA": {"localhost": row}}


def management(config: DeviceConfig) -> View:
    """MGMT_PORT and MGMT_INTERFACE."""
    given = config.management
    key = Traced.of(f"eth0|{given.address}", given.address.why)
    return {
        "MGMT_INTERFACE": {key: {"gwaddr": given.gateway}},
        "MGMT_PORT": {"eth0": {"admin_status": defaults()["MGMT_PORT|admin_status"]}},
    }


def loopback(config: DeviceConfig) -> View:
    """LOOPBACK_INTERFACE: the base row and one row an address."""
    given = config.loopback
    rows: dict[str, dict[str, object]] = {"Loopback0": {}}
    rows[Traced.of(f"Loopback0|{given.address}/32", given.address.why)] = {}
    if given.address6:
        rows[Traced.of(f"Loopback0|{given.address6}/128", given.address6.why)] = {}
    return {"LOOPBACK_INTERFACE": rows}


def switch_hash(config: DeviceConfig) -> View:
    """SWITCH_HASH: the fields that ECMP spreads flows by."""
    fields = [Traced.of(each, config.hashing.why) for each in config.hashing.fields]
    return {"SWITCH_HASH": {"GLOBAL": {"ecmp_hash": fields}}}
