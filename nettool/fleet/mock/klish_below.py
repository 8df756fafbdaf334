"""The CONFIG_DB below a mock AsterNOS switch's lines: what they set, as SONiC would hold it.

Assumed, since no public page shows AsterNOS's tables: ports pause the priorities that are in force
(3 and 4 unless `no` says otherwise: vendor's page on PFC) and take a default lossless profile,
whose figures are the mock's own; addresses, VLAN members, `shutdown` and BGP neighbours become the
rows that SONiC has for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nettool.fleet.mock.klish_config import View
    from nettool.fleet.mock.spec import ConfigDb

Row = tuple[str, str, dict[str, str]]
POOL, PROFILE = "ingress_lossless_pool", "default_lossless_profile"
_TABLES = {"ethernet": "INTERFACE", "vlan": "VLAN_INTERFACE", "loopback": "LOOPBACK_INTERFACE"}
_NAMES = {"ethernet": "Ethernet", "vlan": "Vlan", "loopback": "Loopback"}
_INTERFACE = re.compile(r"interface (ethernet|vlan|loopback) (?:0/)?(\d+)")
_ADDRESS = re.compile(r"ip(?:v6)? address (\S+/\d+)")
_NEIGHBOR = re.compile(r"neighbor (\S+) remote-as (\d+)")
_MEMBER = re.compile(r"switchport access vlan (\d+)")


def rows_below(views: Mapping[View, Sequence[str]], ports: Sequence[str]) -> ConfigDb:
    """The rows that these lines stand for, on a switch with these ports."""
    made: ConfigDb = {}
    for table, key, row in (*_pause(views.get((), ()), ports), *_lines(views)):
        made.setdefault(table, {}).setdefault(key, {}).update(row)
    return made


def _pause(lines: Sequence[str], ports: Sequence[str]) -> Iterator[Row]:
    on = [str(n) for n in range(8) if _is_on(n, lines)]
    if not on:
        return
    yield "BUFFER_POOL", POOL, {"type": "ingress", "mode": "dynamic", "size": "20000000"}
    profile = {"pool": POOL, "size": "1518", "xon": "0", "xoff": "100000", "dynamic_th": "0"}
    yield "BUFFER_PROFILE", PROFILE, profile
    for port in ports:
        yield "PORT_QOS_MAP", port, {"pfc_enable": ",".join(on)}
        for priority in on:
            yield "BUFFER_PG", f"{port}|{priority}", {"profile": PROFILE}


def _is_on(priority: int, lines: Sequence[str]) -> bool:
    line = f"priority-flow-control enable {priority}"
    return f"no {line}" not in lines and (priority in {3, 4} or line in lines)


def _lines(views: Mapping[View, Sequence[str]]) -> Iterator[Row]:
    for view, lines in views.items():
        top = view[0] if view else ""
        if interface := _INTERFACE.fullmatch(top):
            for line in lines:
                yield from _interface(interface[1], interface[2], line)
        elif top.startswith("router bgp "):
            yield "DEVICE_METADATA", "localhost", {"bgp_asn": top.split()[2]}
            yield from _neighbors(lines)


def _interface(kind: str, number: str, line: str) -> Iterator[Row]:
    name = f"{_NAMES[kind]}{number}"
    if address := _ADDRESS.fullmatch(line):
        yield _TABLES[kind], f"{name}|{address[1]}", {}
    elif member := _MEMBER.fullmatch(line):
        yield "VLAN_MEMBER", f"Vlan{member[1]}|{name}", {"tagging_mode": "untagged"}
    elif line == "shutdown" and kind == "ethernet":
        yield "PORT", name, {"admin_status": "down"}


def _neighbors(lines: Sequence[str]) -> Iterator[Row]:
    for line in lines:
        if neighbor := _NEIGHBOR.fullmatch(line):
            yield "BGP_NEIGHBOR", neighbor[1], {"asn": neighbor[2]}
