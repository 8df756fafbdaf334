"""BGP of one device: its tables against the daemon that reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nettool.config.validate.addresses import INTERFACE_TABLES, host_numbers, number_of_address
from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.sessions import Mode, mode_of, neighbors, own_asn
from nettool.config.validate.spelling import number_of
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

_FRR = "sonic-buildimage 086b03bd dockers/docker-fpm-frr"
_MODELS = "sonic-buildimage 086b03bd sonic-bgp-neighbor.yang, sonic-bgp-global.yang"
_WAITED_FOR = {"tsa_enabled": "", "idf_isolation_state": "202405"}
"""Fields that bgpcfgd waits for, and the first branch that does."""
_FRRCFGD_ONLY = ("BGP_GLOBALS", "BGP_GLOBALS_AF", "BGP_NEIGHBOR_AF", "BGP_PEER_GROUP",
                 "BGP_PEER_GROUP_AF", "BGP_GLOBALS_AF_NETWORK")  # fmt: skip


@device_rule(
    "BGP001",
    "neighbours are keyed for another routing mode",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR"),
    why="bgpcfgd (docker_routing_config_mode separated) reads neighbours keyed by an address, "
    "frrcfgd (unified, or frr_mgmt_framework_config true) those keyed by vrf|neighbour. Rows of "
    "the other form are ignored, so the session never starts.",
    fix="Use the key form of the mode, or set the mode that the keys are for.",
    source=f"{_FRR}; sonic-net/sonic-buildimage#26960",
)
def neighbor_keys_fit_the_mode(config: Config, _context: Context) -> Iterator[Fault]:
    """Neighbour keys that the daemon of this mode does not read."""
    mode = mode_of(config)
    for each in neighbors(config) if config.metadata else ():
        hint = None
        if mode is Mode.FRRCFGD and "|" not in each.key:
            message = f"{each.key} has no VRF, and frrcfgd reads vrf|neighbour"
            hint = f"key default|{each.key}"
        elif mode is Mode.BGPCFGD and "|" in each.key:
            message = f"{each.key} has a VRF, and bgpcfgd reads the neighbour's address alone"
            hint = f'key {each.peer}, or frr_mgmt_framework_config "true" and BGP_GLOBALS|default'
        elif mode is Mode.BGPCFGD and each.number is None:
            message = f"{each.key} is no address: bgpcfgd has no neighbours by interface name"
            hint = (
                'unnumbered: frr_mgmt_framework_config "true", BGP_GLOBALS|default, key '
                f"default|{each.key} with peer_type, INTERFACE|{each.key} ipv6_use_link_local_only "
                '"enable"; or a numbered peer'
            )
        else:
            continue
        yield Fault("BGP_NEIGHBOR", each.key, None, message, hint)


@device_rule(
    "BGP002",
    "a VRF has neighbours and no BGP_GLOBALS row",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR", "BGP_GLOBALS"),
    why="frrcfgd starts `router bgp` from BGP_GLOBALS with its local_asn; without it every "
    "neighbour of the VRF is refused.",
    fix="Add BGP_GLOBALS|<vrf> with local_asn.",
    source=f"{_MODELS} (leafref)",
)
def globals_are_there(config: Config, _context: Context) -> Iterator[Fault]:
    """VRFs of neighbours without BGP_GLOBALS, or without an AS number."""
    if mode_of(config) is not Mode.FRRCFGD:
        return
    first = {each.vrf: each.key for each in reversed(neighbors(config)) if "|" in each.key}
    for vrf, key in first.items():
        if vrf not in config.rows("BGP_GLOBALS"):
            message = f"{key} is in VRF {vrf}, and there is no BGP_GLOBALS|{vrf}"
            yield Fault("BGP_NEIGHBOR", key, None, message, f"add BGP_GLOBALS|{vrf} with local_asn")
        elif own_asn(config, vrf) is None:
            yield Fault("BGP_GLOBALS", vrf, "local_asn", f"BGP_GLOBALS|{vrf} has no local_asn")


@device_rule(
    "BGP003",
    "fewer ECMP paths than neighbours",
    Severity.WARNING,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR", "BGP_PEER_GROUP", "BGP_GLOBALS", "BGP_GLOBALS_AF"),
    why="max_ebgp_paths is 1 unless it is set: all traffic then takes one of the uplinks.",
    fix="Set max_ebgp_paths in BGP_GLOBALS_AF to at least the number of equal uplinks.",
    source=_MODELS,
)
def paths_are_enough(config: Config, _context: Context) -> Iterator[Fault]:
    """A VRF whose neighbours of one AS are more than max_ebgp_paths."""
    if mode_of(config) is not Mode.FRRCFGD:
        return
    alike = Counter((each.vrf, each.row.get("asn", each.row.get("peer_group_name")))
                    for each in neighbors(config) if not each.is_down)  # fmt: skip
    widest: dict[str, int] = {}
    for (vrf, _), count in alike.items():
        widest[vrf] = max(widest.get(vrf, 0), count)
    for vrf, count in widest.items():
        keys = [key for key in config.rows("BGP_GLOBALS_AF") if key.startswith(f"{vrf}|ipv")]
        for key in keys or [f"{vrf}|ipv4_unicast"]:
            paths = number_of(config.row("BGP_GLOBALS_AF", key).get("max_ebgp_paths", "1"))
            if paths is not None and paths < count:
                message = f"max_ebgp_paths is {paths} for {count} neighbours alike in {vrf}"
                yield Fault("BGP_GLOBALS_AF", key, "max_ebgp_paths", message, f'set "{count}"')


@device_rule(
    "BGP004",
    "a neighbour without a local address of this device",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR", *INTERFACE_TABLES),
    why="bgpcfgd holds a neighbour back until its local_addr is an address of an interface: the "
    "session never starts and no message says why.",
    fix="Set local_addr to this end's address of the link.",
    source=f"{_FRR}; sonic-buildimage 086b03bd src/sonic-bgpcfgd managers_bgp.py",
)
def local_address_is_own(config: Config, _context: Context) -> Iterator[Fault]:
    """local_addr that is missing, or on no interface; needs the interface tables in the file."""
    is_told = config.metadata and any(each in config for each in INTERFACE_TABLES)
    if mode_of(config) is not Mode.BGPCFGD or not is_told:
        return
    own = host_numbers(config)
    for each in neighbors(config):
        if each.number is None or "|" in each.key:
            continue
        local = each.row.get("local_addr")
        if local is None:
            yield Fault("BGP_NEIGHBOR", each.key, "local_addr", f"{each.key} has no local_addr")
        elif (number := number_of_address(local)) is not None and number not in own:
            message = f"local_addr {local} of {each.key} is on no interface of this device"
            yield Fault("BGP_NEIGHBOR", each.key, "local_addr", message)


@device_rule(
    "BGP005",
    "BGP_DEVICE_GLOBAL|STATE is not whole",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "BGP_DEVICE_GLOBAL", "VERSIONS"),
    why="bgpcfgd waits for tsa_enabled, and from 202405 on for idf_isolation_state; while one is "
    "missing, no neighbour is configured.",
    fix='Write tsa_enabled "false" and idf_isolation_state "unisolated", as init_cfg.json does.',
    source="sonic-buildimage 086b03bd src/sonic-bgpcfgd managers_bgp.py; files/build_templates "
    "init_cfg.json.j2",
)
def device_state_is_whole(config: Config, context: Context) -> Iterator[Fault]:
    """The row STATE without a field that bgpcfgd needs. No table at all is supplied at boot."""
    if mode_of(config) is not Mode.BGPCFGD or not config.row("BGP_DEVICE_GLOBAL", "STATE"):
        return
    row = config.row("BGP_DEVICE_GLOBAL", "STATE")
    branch = context.branch_of(config)
    for name, since in _WAITED_FOR.items():
        if name not in row and (not branch or branch >= since):
            yield Fault(
                "BGP_DEVICE_GLOBAL", "STATE", name, f"BGP_DEVICE_GLOBAL|STATE has no {name}"
            )


@device_rule(
    "BGP006",
    "a routing table that nobody reads in this mode",
    Severity.WARNING,
    reads=("DEVICE_METADATA", *_FRRCFGD_ONLY, "BGP_NEIGHBOR"),
    why="Only one of bgpcfgd and frrcfgd runs; the other's tables are ignored in silence.",
    fix="Move the settings to the tables of the mode, or change the mode.",
    source=_FRR,
)
def tables_fit_the_mode(config: Config, _context: Context) -> Iterator[Fault]:
    """Tables of frrcfgd under bgpcfgd; any BGP table where the operator keeps FRR's files."""
    mode = mode_of(config)
    if not config.metadata or mode is Mode.FRRCFGD:
        return
    unread = _FRRCFGD_ONLY if mode is Mode.BGPCFGD else (*_FRRCFGD_ONLY, "BGP_NEIGHBOR")
    for table in unread:
        if table in config:
            named = config.metadata.get("docker_routing_config_mode", "separated")
            message = f"{table} is not read with docker_routing_config_mode {named}"
            yield Fault(table, None, None, message)


@device_rule(
    "BGP007",
    "neighbours without an AS number of the device's own",
    Severity.ERROR,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR"),
    why="bgpcfgd starts `router bgp` with bgp_asn; without it there is no BGP.",
    fix="Set bgp_asn in DEVICE_METADATA|localhost.",
    source=_FRR,
)
def own_number_is_set(config: Config, _context: Context) -> Iterator[Fault]:
    """DEVICE_METADATA without bgp_asn where there are neighbours."""
    if mode_of(config) is not Mode.BGPCFGD or not config.metadata:
        return
    if neighbors(config) and "bgp_asn" not in config.metadata:
        message = f"there are {len(neighbors(config))} neighbours and no bgp_asn"
        yield Fault("DEVICE_METADATA", "localhost", "bgp_asn", message)
