"""BGP of a device as its CONFIG_DB has it, whichever of the two table forms it uses.

`docker_routing_config_mode` and `frr_mgmt_framework_config` decide who writes the FRR
configuration: bgpcfgd (rows keyed by the neighbour alone) or frrcfgd (`vrf|neighbour`, with
BGP_GLOBALS). Source: sonic-buildimage 086b03bd dockers/docker-fpm-frr docker_init.sh.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from nettool.config.validate.addresses import number_of_address
from nettool.config.validate.spelling import number_of
from nettool.config.validate.tables import Config, Row, Table

_TEMPLATE_PATHS = 514
"""maximum-paths of the templates (sonic-buildimage 086b03bd constants.yml.j2)."""


class Mode(StrEnum):
    """Who writes the FRR configuration: bgpcfgd, frrcfgd, or the operator."""

    BGPCFGD = "bgpcfgd"
    FRRCFGD = "frrcfgd"
    OPERATOR = "operator"


class Neighbor(NamedTuple):
    """One neighbour row. `peer` is as written; `number` its address, None for an interface."""

    key: str
    vrf: str
    peer: str
    number: tuple[int, int] | None
    row: Row

    @property
    def is_down(self) -> bool:
        """True where the session is shut."""
        return self.row.get("admin_status") in {"down", "false"}

    @property
    def local(self) -> tuple[int, int] | None:
        """The address of this end; None where it is left to the switch."""
        text = self.row.get("local_addr")
        return number_of_address(text) if isinstance(text, str) else None


def mode_of(config: Config) -> Mode:
    """Who writes the FRR configuration of the device."""
    row = config.metadata
    named = row.get("docker_routing_config_mode", "separated")
    if named in {"split", "split-unified"}:
        return Mode.OPERATOR
    if named == "unified" or row.get("frr_mgmt_framework_config") == "true":
        return Mode.FRRCFGD
    return Mode.BGPCFGD


def neighbors(config: Config) -> tuple[Neighbor, ...]:
    """Every neighbour row of the device."""
    if "BGP_NEIGHBOR" not in config:
        return ()
    return config.table("BGP_NEIGHBOR").once("neighbors", _neighbors)


def own_asn(config: Config, vrf: str = "default") -> int | None:
    """The device's AS number in a VRF; None where it is not set."""
    if mode_of(config) is Mode.FRRCFGD:
        return number_of(config.row("BGP_GLOBALS", vrf).get("local_asn"))
    return number_of(config.metadata.get("bgp_asn"))


def peer_asn(config: Config, neighbor: Neighbor, own: int | None) -> int | str | None:
    """The AS number expected of a neighbour, or `internal` / `external`; None where unset."""
    row: Mapping[str, object] = neighbor.row
    if "asn" not in row and "peer_type" not in row:
        row = config.row("BGP_PEER_GROUP", f"{neighbor.vrf}|{row.get('peer_group_name')}")
    text = row.get("asn", row.get("peer_type"))
    if text == "internal":
        return own
    return str(text) if text == "external" else number_of(text)


def agrees(expected: int | str | None, found: int | None, own: int | None) -> bool:
    """True where the AS number that a session expects is the one of the other end."""
    if expected == "external":
        return found != own
    return expected == found


def is_shut(config: Config, neighbor: Neighbor) -> bool:
    """True where a session is shut by its row, or by default_bgp_status where bgpcfgd runs."""
    if neighbor.is_down or "admin_status" in neighbor.row:
        return neighbor.is_down
    by_default = config.metadata.get("default_bgp_status") == "down"
    return by_default and mode_of(config) is Mode.BGPCFGD


def own_as_allowed(config: Config) -> int:
    """How often the device's own AS number may stand in a route that it takes.

    The templates of bgpcfgd allow it once on a ToRRouter, and on a LeafRouter with BGP_BBR.
    """
    if mode_of(config) is Mode.FRRCFGD:
        rows = [
            *config.rows("BGP_NEIGHBOR_AF").values(),
            *config.rows("BGP_PEER_GROUP_AF").values(),
        ]
        allowed = [row for row in rows if row.get("allow_as_in") == "true"]
        return max((number_of(row.get("allow_as_count")) or 3 for row in allowed), default=0)
    kind = config.metadata.get("type")
    widened = config.row("BGP_BBR", "all").get("status") == "enabled"
    return int(kind == "ToRRouter" or (kind == "LeafRouter" and widened))


def most_paths(config: Config) -> int:
    """The most equal-cost paths that the device uses in VRF default."""
    if mode_of(config) is not Mode.FRRCFGD:
        return _TEMPLATE_PATHS
    rows = config.rows("BGP_GLOBALS_AF")
    given = [row.get("max_ebgp_paths", "1") for key, row in rows.items() if "default|ipv" in key]
    return max((number_of(each) or 1 for each in given), default=1)


def relaxes_paths(config: Config) -> bool:
    """True where routes over different AS numbers share traffic (multipath-relax)."""
    if mode_of(config) is not Mode.FRRCFGD:
        return True
    return config.row("BGP_GLOBALS", "default").get("load_balance_mp_relax") == "true"


def _neighbors(table: Table) -> tuple[Neighbor, ...]:
    return tuple(_rows(table))


def _rows(table: Table) -> Iterator[Neighbor]:
    for key, row in table.rows.items():
        vrf, bar, peer = key.rpartition("|")
        yield Neighbor(key, vrf if bar else "default", peer, number_of_address(peer), row)
