"""What a port's QoS rows amount to: its maps, its PFC priorities, and which PGs are lossless."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nettool.config.validate.spelling import digits, number_of, unbracketed
from nettool.config.validate.tables import Config, Row

TC_TO_PG = "TC_TO_PRIORITY_GROUP_MAP"
TC_TO_QUEUE = "TC_TO_QUEUE_MAP"
PFC_TO_QUEUE = "MAP_PFC_PRIORITY_TO_QUEUE"
DSCP_TO_TC = "DSCP_TO_TC_MAP"


@dataclass(frozen=True, slots=True)
class PortQos:
    """One row of PORT_QOS_MAP. `pfc` are the priorities of pfc_enable, empty where not a list."""

    port: str
    row: Row
    pfc: tuple[int, ...]


def ports_qos(config: Config) -> Iterator[PortQos]:
    """The rows of PORT_QOS_MAP that are for ports."""
    for port, row in config.rows("PORT_QOS_MAP").items():
        if port != "global":
            text = row.get("pfc_enable", "")
            yield PortQos(port, row, digits(text) if isinstance(text, str) else ())


def name_in(row: Row, field: str) -> str | None:
    """The name a row refers to, with the brackets of old releases taken off."""
    value = row.get(field)
    if not isinstance(value, str):
        return None
    old = unbracketed(value)
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
    found: set[int] = set()
    for index, key in config.table("BUFFER_PG").by_index.get(port, {}).items():
        profile = profile_of(config, "BUFFER_PG", port, index)
        named = config.row("BUFFER_PG", key).get("profile")
        if (profile is not None and is_lossless(profile)) or named == "NULL":
            found.add(index)
    return frozenset(found)


def pool_of(config: Config, profile: Row) -> Row:
    """The pool of a profile; empty where it is unknown."""
    return config.row("BUFFER_POOL", name_in(profile, "pool") or "")
