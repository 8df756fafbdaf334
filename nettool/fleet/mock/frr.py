"""What bgpd of a mock switch runs, which is not what CONFIG_DB says until somebody tells it.

At its start the bgp container renders FRR's configuration; after that bgpcfgd or frrcfgd carries
over what it knows how to. Sources, sonic-buildimage: src/sonic-bgpcfgd managers_bgp.py (a row that
is there already: admin_status alone; every command opens with `router bgp <bgp_asn>`, which bgpd
refuses where it runs another AS), src/sonic-frr-mgmt-framework frrcfgd.py (rows keyed by vrf; the
AS number is never modified), dockers/docker-fpm-frr (who runs is chosen at the start).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from ipaddress import ip_interface
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nettool.fleet.mock.spec import ConfigDb

ADDRESS_TABLES = ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "LOOPBACK_INTERFACE")
_Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Peer:
    """A neighbour in bgpd; AS 0 is any other AS. `source` is the own address, where it is bound."""

    remote_as: int
    is_shut: bool
    name: str
    source: str | None


class Frr:
    """bgpd and the daemon that feeds it. `always` takes every change, as lines of a shell do."""

    def __init__(self, *, always: bool = False) -> None:
        self.asn = 0
        self.router_id = "0.0.0.0"  # noqa: S104  # what FRR prints without one
        self.peers: dict[str, Peer] = {}
        self._always = always
        self._framework = False
        self._told_asn = 0
        self._known: set[str] = set()
        self._waiting: dict[str, _Row] = {}

    def start(self, config: ConfigDb) -> None:
        """The bgp container starts: all of it is read."""
        metadata = _metadata(config)
        self._framework = metadata.get("frr_mgmt_framework_config") == "true"
        self.peers, self._known, self._waiting = {}, set(), {}
        self._told_asn = _number(metadata.get("bgp_asn"))
        self.asn = self._told_asn
        if self._framework or self._always:
            self.asn = _number(_globals(config).get("local_asn")) or (
                self._told_asn if self._always else 0
            )
        self.router_id = _router_id(config)
        for key, row in config.get("BGP_NEIGHBOR", {}).items():
            self._set(key, row, config)

    def follow(self, old: ConfigDb, new: ConfigDb) -> None:
        """CONFIG_DB has changed while the container runs."""
        if self._always:
            self.start(new)
            return
        self._told_asn = _number(_metadata(new).get("bgp_asn"))
        if self._framework:
            self._follow_globals(_globals(old), _globals(new))
        had, has = old.get("BGP_NEIGHBOR", {}), new.get("BGP_NEIGHBOR", {})
        for key in [key for key in had if key not in has]:
            self._delete(key)
        for key, row in has.items():
            if had.get(key) != row or key in self._waiting:
                self._set(key, row, new)

    def _follow_globals(self, had: _Row, has: _Row) -> None:
        """frrcfgd: without an AS number the instance goes; another one is not taken."""
        if had.get("local_asn") and not has.get("local_asn"):
            self.asn, self.peers = 0, {}
        elif not had.get("local_asn"):
            self.asn = _number(has.get("local_asn"))

    def _delete(self, key: str) -> None:
        self._waiting.pop(key, None)
        self._known.discard(key)
        if self._is_heard():
            self.peers.pop(_neighbor(key), None)

    def _set(self, key: str, row: _Row, config: ConfigDb) -> None:
        if self._always or self._framework:
            if self.asn and ("|" in key or self._always):
                self.peers[_neighbor(key)] = _peer(key, row, config, bound=True)
        elif key in self._known:
            self._update(key, row)
        else:
            self._add(key, row, config)

    def _add(self, key: str, row: _Row, config: ConfigDb) -> None:
        """bgpcfgd: a new neighbour waits for its AS number and for the address it is reached by."""
        here = {address.partition("/")[0] for _, address in interface_addresses(config)}
        local = row.get("local_addr")
        if not self._told_asn or not (local is None or local in here):
            self._waiting[key] = row
            return
        self._waiting.pop(key, None)
        self._known.add(key)
        if self._is_heard() and _is_address(_neighbor(key)):
            self.asn = self._told_asn
            self.peers[_neighbor(key)] = _peer(key, row, config, bound=False)

    def _update(self, key: str, row: _Row) -> None:
        peer = self.peers.get(_neighbor(key))
        if peer is not None and "admin_status" in row and self._is_heard():
            is_shut = row["admin_status"] == "down"
            self.peers[_neighbor(key)] = replace(peer, is_shut=is_shut)

    def _is_heard(self) -> bool:
        """Whether bgpd takes a command: it names the AS number that runs, or none runs."""
        return self._framework or self.asn in {0, self._told_asn}


def interface_addresses(config: ConfigDb) -> Iterator[tuple[str, str]]:
    """Interface and address with its length, of every table that has such."""
    for table in ADDRESS_TABLES:
        for key in config.get(table, {}):
            name, _, address = key.partition("|")
            if address:
                yield name, address


def _peer(key: str, row: _Row, config: ConfigDb, *, bound: bool) -> Peer:
    text, group = row.get("asn"), row.get("peer_group_name")
    if text is None and group is not None:
        vrf = key.split("|", maxsplit=1)[0]
        text = config.get("BGP_PEER_GROUP", {}).get(f"{vrf}|{group}", {}).get("asn")
    status = row.get("admin_status", _metadata(config).get("default_bgp_status"))
    source = row.get("local_addr") if bound else None
    return Peer(_number(text), status == "down", str(row.get("name", "")), source)


def _neighbor(key: str) -> str:
    return key.rpartition("|")[2]


def _metadata(config: ConfigDb) -> _Row:
    row: _Row = config.get("DEVICE_METADATA", {}).get("localhost", {})
    return row


def _globals(config: ConfigDb) -> _Row:
    row: _Row = config.get("BGP_GLOBALS", {}).get("default", {})
    return row


def _router_id(config: ConfigDb) -> str:
    """Configured, else Loopback0's IPv4 address."""
    given = _globals(config).get("router_id") or _metadata(config).get("bgp_router_id")
    if given:
        return str(given)
    own = (key.partition("|") for key in config.get("LOOPBACK_INTERFACE", {}))
    found = [address for name, _, address in own if name == "Loopback0" and "." in address]
    return found[0].partition("/")[0] if found else "0.0.0.0"  # noqa: S104  # what FRR prints


def _is_address(text: str) -> bool:
    try:
        ip_interface(text)
    except ValueError:
        return False
    return True


def _number(text: object) -> int:
    return int(str(text)) if str(text).isdecimal() else 0
