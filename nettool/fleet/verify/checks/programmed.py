"""The chip was told what the configuration says of pause, headroom and marking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.config.diff.meaning import spelled
from nettool.config.nos.artifact import Tables
from nettool.core.finding import Finding
from nettool.core.order import natural
from nettool.fleet.verify.check import CHECKS, wrong
from nettool.fleet.verify.lossless_set import lossless_places
from nettool.fleet.verify.observed import Seen

_HINT = "the chip or a daemon refused it: see the switch's syslog for this object"


@CHECKS.add("programmed")
def programmed(seen: Seen) -> Iterator[Finding]:
    """A finding for each lossless port, group or queue whose object in ASIC_DB says otherwise.

    The running configuration is the measure, daemons' rows included: what it lacks itself is the
    configuration check's.
    """
    if "programmed" in seen.observed.unread:
        return
    for text, table, key in sorted(
        differences(seen.observed.tables, seen.observed.programmed), key=lambda x: natural(x[2])
    ):
        yield wrong("VER008", seen, text, _HINT, table=table, key=key)


def differences(
    running: Tables, chip: Mapping[str, Mapping[str, Mapping[str, str]]]
) -> Iterator[tuple[str, str, str]]:
    """Sentence, table and key of everything lossless that the chip has otherwise."""
    yield from _pause(running, chip.get("pfc", {}))
    for place in lossless_places(running):
        for bound in (_GROUP, _QUEUE):
            for text, key in _held(running, place, bound, chip.get(bound.kind, {})):
                yield text, bound.table, key


@dataclass(frozen=True, slots=True)
class _Bound:
    """Rows that bind a group or queue to a profile, and the fields that must be in force."""

    kind: str
    table: str
    field: str
    profiles: str
    fields: tuple[str, ...]
    must: bool = False
    """Whether what is lossless cannot do without."""


_GROUP = _Bound(
    "group",
    "BUFFER_PG",
    "profile",
    "BUFFER_PROFILE",
    ("size", "xon", "xoff", "dynamic_th"),
    must=True,
)
_QUEUE = _Bound(
    "queue",
    "QUEUE",
    "wred_profile",
    "WRED_PROFILE",
    ("ecn", "wred_green_enable", "green_min_threshold", "green_max_threshold"),
)


def _pause(
    running: Tables, chip: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, str, str]]:
    for port, row in running.get("PORT_QOS_MAP", {}).items():
        wanted = ",".join(sorted(spelled(row.get("pfc_enable", "")).replace(" ", "").split(",")))
        have = chip.get(port, {}).get("priorities")
        if port == "global" or have == wanted or (have is None and not wanted):
            continue
        if have is None:
            yield f"{port} is not known to the chip", "PORT_QOS_MAP", port
        else:
            said = f"PORT_QOS_MAP says {wanted or 'none'}"
            yield (
                f"{port} pauses priorities {have or 'none'} on the chip, {said}",
                "PORT_QOS_MAP",
                port,
            )


def _held(
    running: Tables, place: str, bound: _Bound, chip: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, str]]:
    """Sentence and key for what one group or queue has otherwise."""
    key, name = _row(running, bound, place)
    wanted = running.get(bound.profiles, {}).get(name)
    profile, told = f"{bound.profiles}|{name}", chip.get(place)
    if wanted is None and bound.must and not told:
        yield f"{place} is lossless and has no headroom on the chip: no {bound.table} row", key
    if wanted is None:
        return
    if not told:
        yield f"{place} has no {profile} on the chip", key
        return
    for field in bound.fields:
        have = told.get(field, "absent")
        if field in wanted and spelled(wanted[field]).lower() != have.lower():
            yield (
                f"{place} has {field} {have} on the chip, {profile} says {spelled(wanted[field])}",
                key,
            )


def _row(running: Tables, bound: _Bound, place: str) -> tuple[str, str]:
    """Key of the row that holds for one group or queue, and the profile it names."""
    port, _, index = place.partition("|")
    for key, row in running.get(bound.table, {}).items():
        own, _, span = key.partition("|")
        first, _, last = span.partition("-")
        if own == port and first.isdigit() and int(first) <= int(index) <= int(last or first):
            return key, spelled(row.get(bound.field, ""))
    return place, ""
