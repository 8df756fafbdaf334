"""The databases behind CONFIG_DB: what daemons passed on, and what the chip was told (ASIC_DB).

They follow the running configuration as swss does, but for what a standing fault withholds:
`forgotten` rows never leave CONFIG_DB, `unprogrammed` ones reach APPL_DB and not the chip.
Names of objects and attributes: sonic-swss orchagent (bufferorch, qosorch, portsorch), SAI headers.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nettool.fleet.mock.fault import Act
    from nettool.fleet.mock.switch import MockSwitch

Hashes = dict[str, dict[str, str]]
SAI = "ASIC_STATE:SAI_OBJECT_TYPE_"
_PROFILE_FIELDS = {
    "size": "SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE",
    "xon": "SAI_BUFFER_PROFILE_ATTR_XON_TH",
    "xon_offset": "SAI_BUFFER_PROFILE_ATTR_XON_OFFSET_TH",
    "xoff": "SAI_BUFFER_PROFILE_ATTR_XOFF_TH",
    "dynamic_th": "SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH",
    "static_th": "SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH",
}
_WRED_FIELDS = {
    "wred_green_enable": "SAI_WRED_ATTR_GREEN_ENABLE",
    "green_min_threshold": "SAI_WRED_ATTR_GREEN_MIN_THRESHOLD",
    "green_max_threshold": "SAI_WRED_ATTR_GREEN_MAX_THRESHOLD",
    "green_drop_probability": "SAI_WRED_ATTR_GREEN_DROP_PROBABILITY",
}
_MARKING = {"ecn_all": "SAI_ECN_MARK_MODE_ALL", "ecn_green": "SAI_ECN_MARK_MODE_GREEN"}
NO_OBJECT = "oid:0x0"
EIGHT = range(8)


def database(switch: MockSwitch, name: str) -> Hashes | None:
    """All hashes of a database other than CONFIG_DB; None for one that does not exist."""
    view = _VIEWS.get(name)
    return None if view is None else view(switch)


def _appl(switch: MockSwitch) -> Hashes:
    found: Hashes = {}
    for table in ("PORT", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE", "BUFFER_POOL"):
        for key, row in _rows(switch, table, "forgotten"):
            found[f"{table}_TABLE:{key.replace('|', ':')}"] = {f: str(v) for f, v in row.items()}
    return found


def _state(switch: MockSwitch) -> Hashes:
    return {
        f"PORT_TABLE|{port}": {"state": "ok"}
        for port in switch.store.running.get("PORT", {})
        if switch.is_there(port)
    }


def _counters(switch: MockSwitch) -> Hashes:
    ports = [port for port in switch.store.running.get("PORT", {}) if switch.is_there(port)]
    return {
        "COUNTERS_PORT_NAME_MAP": {port: oid("port", port) for port in ports},
        "COUNTERS_PG_NAME_MAP": {f"{p}:{n}": oid("pg", f"{p}|{n}") for p in ports for n in EIGHT},
        "COUNTERS_QUEUE_NAME_MAP": {
            f"{p}:{n}": oid("queue", f"{p}|{n}") for p in ports for n in EIGHT
        },
    }


def _asic(switch: MockSwitch) -> Hashes:
    return dict(_objects(switch))


def _objects(switch: MockSwitch) -> Iterator[tuple[str, dict[str, str]]]:
    profiles = dict(_rows(switch, "BUFFER_PROFILE"))
    marking = dict(_rows(switch, "WRED_PROFILE"))
    for name, row in profiles.items():
        own = {attr: str(row[field]) for field, attr in _PROFILE_FIELDS.items() if field in row}
        yield f"{SAI}BUFFER_PROFILE:{oid('profile', name)}", own
    for name, row in marking.items():
        yield f"{SAI}WRED:{oid('wred', name)}", _wred(row)
    masks = {port: _mask(row) for port, row in _rows(switch, "PORT_QOS_MAP")}
    groups = _by_index(switch, "BUFFER_PG", "profile", profiles)
    queues = _by_index(switch, "QUEUE", "wred_profile", marking)
    for port in switch.store.running.get("PORT", {}):
        if not switch.is_there(port):
            continue
        mask = {"SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL": str(masks.get(port, 0))}
        yield f"{SAI}PORT:{oid('port', port)}", mask
        for index in EIGHT:
            place = f"{port}|{index}"
            held = groups.get(place)
            profile = oid("profile", held) if held else NO_OBJECT
            yield (
                f"{SAI}INGRESS_PRIORITY_GROUP:{oid('pg', place)}",
                {"SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE": profile},
            )
            marked = queues.get(place)
            wred = oid("wred", marked) if marked else NO_OBJECT
            yield f"{SAI}QUEUE:{oid('queue', place)}", {"SAI_QUEUE_ATTR_WRED_PROFILE_ID": wred}


def oid(kind: str, name: str) -> str:
    """An object's id: the same for the same thing."""
    return f"oid:0x{zlib.crc32(f'{kind} {name}'.encode()):013x}"


def _rows(
    switch: MockSwitch, table: str, *withheld: Act
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The rows of a table, without those a standing fault withholds (both kinds by default)."""
    kinds: tuple[Act, ...] = withheld or ("forgotten", "unprogrammed")
    faults = [each for kind in kinds for each in switch.faults.all_standing(kind)]
    for key, row in switch.store.running.get(table, {}).items():
        if not any(re.search(each.match, f"{table}|{key}") for each in faults):
            yield key, row


def _by_index(
    switch: MockSwitch, table: str, field: str, known: Mapping[str, Any]
) -> dict[str, str]:
    """What `field` names for each `port|n` of rows `port|n` or `port|n-m`, where it exists."""
    found = {}
    for key, row in _rows(switch, table):
        port, _, span = key.partition("|")
        first, _, last = span.partition("-")
        if row.get(field) in known and first.isdigit():
            for index in range(int(first), int(last or first) + 1):
                found[f"{port}|{index}"] = str(row[field])
    return found


def _mask(row: Mapping[str, Any]) -> int:
    return sum(1 << int(each) for each in str(row.get("pfc_enable", "")).split(",") if each)


def _wred(row: Mapping[str, Any]) -> dict[str, str]:
    own = {attr: str(row[field]) for field, attr in _WRED_FIELDS.items() if field in row}
    mode = _MARKING.get(str(row.get("ecn", "")), "SAI_ECN_MARK_MODE_NONE")
    return {"SAI_WRED_ATTR_GREEN_ENABLE": "false", **own, "SAI_WRED_ATTR_ECN_MARK_MODE": mode}


_VIEWS = {"APPL_DB": _appl, "STATE_DB": _state, "COUNTERS_DB": _counters, "ASIC_DB": _asic}
