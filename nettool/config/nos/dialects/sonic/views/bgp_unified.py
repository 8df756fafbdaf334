"""BGP in the form that frrcfgd reads: globals, peer group, neighbors, address families."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from nettool.config.device.device import DeviceConfig
from nettool.config.device.features.routing import Bgp
from nettool.config.nos.dialects.sonic.release import View, defaults
from nettool.config.nos.dialects.sonic.views.bgp import ends, peer_asn
from nettool.core.order import natural
from nettool.core.provenance import Traced

VRF = "default"
GROUP = "FABRIC"
POLICY = "PERMIT_ALL"
"""FRR's traditional profile announces nothing to an external peer without a policy
(RFC 8212), and the unified form has no field that turns this off."""

Rows = dict[str, dict[str, object]]
_TABLES = (
    "BGP_GLOBALS", "BGP_GLOBALS_AF", "BGP_GLOBALS_AF_NETWORK", "BGP_NEIGHBOR", "BGP_NEIGHBOR_AF",
    "BGP_PEER_GROUP", "BGP_PEER_GROUP_AF", "ROUTE_MAP", "ROUTE_MAP_SET",
)  # fmt: skip


def bgp_unified(config: DeviceConfig) -> View:
    """A session a link: by address where it is numbered, by port where it is not."""
    speaker = config.routing
    if speaker is None or speaker.manager != "frrcfgd":
        return {table: {} for table in _TABLES}
    ordered = _sorted(dict(_neighbors(config, speaker)))
    families = _families(config)
    timers = {name: defaults()[f"BGP_NEIGHBOR|{name}"] for name in ("holdtime", "keepalive")}
    policy = {"admin_status": "up", "route_map_in": [POLICY], "route_map_out": [POLICY]}
    return {
        "BGP_GLOBALS": {VRF: _globals(config, speaker)},
        "BGP_GLOBALS_AF": {
            f"{VRF}|{af}": {"max_ebgp_paths": speaker.paths.text} for af in families
        },
        "BGP_GLOBALS_AF_NETWORK": _sorted(dict(_networks(config))),
        "BGP_NEIGHBOR": ordered,
        "BGP_NEIGHBOR_AF": _neighbor_families(ordered, families),
        "BGP_PEER_GROUP": {f"{VRF}|{GROUP}": timers},
        "BGP_PEER_GROUP_AF": {f"{VRF}|{GROUP}|{af}": policy for af in families},
        "ROUTE_MAP": {
            f"{POLICY}|{defaults()['ROUTE_MAP|stmt_name']}": {"route_operation": "permit"}
        },
        "ROUTE_MAP_SET": {POLICY: {}},
    }


def _sorted(rows: Rows) -> Rows:
    return {key: rows[key] for key in sorted(rows, key=natural)}


def _families(config: DeviceConfig) -> tuple[str, ...]:
    return ("ipv4_unicast", "ipv6_unicast") if config.loopback.address6 else ("ipv4_unicast",)


def _globals(config: DeviceConfig, speaker: Bgp) -> dict[str, object]:
    return {
        "default_ipv4_unicast": "false",
        "load_balance_mp_relax": "true",
        "local_asn": speaker.asn.text,
        "log_nbr_state_changes": "true",
        "router_id": config.loopback.address,
    }


def _neighbors(config: DeviceConfig, speaker: Bgp) -> Iterator[tuple[str, dict[str, object]]]:
    why = config.interfaces.why
    for port, faced in speaker.sessions:
        row = {"name": faced.device, "peer_group_name": GROUP}
        if speaker.unnumbered:
            yield (
                f"{VRF}|{port}",
                {**row, "asn": None, "capability_ext_nexthop": "true", "local_addr": None,
                 "peer_type": "external"},
            )  # fmt: skip
            continue
        for mine, theirs in ends(faced):
            yield (
                Traced.of(f"{VRF}|{theirs}", why),
                {**row, "asn": peer_asn(speaker, faced), "capability_ext_nexthop": None,
                 "local_addr": Traced.of(mine, why), "peer_type": None},
            )  # fmt: skip


def _neighbor_families(neighbors: Rows, families: tuple[str, ...]) -> Rows:
    """A numbered session carries its own family, an unnumbered one carries all."""
    rows: Rows = {}
    for key, row in neighbors.items():
        own = "ipv6_unicast" if ":" in key else "ipv4_unicast"
        for family in families if row["peer_type"] else (own,):
            why = getattr(key, "why", None)
            name = f"{key}|{family}"
            rows[Traced.of(name, why) if why else name] = {"admin_status": "up"}
    return rows


def _networks(config: DeviceConfig) -> Iterator[tuple[str, dict[str, object]]]:
    """What is announced: the loopback and the gateways' subnets."""
    given = config.loopback
    announced = [(f"{given.address}/32", given.address.why)]
    if given.address6:
        announced.append((f"{given.address6}/128", given.address6.why))
    announced += [
        (str(ipaddress.ip_interface(address).network), gateway.why)
        for gateway in config.interfaces.gateways
        for address in filter(None, (gateway.address, gateway.address6))
    ]
    for prefix, why in announced:
        family = "ipv6_unicast" if ":" in prefix else "ipv4_unicast"
        yield Traced.of(f"{VRF}|{family}|{prefix}", why), {}
