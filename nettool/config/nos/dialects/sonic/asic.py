"""What the chip of a SONiC switch was told: ASIC_DB in CONFIG_DB's own words. No I/O.

Attributes: SAI headers, as sonic-swss orchagent (bufferorch, qosorch, portsorch) writes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Hashes = Mapping[str, Mapping[str, str]]
Programmed = dict[str, dict[str, dict[str, str]]]

OBJECTS = "sudo -n sonic-db-dump -n ASIC_DB -y -k 'ASIC_STATE:SAI_OBJECT_TYPE_[BIPQW]*'"
"""Ports, queues, priority groups, buffer profiles and WRED; no routes, which can be many."""
NAMES = "sudo -n sonic-db-dump -n COUNTERS_DB -y -k 'COUNTERS_[PQ]*_NAME_MAP'"

_TYPE = "ASIC_STATE:SAI_OBJECT_TYPE_"
_PROFILE = {
    "SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE": "size",
    "SAI_BUFFER_PROFILE_ATTR_XON_TH": "xon",
    "SAI_BUFFER_PROFILE_ATTR_XON_OFFSET_TH": "xon_offset",
    "SAI_BUFFER_PROFILE_ATTR_XOFF_TH": "xoff",
    "SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH": "dynamic_th",
}
_WRED = {
    "SAI_WRED_ATTR_GREEN_ENABLE": "wred_green_enable",
    "SAI_WRED_ATTR_GREEN_MIN_THRESHOLD": "green_min_threshold",
    "SAI_WRED_ATTR_GREEN_MAX_THRESHOLD": "green_max_threshold",
    "SAI_WRED_ATTR_GREEN_DROP_PROBABILITY": "green_drop_probability",
    "SAI_WRED_ATTR_ECN_MARK_MODE": "ecn",
}
_MODES = {"SAI_ECN_MARK_MODE_ALL": "ecn_all", "SAI_ECN_MARK_MODE_GREEN": "ecn_green"}


def hashes(text: str) -> dict[str, dict[str, str]]:
    """The hashes of a `sonic-db-dump`. Raises ValueError where it is no such dump."""
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("a dump is an object")
    return {key: dict(_value(key, entry)) for key, entry in data.items()}


def programmed(objects: Hashes, names: Hashes) -> Programmed:
    """What is in force on the chip.

    `pfc`: port to `priorities`; `group`: `port|n` to its buffer profile, where it has headroom;
    `queue`: `port|n` to its WRED profile, where it has one. Fields are named as in CONFIG_DB.
    Raises ValueError where objects have no names: the switch counts nothing for them then.
    """
    for kind in ("PORT", "PG", "QUEUE"):
        if not names.get(f"COUNTERS_{kind}_NAME_MAP"):
            raise ValueError(f"COUNTERS_DB has no COUNTERS_{kind}_NAME_MAP: are counters enabled?")
    by_id = {key.removeprefix(_TYPE).partition(":")[2]: row for key, row in objects.items()}
    return {
        "pfc": {
            port: {"priorities": _priorities(row)}
            for port, row in _found(names, "PORT", by_id)
            if "SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL" in row
        },
        "group": {
            place: held
            for place, row in _found(names, "PG", by_id)
            if "xoff" in (held := _held(row, "SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE",
                                        by_id, _PROFILE))
        },
        "queue": {
            place: held
            for place, row in _found(names, "QUEUE", by_id)
            if (held := _held(row, "SAI_QUEUE_ATTR_WRED_PROFILE_ID", by_id, _WRED))
        },
    }  # fmt: skip


def _value(key: str, entry: Any) -> Mapping[str, str]:
    value = entry.get("value") if isinstance(entry, dict) else None
    if not isinstance(value, dict):
        raise ValueError(f"{key} is no hash")
    return value


def _found(names: Hashes, kind: str, by_id: Hashes) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Place (`port`, or `port|n`) and object of everything a name map names."""
    for name, oid in names.get(f"COUNTERS_{kind}_NAME_MAP", {}).items():
        if oid in by_id:
            yield name.replace(":", "|"), by_id[oid]


def _held(
    row: Mapping[str, str], attribute: str, by_id: Hashes, fields: Mapping[str, str]
) -> dict[str, str]:
    other = by_id.get(row.get(attribute, ""), {})
    found = {field: other[name] for name, field in fields.items() if name in other}
    if "ecn" in found:
        found["ecn"] = _MODES.get(found["ecn"], "ecn_none")
    return found


def _priorities(row: Mapping[str, str]) -> str:
    mask = int(row["SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL"])
    return ",".join(str(n) for n in range(8) if mask >> n & 1)
