"""What a port's QoS rows amount to: its maps, its PFC priorities, and which PGs are lossless."""

from __future__ import annotations

from typing import NamedTuple

from nettool.config.validate.spelling import digits, number_of, unbracketed
from nettool.config.validate.tables import Config, Row, Table

TC_TO_PG = "TC_TO_PRIORITY_GROUP_MAP"
TC_TO_QUEUE = "TC_TO_QUEUE_MAP"
PFC_TO_QUEUE = "MAP_PFC_PRIORITY_TO_QUEUE"
DSCP_TO_TC = "DSCP_TO_TC_MAP"
_NONE: frozenset[int] = frozenset()


class PortQos(NamedTuple):
    """One row of PORT_QOS_MAP. `pfc` are the priorities of pfc_enable, empty where not a list."""

    port: str
    row: Row
    pfc: tuple[int, ...]


def ports_qos(config: Config) -> tuple[PortQos, ...]:
    """The rows of PORT_QOS_MAP that are for ports."""
    return config.table("PORT_QOS_MAP").once("ports_qos", _ports_qos)


def _ports_qos(table: Table) -> tuple[PortQos, ...]:
    texts = ((port, row, row.get("pfc_enable", "")) for port, row in table.rows.items())
    return tuple(
        PortQos(port, row, digits(text) if isinstance(text, str) else ())
        for port, row, text in texts
        if port != "global"
    )


def name_in(row: Row, field: str) -> str | None:
    """The name a row refers to, with the brackets of old releases taken off."""
    value = row.get(field)
    if not isinstance(value, str):
        return None
    old = unbracketed(value) if value.startswith("[") else None
    return old[1] if old else value


def mapped(config: Config, table: str, name: str | None, index: int) -> int | None:
    """Where a map leads an index to; None where it does not say."""
    return number_of(config.row(table, name or "").get(str(index)))


def profile_of(config: Config, table: str, port: str, index: int) -> Row | None:
    """The buffer profile of one PG or queue of a port; None without a row or a known profile."""
    key = config.table(table).by_index.get(port, {}).get(index)
    if key is None:
        return None
    return config.rows("BUFFER_PROFILE").get(name_in(config.row(table, key), "profile") or "")


def is_lossless(profile: Row) -> bool:
    """True for a profile that holds headroom."""
    return "xoff" in profile or profile.get("headroom_type") == "dynamic"


def lossless_groups(config: Config, port: str) -> frozenset[int]:
    """The PGs of a port that hold headroom; `NULL` is a profile that the switch computes."""
    profiles = config.table("BUFFER_PROFILE")
    found = config.table("BUFFER_PG").once_with(profiles, "lossless_groups", _lossless_groups)
    return found.get(port, _NONE)


def _lossless_groups(groups: Table, profiles: Table) -> dict[str, frozenset[int]]:
    holding = {name for name, row in profiles.rows.items() if is_lossless(row)} | {"NULL"}
    lossless = {key for key, row in groups.rows.items() if name_in(row, "profile") in holding}
    return {
        port: frozenset(index for index, key in keys.items() if key in lossless)
        for port, keys in groups.by_index.items()
    }


def pool_of(config: Config, profile: Row) -> Row:
    """The pool of a profile; empty where it is unknown."""
    return config.row("BUFFER_POOL", name_in(profile, "pool") or "")
