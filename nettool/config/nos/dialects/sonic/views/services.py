"""The PFC watchdog, counters, and what the switch reports to."""

from __future__ import annotations

from nettool.config.device.device import DeviceConfig
from nettool.config.nos.dialects.sonic.release import View, defaults
from nettool.core.order import natural

COUNTER_GROUPS = {
    "acl": "ACL",
    "buffer-pool-watermark": "BUFFER_POOL_WATERMARK",
    "ecn-marked-port": "WRED_ECN_PORT",
    "ecn-marked-queue": "WRED_ECN_QUEUE",
    "pfc-watchdog": "PFCWD",
    "port": "PORT",
    "port-buffer-drop": "PORT_BUFFER_DROP",
    "port-rates": "PORT_RATES",
    "priority-group-drop": "PG_DROP",
    "priority-group-watermark": "PG_WATERMARK",
    "queue": "QUEUE",
    "queue-watermark": "QUEUE_WATERMARK",
    "router-interface": "RIF",
}
"""FLEX_COUNTER_TABLE group by kind of counter."""

_RESOURCES = (
    "acl_counter", "acl_entry", "acl_group", "acl_table", "fdb_entry", "ipv4_neighbor",
    "ipv4_nexthop", "ipv4_route", "ipv6_neighbor", "ipv6_nexthop", "ipv6_route", "nexthop_group",
    "nexthop_group_member",
)  # fmt: skip


def watchdog(config: DeviceConfig) -> View:
    """PFC_WD: the poll interval, and a row a lossless port."""
    given = config.watchdog
    if given is None:
        return {"PFC_WD": {}}
    row = {
        "POLL_INTERVAL": None,
        "action": given.action,
        "detection_time": given.detection.text,
        "restoration_time": given.restoration.text,
    }
    poll = {**dict.fromkeys(row), "POLL_INTERVAL": given.poll.text}
    ports = sorted(given.ports, key=natural)
    return {"PFC_WD": {**dict.fromkeys(ports, row), "GLOBAL": poll}}


def counters(config: DeviceConfig) -> View:
    """FLEX_COUNTER_TABLE and CRM; the poll interval is SONiC's own where none is given."""
    polls = defaults().row("FLEX_COUNTER_TABLE")
    groups = sorted(COUNTER_GROUPS[each] for each in config.services.counters)
    return {
        "CRM": {"Config": _resources()},
        "FLEX_COUNTER_TABLE": {
            group: {"FLEX_COUNTER_STATUS": "enable", "POLL_INTERVAL": polls.get(group)}
            for group in groups
        },
    }


def _resources() -> dict[str, str]:
    crm = defaults().row("CRM")
    row: dict[str, str] = {"polling_interval": crm["polling_interval"]}
    for resource in _RESOURCES:
        row[f"{resource}_high_threshold"] = crm["high_threshold"]
        row[f"{resource}_low_threshold"] = crm["low_threshold"]
        row[f"{resource}_threshold_type"] = "percentage"
    return row


def ntp(config: DeviceConfig) -> View:
    """NTP and NTP_SERVER; empty where the intent names no server."""
    servers = config.services.ntp
    client = {"admin_state": "enabled", "src_intf": "eth0", "vrf": "default"}
    return {
        "NTP": {"global": client} if servers else {},
        "NTP_SERVER": {
            each: {"association_type": "server", "iburst": "on", "resolve_as": each}
            for each in servers
        },
    }


def syslog(config: DeviceConfig) -> View:
    """SYSLOG_SERVER."""
    port = defaults()["SYSLOG_SERVER|port"]
    return {"SYSLOG_SERVER": {each: {"port": port} for each in config.services.syslog}}


def lldp(config: DeviceConfig) -> View:
    """LLDP: how often the switch says who it is."""
    timers = defaults().row("LLDP")
    return {"LLDP": {"GLOBAL": {"enabled": "true", **timers}} if config.services.lldp else {}}
